"""Who can work: agents with immutable revisions."""
