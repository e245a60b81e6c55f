"""Taking calls back: a person wants it, policy judges it, and a worker does it."""
