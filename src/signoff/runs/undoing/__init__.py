"""Calls that take others back."""
