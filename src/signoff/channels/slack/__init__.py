"""Slack: blocks with buttons, and what people press there."""
