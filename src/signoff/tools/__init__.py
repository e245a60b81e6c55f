"""What agents can do: the registry and the built-in tools."""
