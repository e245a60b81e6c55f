"""Answers of servers that nobody here wrote."""

import asyncio
import gzip
from typing import Any

import httpx2
import pytest

from signoff.kit.network import async_http
from signoff.kit.network.async_http import guarded_async_client


async def _asked(head: bytes, body: bytes, allowed: bool = True) -> bytes:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\n" + head + b"\r\n" + body)
        writer.close()

    async def saw(_response: Any) -> None:
        """Nothing to see."""

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, guarded_async_client(lambda _: True, lambda _: allowed, {}, 5, saw) as client:
        return (await client.get(f"http://127.0.0.1:{port}/")).content


def test_an_answer_without_end_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(async_http, "MOST_READ", 1_000)
    assert asyncio.run(_asked(b"", b"x" * 1_000)) == b"x" * 1_000
    with pytest.raises(httpx2.ReadError, match="more than 1,000 bytes"):
        asyncio.run(_asked(b"", b"x" * 1_001))


def test_a_packed_answer_is_not_unpacked() -> None:
    with pytest.raises(httpx2.ReadError, match="packed"):
        asyncio.run(_asked(b"content-encoding: gzip\r\n", gzip.compress(b"x")))


def test_no_host_is_reached_that_is_not_allowed_whoever_names_it() -> None:
    with pytest.raises(httpx2.ConnectError, match="SIGNOFF_EGRESS"):
        asyncio.run(_asked(b"", b"x", allowed=False))
