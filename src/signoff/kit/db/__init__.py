"""The database, and what is written and heard with every commit."""
