"""The model that plays scripted agents, so that nobody needs a key to see the product."""
