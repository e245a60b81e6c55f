"""What can be proved: an append-only, hash-chained record of every decision."""
