"""Secrets of channels and connections, sealed at rest."""
