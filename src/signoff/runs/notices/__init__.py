"""What people are told of a run on its way and at its end."""
