"""What the terminal shows and what is typed into it."""
