"""Commands for connections."""
