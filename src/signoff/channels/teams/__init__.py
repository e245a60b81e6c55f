"""Microsoft Teams: an Adaptive Card by webhook."""
