"""Pause everything: one switch of a workspace that holds all its runs, whatever state each is in."""
