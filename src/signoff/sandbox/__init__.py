"""Work on what others wrote, in a process of its own with limits. Its programs import nothing else of Signoff."""
