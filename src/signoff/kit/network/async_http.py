"""The same guard of addresses for clients that await: every connection goes to an address that was looked at."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from signoff.kit.network.addresses import allowed_address

if TYPE_CHECKING:
    import httpcore2
    import httpx2


def guarded_async_client(
    reaches_private: bool,
    headers: Mapping[str, str],
    seconds: float,
    saw: Callable[["httpx2.Response"], Awaitable[None]],
    auth: "httpx2.Auth | None" = None,
) -> "httpx2.AsyncClient":
    """A client of its own, which keeps no cookies and takes nothing from the environment. `saw` gets every answer."""
    import httpx2

    transport = httpx2.AsyncHTTPTransport()
    pool: Any = transport._pool  # pyright: ignore[reportPrivateUsage]
    pool._network_backend = _guarded_backend(reaches_private)
    return httpx2.AsyncClient(
        transport=transport,
        headers=dict(headers),
        timeout=httpx2.Timeout(seconds, read=None),
        follow_redirects=False,
        trust_env=False,
        event_hooks={"response": [saw]},
        auth=auth,
    )


def _guarded_backend(reaches_private: bool) -> "httpcore2.AsyncNetworkBackend":
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
            address = await asyncio.to_thread(allowed_address, host, port, reaches_private=reaches_private)
            return await plain.connect_tcp(address, port, timeout, local_address, socket_options)

        async def sleep(self, seconds: float) -> None:
            await asyncio.sleep(seconds)

    return Guarded()
