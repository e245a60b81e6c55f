"""The rules in force: stored with every version, read by every process as soon as they change."""
