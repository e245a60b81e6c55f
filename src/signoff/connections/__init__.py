"""Outside systems that runs may be granted: how each is reached, its tools, and who reviewed them."""
