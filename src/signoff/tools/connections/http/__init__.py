"""An HTTP API with its credentials: requests below one address."""
