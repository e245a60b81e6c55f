"""Answers by reply: with a token that only one member got, from who our own mail server says it is."""
