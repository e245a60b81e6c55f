"""Workflows that other services start by a webhook."""
