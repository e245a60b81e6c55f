"""Ways to reach people, what was sent by them, and the key of their secrets."""
