"""`/a/{token}`: one page per message, on which one person decides one ask without the app."""
