"""JSON Schemas, some of them from outside: bounded, then checked."""
