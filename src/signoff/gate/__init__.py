"""The same rules for agents that live elsewhere."""
