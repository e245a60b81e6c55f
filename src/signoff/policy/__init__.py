"""Pure policy: what a proposed call may do, and why. No session, no I/O, no clock."""
