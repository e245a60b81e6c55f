"""Webhooks for programs: every event, signed as Standard Webhooks are."""
