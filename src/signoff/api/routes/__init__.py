"""Routes that need more than one domain, or none."""
