"""The web side: application factory, errors, events, web files."""
