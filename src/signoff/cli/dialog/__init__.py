"""A person at the keyboard answers an ask."""
