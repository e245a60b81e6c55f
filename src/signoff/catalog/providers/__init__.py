"""Where models come from: which providers there are, what each needs from the environment, and what they offer."""
