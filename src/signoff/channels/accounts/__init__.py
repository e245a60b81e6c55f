"""Which member somebody is who comes through a channel."""
