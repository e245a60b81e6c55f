"""What a worker does with a workflow's run: no model, only which step comes next."""
