"""What the demo model plays in the shipped workflows: one turn each, from a step's input to its output."""
