"""How often something may happen, per process."""

import threading
import time
from collections import deque

from signoff.kit.errors import TooMany


class Rate:
    """Counts per key over the last seconds."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._times: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def count(self, key: str, most: int) -> None:
        """Count one more; too many are refused."""
        now = time.monotonic()
        with self._lock:
            for old in [each for each, times in self._times.items() if times[-1] < now - self._seconds]:
                del self._times[old]
            times = self._times.setdefault(key, deque())
            while times and times[0] < now - self._seconds:
                times.popleft()
            if len(times) >= most:
                raise TooMany(f"More than {most} tries in {self._seconds:g} seconds; wait a minute.")
            times.append(now)
