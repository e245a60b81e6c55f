"""The tools of connections: what a kind of connection is, and which tools a run has by those it was granted."""
