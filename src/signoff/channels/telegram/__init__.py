"""Telegram: a bot that writes to people and groups, and whose buttons decide."""
