"""What rules see of a run and its calls."""
