"""A mail server and a webhook's receiver in a process of their own, so that their work is not counted as ours."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.ports import free_port

PREPARE = {b"EHLO": b"250 ready\r\n", b"DATA": b"354 go on\r\n", b"QUIT": b"221 bye\r\n"}


@contextmanager
def receivers() -> Iterator[tuple[int, int]]:
    """Their ports: mail, then HTTP."""
    mail, http = free_port(), free_port()
    command = [sys.executable, "-m", "bench.receivers", str(mail), str(http)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield mail, http
        finally:
            process.kill()


async def _serve(mail: int, http: int) -> None:
    await asyncio.start_server(_take_mail, "127.0.0.1", mail)
    await asyncio.start_server(_take_requests, "127.0.0.1", http)
    print("ready", flush=True)
    await asyncio.Event().wait()


async def _take_mail(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"220 bench\r\n")
    while line := await reader.readline():
        word = line[:4].upper()
        writer.write(PREPARE.get(word, b"250 ok\r\n"))
        if word == b"DATA":
            await reader.readuntil(b"\r\n.\r\n")
            writer.write(b"250 taken\r\n")
        await writer.drain()
        if word == b"QUIT":
            break
    writer.close()


async def _take_requests(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while (head := await _head(reader)) is not None:
        await reader.readexactly(head)
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
        await writer.drain()
    writer.close()


async def _head(reader: asyncio.StreamReader) -> int | None:
    """How long the body is; None: the other side has gone."""
    try:
        text = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    lengths = [line.partition(b":")[2] for line in text.lower().split(b"\r\n") if line.startswith(b"content-length")]
    return int(lengths[0]) if lengths else 0


if __name__ == "__main__":
    asyncio.run(_serve(*map(int, sys.argv[1:])))
