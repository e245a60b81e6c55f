"""What a person changed or refused, kept so that the next proposal is better."""
