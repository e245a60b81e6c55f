"""From a file of somebody's to passages of text."""
