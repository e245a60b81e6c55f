"""What a person finds in their inbox: what is open, what waits for others, what is decided."""
