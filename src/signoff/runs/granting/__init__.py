"""Which connections a run may use: at its start by what its agent needs, later by what people grant and revoke."""
