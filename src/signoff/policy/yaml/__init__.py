"""The text of the rules: read, and every mistake reported at its line and column."""
