"""A reply's text while it is written: collected, and sent a few times a second."""

import time
from collections.abc import Callable

from signoff.runs.events import RunDelta

# Text is handed on in small pieces, but not one event per word.
DELTA_SECONDS = 0.05


class LiveText:
    """Numbered by attempt: a retried request streams again."""

    def __init__(self, send: Callable[[RunDelta], None], turn: int, attempt: int) -> None:
        self._send = send
        self._turn = turn
        self._attempt = attempt
        self._text = ""
        # Where this piece begins, so that one who joins late knows what is missing.
        self._offset = 0
        self._sent_at = 0.0

    async def hear(self, text: str) -> None:
        self._text += text
        if time.monotonic() - self._sent_at >= DELTA_SECONDS:
            self.flush()

    def flush(self) -> None:
        if self._text:
            delta: RunDelta = {
                "text": self._text,
                "offset": self._offset,
                "turn": self._turn,
                "attempt": self._attempt,
            }
            self._send(delta)
            self._offset += len(self._text)
            self._text, self._sent_at = "", time.monotonic()
