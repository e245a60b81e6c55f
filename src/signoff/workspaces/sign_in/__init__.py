"""Ways in: links, tokens, invitations and passwords, and how often somebody tried."""
