"""Runs that start by the clock."""
