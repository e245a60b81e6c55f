"""Discord: a bot that writes to a channel and to people, and whose buttons decide."""
