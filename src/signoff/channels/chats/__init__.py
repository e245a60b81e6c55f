"""What chats with buttons share: how a message is laid out, what a button carries, and what pressing it does."""
