"""Who is told of what, by which channel, and when."""
