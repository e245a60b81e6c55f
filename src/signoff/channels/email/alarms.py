"""What happens later unless it is called off, in one thread for all: to start one for each mail took as long as the
mail itself, and longer where many threads want to run."""

import logging
import threading
import time
from collections.abc import Callable

log = logging.getLogger(__name__)


class Alarms:
    """What rings must not take long: the others wait for it."""

    def __init__(self) -> None:
        self._set = dict[object, tuple[float, Callable[[], None]]]()
        self._changed = threading.Condition()
        # When the thread looks next; None: there is none, since nothing was set.
        self._looks_at: float | None = None

    def set(self, seconds: float, ring: Callable[[], None]) -> object:
        """What to call it off by."""
        alarm, at = object(), time.monotonic() + seconds
        with self._changed:
            self._set[alarm] = (at, ring)
            if self._looks_at is None:
                self._looks_at = at
                threading.Thread(target=self._watch, name="signoff-alarms", daemon=True).start()
            elif at < self._looks_at:
                self._changed.notify()
        return alarm

    def call_off(self, alarm: object) -> None:
        with self._changed:
            self._set.pop(alarm, None)

    def _watch(self) -> None:
        while rings := self._wait():
            for ring in rings:
                try:
                    ring()
                except Exception:
                    log.exception("an alarm failed, the others go on")

    def _wait(self) -> list[Callable[[], None]]:
        """What is due, as soon as anything is. Empty: nothing is set any more."""
        with self._changed:
            while self._set:
                now = time.monotonic()
                due = [alarm for alarm, (at, _) in self._set.items() if at <= now]
                if due:
                    return [self._set.pop(alarm)[1] for alarm in due]
                self._looks_at = min(at for at, _ in self._set.values())
                self._changed.wait(self._looks_at - now)
            self._looks_at = None
            return []
