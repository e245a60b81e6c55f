"""What the record says about the rules: replays, suggestions, figures."""
