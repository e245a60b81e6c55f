"""What time does to asks."""
