"""Requests whose every connection goes to an address that was looked at, within bounds of time and size."""

import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from functools import cache
from http.cookiejar import DefaultCookiePolicy
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from signoff.kit.network.addresses import AddressRefused, HostNotFound, allowed_address, said

if TYPE_CHECKING:
    from ssl import SSLContext

    import httpcore
    import httpx

SECONDS = 10.0
LONGEST_SECONDS = 25.0
MOST_READ = 1024 * 1024
# Set on an answer that was longer than what was read of it.
CUT = "signoff_cut"
# A little that is packed may be much.
UNPACKED = {"accept-encoding": "identity"}
# When the request that this thread makes is over, whatever came of it.
_exchange = threading.local()
_making = threading.Lock()


class RequestFailed(Exception):
    """No answer. `sent`: the other side may have got the request all the same."""

    def __init__(self, detail: str, *, sent: bool = False, permanent: bool = False) -> None:
        super().__init__(detail)
        self.sent = sent
        self.permanent = permanent


def _guarded_backend(reaches_private: bool) -> "httpcore.SyncBackend":
    """Looks at the address that is connected to, not at the one that was asked for."""
    import httpcore

    class Guarded(httpcore.SyncBackend):
        def connect_tcp(
            self,
            host: str,
            port: int,
            timeout: float | None = None,
            local_address: str | None = None,
            socket_options: Iterable[Any] | None = None,
        ) -> httpcore.NetworkStream:
            address = allowed_address(host, port, reaches_private=reaches_private)
            return Bounded(super().connect_tcp(address, port, timeout, local_address, socket_options))

    class Bounded(httpcore.NetworkStream):
        """Who answers a byte at a time must not keep a thread for ever: what is left of the whole time counts."""

        def __init__(self, stream: httpcore.NetworkStream) -> None:
            self._stream = stream

        def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
            return self._stream.read(max_bytes, self._left(timeout))

        def write(self, buffer: bytes, timeout: float | None = None) -> None:
            self._stream.write(buffer, self._left(timeout))

        def close(self) -> None:
            self._stream.close()

        def start_tls(
            self, ssl_context: "SSLContext", server_hostname: str | None = None, timeout: float | None = None
        ) -> httpcore.NetworkStream:
            return Bounded(self._stream.start_tls(ssl_context, server_hostname, self._left(timeout)))

        def get_extra_info(self, info: str) -> Any:
            return self._stream.get_extra_info(info)

        def _left(self, timeout: float | None) -> float | None:
            ends: float | None = getattr(_exchange, "ends", None)
            left = None if ends is None else ends - time.monotonic()
            if left is not None and left <= 0:
                raise httpcore.ReadTimeout
            return min((each for each in (timeout, left) if each is not None), default=None)

    return Guarded()


def guarded_client(reaches_private: bool) -> "httpx.Client":
    """One for each reach: reading the machine's certificates takes longer than a request, and connections are kept.

    Follows no redirect: what an address leads to was not entered by anybody."""
    # Of many threads that need their first one, one makes it: the others' would be left with open connections.
    with _making:
        return _made_client(reaches_private)


@cache
def _made_client(reaches_private: bool) -> "httpx.Client":
    import httpx

    transport = httpx.HTTPTransport()
    pool: Any = transport._pool  # pyright: ignore[reportPrivateUsage]
    pool._network_backend = _guarded_backend(reaches_private)
    client = httpx.Client(transport=transport, timeout=SECONDS, follow_redirects=False, trust_env=False)
    # What one workspace's address wants remembered is not told to another's.
    client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    return client


@contextmanager
def _told_in_words(url: str):
    import httpx

    try:
        yield
    except (AddressRefused, HostNotFound) as error:
        raise RequestFailed(str(error), permanent=isinstance(error, AddressRefused)) from error
    except httpx.TimeoutException as error:
        raise RequestFailed(f"No answer within {SECONDS:g} seconds.", sent=_is_sent(error)) from None
    except (httpx.HTTPError, OSError) as error:
        detail = f"The connection to {_place(url)} failed: {said(error)}."
        raise RequestFailed(detail, sent=_is_sent(error)) from None
    except httpx.InvalidURL as error:
        raise RequestFailed(f"This is no address: {error}.", permanent=True) from None


def _place(url: str) -> str:
    """The host and the port: the rest of an address may be a secret."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)


def _is_sent(error: Exception) -> bool:
    import httpx

    before = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)
    return not isinstance(error, (*before, httpx.LocalProtocolError))


def exchange(
    url: str,
    *,
    content: bytes,
    headers: Mapping[str, str],
    reaches_private: bool,
    method: str = "POST",
    most_read: int = MOST_READ,
) -> "httpx.Response":
    """One request and its answer, whatever that says and wherever it leads. Of a longer one the beginning, marked."""
    import httpx

    _exchange.ends = time.monotonic() + LONGEST_SECONDS
    with (
        _told_in_words(url),
        guarded_client(reaches_private).stream(
            method, url, content=content, headers={**UNPACKED, **headers}
        ) as response,
    ):
        read = bytearray()
        for chunk in response.iter_raw():
            read += chunk
            if len(read) > most_read:
                break
        return httpx.Response(
            response.status_code,
            headers=_plain(response.headers),
            content=bytes(read[:most_read]),
            request=response.request,
            extensions={CUT: len(read) > most_read},
        )


def _plain(headers: "httpx.Headers") -> dict[str, str]:
    """Of a body that was read already, how it was packed says nothing."""
    packed = ("content-encoding", "content-length", "transfer-encoding")
    return {name: value for name, value in headers.items() if name not in packed}
