"""The same guard of addresses for clients that await: every connection goes to an address that was looked at."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from signoff.kit.network.addresses import allowed_address
from signoff.kit.network.http import UNPACKED

if TYPE_CHECKING:
    import httpcore2
    import httpx2

# Of one answer that is read whole. A stream of events is bounded event by event, by whoever reads it.
MOST_READ = 16 * 1024 * 1024


def guarded_async_client(
    reaches_private: Callable[[str], bool],
    allows: Callable[[str], bool],
    headers: Mapping[str, str],
    seconds: float,
    saw: Callable[["httpx2.Response"], Awaitable[None]],
    auth: "httpx2.Auth | None" = None,
) -> "httpx2.AsyncClient":
    """A client of its own, which keeps no cookies and takes nothing from the environment. `saw` gets every answer.

    `reaches_private` and `allows` are asked for every host, also for those that the other side names."""
    import httpx2

    transport = _bounded_transport(allows)
    pool: Any = transport._pool  # pyright: ignore[reportPrivateUsage]
    pool._network_backend = _guarded_backend(reaches_private)
    return httpx2.AsyncClient(
        transport=transport,
        headers={**UNPACKED, **headers},
        timeout=httpx2.Timeout(seconds, read=None),
        follow_redirects=False,
        trust_env=False,
        event_hooks={"response": [saw]},
        auth=auth,
    )


def _bounded_transport(allows: Callable[[str], bool]) -> "httpx2.AsyncHTTPTransport":
    import httpx2

    class Bounded(httpx2.AsyncByteStream):
        def __init__(self, stream: Any) -> None:
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for part in self._stream:
                size += len(part)
                if size > MOST_READ:
                    raise httpx2.ReadError(f"The answer has more than {MOST_READ:,} bytes.")
                yield part

        async def aclose(self) -> None:
            await self._stream.aclose()

    class Transport(httpx2.AsyncHTTPTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            host = request.url.host
            if not allows(host):
                raise httpx2.ConnectError(f"{host} is none of the hosts that tools may reach here (SIGNOFF_EGRESS).")
            response = await super().handle_async_request(request)
            # A little that is packed may be much, and nobody asked for it.
            if response.headers.get("content-encoding", "identity").lower() != "identity":
                await response.aclose()
                raise httpx2.ReadError(f"{host} sends its answers packed, though it was asked not to.")
            if not response.headers.get("content-type", "").lower().startswith("text/event-stream"):
                response.stream = Bounded(response.stream)
            return response

    return Transport()


def _guarded_backend(reaches_private: Callable[[str], bool]) -> "httpcore2.AsyncNetworkBackend":
    import httpcore2

    plain: Any = httpcore2.AnyIOBackend()

    class Guarded(httpcore2.AsyncNetworkBackend):
        async def connect_tcp(
            self,
            host: str,
            port: int,
            timeout: float | None = None,  # noqa: ASYNC109
            local_address: str | None = None,
            socket_options: Iterable[Any] | None = None,
        ) -> httpcore2.AsyncNetworkStream:
            is_ours = reaches_private(host)
            address = await asyncio.to_thread(allowed_address, host, port, reaches_private=is_ours)
            return await plain.connect_tcp(address, port, timeout, local_address, socket_options)

        async def sleep(self, seconds: float) -> None:
            await asyncio.sleep(seconds)

    return Guarded()
