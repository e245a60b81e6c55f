"""The only way out of a browser: looks at every host and address before it connects, and counts what passes."""

import asyncio
import base64
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from urllib.parse import urlsplit

from signoff.kit.network.addresses import AddressRefused, HostNotFound, allowed_address
from signoff.tools.egress import host_of
from signoff.tools.threads import NoThreadFree, in_thread

MOST_BYTES = 60 * 1024 * 1024
MOST_CONNECTIONS = 600
LONGEST_HEAD = 64 * 1024
SECONDS = 15.0
CHUNK = 64 * 1024
NOT_FORWARDED = (b"proxy-", b"connection:", b"keep-alive:")


class _Refused(Exception):
    """What was asked does not pass."""

    def __init__(self, status: str, why: str) -> None:
        super().__init__(why)
        self.status = status


@dataclass
class GuardedProxy:
    """A forward proxy on this machine for one browser, which knows its password."""

    allows: Callable[[str], bool]
    reaches_private: bool
    password: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    # Why something did not pass, each once.
    refusals: dict[str, None] = field(default_factory=dict[str, None])
    passed: int = 0
    connections: int = 0

    async def __aenter__(self) -> "GuardedProxy":
        self._tasks = set[asyncio.Task[None]]()
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=LONGEST_HEAD)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for each in self._tasks:
            each.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def port(self) -> int:
        return self._server.sockets[0].getsockname()[1]

    @property
    def for_browser(self) -> dict[str, str]:
        return {"server": f"http://127.0.0.1:{self.port}", "username": "signoff", "password": self.password}

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            await self._pass(reader, writer)
        except _Refused as refused:
            await _say(writer, refused.status, str(refused))
        except (OSError, EOFError, TimeoutError, ValueError):
            await _say(writer, "502 Bad Gateway", "The connection failed.")
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(SECONDS):
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except asyncio.LimitOverrunError:
                raise _Refused("431 Request Header Fields Too Large", "The request is too long.") from None
        line, *lines = head[:-4].split(b"\r\n")
        self._know(lines)
        method, target, _version = line.decode("ascii").split(" ")
        host, port, path = _aim(method, target)
        remote, out = await self._connect(host, port)
        try:
            if method == "CONNECT":
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                kept = [each for each in lines if not each.lower().startswith(NOT_FORWARDED)]
                out.write(b"\r\n".join([f"{method} {path} HTTP/1.1".encode(), *kept, b"Connection: close", b"", b""]))
            await self._relay(reader, out, remote, writer)
        finally:
            out.close()

    def _know(self, lines: list[bytes]) -> None:
        """Others on this machine have no business here."""
        expected = b"proxy-authorization: basic " + base64.b64encode(f"signoff:{self.password}".encode())
        if not any(secrets.compare_digest(_small_name(each), _small_name(expected)) for each in lines):
            raise _Refused("407 Proxy Authentication Required", "Who are you?")
        self.connections += 1
        if self.connections > MOST_CONNECTIONS:
            raise self._refusal(f"The page makes more than {MOST_CONNECTIONS} requests.")

    async def _connect(self, host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        named = host_of(f"//[{host}]" if ":" in host else f"//{host}")
        if not self.allows(named):
            raise self._refusal(f"{host} is not among the hosts that this agent may reach.")
        try:
            address = await in_thread(allowed_address, host, port, reaches_private=self.reaches_private)
        except (AddressRefused, HostNotFound, NoThreadFree) as error:
            raise self._refusal(str(error)) from error
        async with asyncio.timeout(SECONDS):
            # The address that was looked at, whatever the name means by now.
            return await asyncio.open_connection(address, port)

    async def _relay(
        self,
        reader: asyncio.StreamReader,
        out: asyncio.StreamWriter,
        remote: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        there = asyncio.create_task(self._copy(reader, out))
        try:
            await self._copy(remote, writer)
        finally:
            there.cancel()
            await asyncio.gather(there, return_exceptions=True)

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while chunk := await reader.read(CHUNK):
                self.passed += len(chunk)
                if self.passed > MOST_BYTES:
                    self.refusals[f"The page loads more than {MOST_BYTES // 1024 // 1024} MB."] = None
                    return
                writer.write(chunk)
                await writer.drain()

    def _refusal(self, why: str) -> _Refused:
        if len(self.refusals) < 20:
            self.refusals[why] = None
        return _Refused("403 Forbidden", why)


def _aim(method: str, target: str) -> tuple[str, int, str]:
    """The host, port and path that are asked for."""
    parts = urlsplit(f"//{target}" if method == "CONNECT" else target)
    if not parts.hostname or "@" in parts.netloc or (method != "CONNECT" and parts.scheme != "http"):
        raise _Refused("400 Bad Request", "This is no request for a page.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return parts.hostname, parts.port or 80, path


def _small_name(line: bytes) -> bytes:
    name, _, value = line.partition(b": ")
    kind, _, given = value.partition(b" ")
    return name.lower() + b": " + kind.lower() + b" " + given


async def _say(writer: asyncio.StreamWriter, status: str, why: str) -> None:
    more = 'Proxy-Authenticate: Basic realm="signoff"\r\n' if status.startswith("407") else ""
    body = why.encode("utf-8", "replace")
    fields = f"{more}Content-Length: {len(body)}\r\nContent-Type: text/plain\r\nConnection: close"
    head = f"HTTP/1.1 {status}\r\n{fields}\r\n\r\n"
    with suppress(OSError):
        writer.write(head.encode() + body)
        await writer.drain()
