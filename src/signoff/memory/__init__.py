"""What an agent keeps from one run to the next, for people to read and to change."""
