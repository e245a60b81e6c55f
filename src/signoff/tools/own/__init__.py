"""Tools of the user: Python files in a watched folder, and packages that are installed beside Signoff."""
