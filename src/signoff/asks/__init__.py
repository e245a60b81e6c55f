"""What a run needs from a person: one table, one state machine, one way to answer."""
