"""Patterns over arguments: what else is like a call that was approved, and never wider."""
