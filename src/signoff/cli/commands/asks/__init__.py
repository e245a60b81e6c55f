"""Asks in the terminal: what waits, answering, and saying something about one."""
