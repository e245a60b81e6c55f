"""A run's transcript: its lines as rows, and how they read."""
