"""Workflows that ship with the product, and the agents that they name."""
