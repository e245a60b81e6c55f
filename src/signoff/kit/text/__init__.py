"""Text from outside: cleaned, masked, and shown so that it cannot deceive."""
