"""People are reached where they are, and decide there: one folder per channel, and what brings messages to them."""
