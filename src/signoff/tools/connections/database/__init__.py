"""A database of the user's own: questions that only read, and single statements that write after they were seen."""
