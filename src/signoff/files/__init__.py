"""Files that people give to runs, how much of them there may be, and where large ones are kept."""
