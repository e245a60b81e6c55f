"""Signoff: AI agents work on their own and stop where a person should decide."""

__version__ = "0.1.0"
