"""What a person answered and what follows from it."""
