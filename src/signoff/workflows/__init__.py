"""Workflows as they are defined: agents in sequence, with what each gets and what it makes."""
