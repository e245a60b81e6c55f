"""The text of the rules: read, and every mistake told at its line and column."""
