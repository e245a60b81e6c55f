"""Calls of tools: judged, asked for, executed, and what became of them."""
