"""Ports that nobody else takes before the server that wants one listens on it."""

import os
import socket
from itertools import count

# Below those that the system hands out itself, and a range for each worker of the test run.
FIRST, EACH = 20_000, 1_500
_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw7").removeprefix("gw")) % 8
# Runs that follow each other at once do not begin at the same one.
_numbers = count(os.getpid() % EACH)


def free_port() -> int:
    for number in _numbers:
        port = FIRST + _worker * EACH + number % EACH
        with socket.socket() as probe:
            # What ended a moment ago keeps its port a while, and does not mind.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("numbers do not end")
