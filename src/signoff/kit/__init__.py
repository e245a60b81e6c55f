"""What every part needs and no part owns. Knows no domain."""
