"""Who is in, ways in, and the workspaces of a server."""
