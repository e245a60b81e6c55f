"""What happens: runs with their transcript, calls, counters and limits."""
