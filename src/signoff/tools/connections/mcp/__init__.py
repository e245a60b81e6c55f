"""Connections with MCP servers."""
