"""Who is who: workspaces, people, their roles, tokens and sessions."""
