"""What people say to each other about an ask, and what its agent answers when they ask it."""
