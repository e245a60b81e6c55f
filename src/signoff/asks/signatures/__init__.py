"""Who may sign, who has signed, and whether that is enough."""
