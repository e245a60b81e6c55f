"""Files that a run hands over; versioned."""
