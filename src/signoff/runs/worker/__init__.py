"""What the worker of a run reads of it and writes to it."""
