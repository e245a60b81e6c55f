"""Open asks that are alike, as one row each: how many, what they have in common and what differs."""
