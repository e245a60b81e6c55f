"""What a file of rules is made of, as plain checked shapes."""
