"""Rules made ready: whether one matches a call, and what it then says."""
