"""Long conversations: how large one is, what of it gives way first, and what stands in its place."""
