"""What is wrong with a workflow that reads well."""
