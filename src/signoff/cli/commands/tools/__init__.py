"""The tools that agents have: listed, begun, and tried."""
