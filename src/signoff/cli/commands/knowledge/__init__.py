"""The knowledge base, and what agents keep."""
