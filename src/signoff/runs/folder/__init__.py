"""What lies in a run's own folder: what people gave, and what a run before it left."""
