"""Documents of the workspace that agents can search."""
