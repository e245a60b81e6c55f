"""How a run puts something before people: what the rules say to it, how many, by when, and who is notified."""
