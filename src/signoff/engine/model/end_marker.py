"""Whether a stream of OpenAI's kind said that it is over. The client library swallows that line."""

import re
from collections.abc import AsyncIterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import httpx2

# Inside a frame a line break is always escaped: nothing that a model says can look like this.
DONE = re.compile(rb"(?:^|[\r\n])data: ?\[DONE\]")
LONGEST = 32


@dataclass
class EndMarker:
    """Of the model call under way."""

    seen: bool = False


UNDER_WAY: ContextVar[EndMarker | None] = ContextVar("end_marker", default=None)


def listen(client: Any) -> None:
    """Let calls of this client notice their end marker. Without it, only what names a reason counts as whole."""
    http = getattr(client, "_client", None)
    if isinstance(http, httpx2.AsyncClient):
        http.event_hooks = {**http.event_hooks, "response": [*http.event_hooks["response"], _heard]}


async def _heard(response: httpx2.Response) -> None:
    marker = UNDER_WAY.get()
    if marker is not None and isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Listening(response.stream, marker)


class _Listening(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, marker: EndMarker) -> None:
        self._stream, self._marker = stream, marker

    async def __aiter__(self) -> AsyncIterator[bytes]:
        tail = b""
        async for piece in self._stream:
            tail += piece
            self._marker.seen = self._marker.seen or DONE.search(tail) is not None
            tail = tail[-LONGEST:]
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()
