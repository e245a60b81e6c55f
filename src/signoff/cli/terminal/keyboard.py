"""Single keys and lines from a person, given up when there is nothing left to answer."""

import os
import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Protocol

LOOK_SECONDS = 0.25


class GivenUp(Exception):
    """What was asked has been settled elsewhere."""


class Keyboard(Protocol):
    def key(self) -> str: ...
    def line(self, prompt: str) -> str: ...


def is_attended() -> bool:
    """Is there somebody to ask? Windows' console has neither single keys nor alarms: there, answers are commands."""
    return sys.stdin.isatty() and sys.stdout.isatty() and hasattr(signal, "SIGALRM")


class Terminal:
    """The keyboard in front of the person. `over` says whether the question has lost its point."""

    def __init__(self, over: Callable[[], bool]) -> None:
        self._over = over

    def key(self) -> str:
        """One key, in lower case; arrows and the like are nothing. Ctrl-D ends the input."""
        forget_typed()
        with watching(self._over), _without_line_editing():
            typed = os.read(sys.stdin.fileno(), 32).decode("utf-8", "replace")
        if not typed or typed[0] == "\x04":
            raise EOFError
        return typed.lower() if len(typed) == 1 else ""

    def line(self, prompt: str) -> str:
        forget_typed()
        # Its presence is what makes the line editable.
        import readline  # noqa: F401  # pyright: ignore[reportUnusedImport]

        with watching(self._over):
            return input(prompt)


def forget_typed() -> None:
    """Keys pressed before the question was shown must not answer it."""
    import termios

    termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


@contextmanager
def watching(over: Callable[[], bool]) -> Generator[None, None, None]:
    """Look now and then, while a read blocks, whether it still has a point."""

    def look(*_: object) -> None:
        if over():
            raise GivenUp

    if over():
        raise GivenUp
    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, LOOK_SECONDS, LOOK_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _without_line_editing() -> Generator[None, None, None]:
    import termios
    import tty

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor)
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
