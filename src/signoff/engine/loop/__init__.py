"""One claimed run, advanced as far as it can go."""
