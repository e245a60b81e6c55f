"""Imports that nobody waits for: between two modules everybody else goes first."""

import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import ModuleType

# Many hundred modules follow each other, so that this adds about a second in all.
PAUSE_SECONDS = 0.001
# How long a thread that computes keeps the others waiting; Python's usual 5 ms, at each of its hops, delays a request.
SWITCH_SECONDS = 0.0005
_SLOWLY: ContextVar[bool] = ContextVar("slowly", default=False)


class SlowImports:
    """Slows imports down in the contexts that say so, until somebody is in a hurry."""

    def __init__(self) -> None:
        self._hurry = threading.Event()

    def find_spec(self, _name: str, _path: Sequence[str] | None, _target: ModuleType | None = None) -> None:
        """Asked before every module that is not loaded yet; finds none."""
        if _SLOWLY.get():
            self._hurry.wait(PAUSE_SECONDS)

    def hurry(self) -> None:
        self._hurry.set()

    @contextmanager
    def slowly(self) -> Generator[None]:
        """What is imported from here, in this thread and those that it starts with its context, gives way."""
        usual = sys.getswitchinterval()
        here = _SLOWLY.set(True)
        sys.meta_path.insert(0, self)
        sys.setswitchinterval(SWITCH_SECONDS)
        try:
            yield
        finally:
            sys.setswitchinterval(usual)
            sys.meta_path.remove(self)
            _SLOWLY.reset(here)
