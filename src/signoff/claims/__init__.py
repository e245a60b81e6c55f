"""Who works on a run: ready, wake, lease, fencing token. The part of a run's row that asks, runs and engine share."""
