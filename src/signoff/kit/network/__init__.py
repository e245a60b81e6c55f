"""Connections to addresses that somebody else chose: looked at before anything is sent."""
