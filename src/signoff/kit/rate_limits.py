"""How often something may happen, per process."""

import threading
import time
from collections import deque

from signoff.kit.errors import TooMany

DAY = 24 * 3600.0


class Rate:
    """Counts per key over the last seconds."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._times: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def count(self, key: str, most: int) -> None:
        """Count one more; too many are refused."""
        with self._lock:
            self._refuse_full(key, most)
            self._times.setdefault(key, deque()).append(time.monotonic())

    def refuse_full(self, key: str, most: int) -> None:
        """Refuse as `count` would, and count nothing."""
        with self._lock:
            self._refuse_full(key, most)

    def has(self, key: str) -> bool:
        """Whether any was counted lately."""
        with self._lock:
            self._forget()
            return key in self._times

    def note(self, key: str) -> None:
        """It happened just now; what was before does not matter."""
        with self._lock:
            self._times[key] = deque([time.monotonic()])

    def _refuse_full(self, key: str, most: int) -> None:
        self._forget()
        times = self._times.get(key, deque[float]())
        while times and times[0] < time.monotonic() - self._seconds:
            times.popleft()
        if len(times) >= most:
            raise TooMany(
                f"Too many tries: more than {most} in {self._seconds:g} seconds. Wait a minute, then try again."
            )

    def _forget(self) -> None:
        over = time.monotonic() - self._seconds
        for old in [key for key, times in self._times.items() if not times or times[-1] < over]:
            del self._times[old]


class Tries:
    """Tries to prove who one is: few from one address, more for one account from all of them.

    Strangers who fail in a person's name do not keep them out where they came in lately.
    """

    EVERYWHERE = 10

    def __init__(self) -> None:
        self._tries, self._proved = Rate(seconds=60), Rate(seconds=DAY)

    def count_address(self, address: str | None, most: int) -> None:
        self._tries.count(f"address {address}", most)

    def count_account(self, account: str, address: str | None, most: int) -> None:
        """Before anything is compared, so that too many tells nothing."""
        pair = f"{account} from {address}"
        self._tries.count(pair, most)
        if not self._proved.has(pair):
            self._tries.count(f"account {account}", most * self.EVERYWHERE)

    def proved(self, account: str, address: str | None) -> None:
        self._proved.note(f"{account} from {address}")
