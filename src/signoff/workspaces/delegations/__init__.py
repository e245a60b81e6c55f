"""Who decides for whom while somebody is away."""
