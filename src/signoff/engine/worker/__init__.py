"""Who works on which run, and when: claims, leases, nudges, timers."""
