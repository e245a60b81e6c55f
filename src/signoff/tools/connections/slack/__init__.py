"""Messages into the channels of a Slack, as an app of the workspace."""
