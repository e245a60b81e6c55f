"""Start a program of the sandbox, wait for its answer, and end it when that takes too long or too much."""

import asyncio
import json
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from signoff.sandbox.processes import end, family, memory

# Each may take a gigabyte: the rest waits its turn.
MOST_AT_ONCE = 4
MEMORY_BYTES = 1024 * 1024 * 1024
MOST_BYTES = 64 * 1024 * 1024
LOOK_SECONDS = 0.3
_turns = WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore]()


class SandboxFailed(Exception):
    """It did not answer, or not with a result; the message says why, in words for whoever asked."""

    def __init__(self, detail: str, said: dict[str, Any] | None = None) -> None:
        super().__init__(detail)
        self.said = said or {}


@dataclass(frozen=True)
class Answer:
    said: dict[str, Any]
    content: bytes


async def run(program: str, request: dict[str, Any], *, seconds: float, home: str = os.devnull) -> Answer:
    """What `signoff.sandbox.<program>` answers. Nothing of this process's environment reaches it."""
    async with _turns.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(MOST_AT_ONCE)):
        process = await asyncio.create_subprocess_exec(
            # Without the current folder among the places of modules: what lies there is not ours.
            *(sys.executable, "-P", "-s", "-m", f"signoff.sandbox.{program}"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=_environment(home),
            cwd=os.sep,
        )
        watching = asyncio.create_task(_watch_memory(process))
        try:
            async with asyncio.timeout(seconds):
                answered = await _exchange(process, json.dumps(request).encode() + b"\n")
        except TimeoutError:
            raise SandboxFailed(f"It took longer than {seconds:g} seconds. Ask for less at once.") from None
        finally:
            watching.cancel()
            # One that ended by itself has ended whatever it started.
            if process.returncode is None:
                end(family(process.pid))
            await process.wait()
    return _read(answered)


async def _exchange(process: asyncio.subprocess.Process, request: bytes) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    # One that is over already has answered without reading.
    with suppress(ConnectionError):
        process.stdin.write(request)
        await process.stdin.drain()
        process.stdin.close()
    read = bytearray()
    while chunk := await process.stdout.read(256 * 1024):
        read += chunk
        if len(read) > MOST_BYTES:
            raise SandboxFailed(f"The result is larger than {MOST_BYTES // 1024 // 1024} MB. Ask for less at once.")
    return bytes(read)


def _read(answered: bytes) -> Answer:
    line, end, content = answered.partition(b"\n")
    if not end:
        raise SandboxFailed("It needed more time or memory than it may have. Ask for less at once.")
    said: dict[str, Any] = json.loads(line)
    if "error" in said:
        raise SandboxFailed(str(said["error"]), said)
    return Answer(said, content)


async def _watch_memory(process: asyncio.subprocess.Process) -> None:
    """For programs that cannot live with a bound of their own, and what they start."""
    while True:
        pids = family(process.pid)
        if memory(pids) > MEMORY_BYTES:
            end(pids)
            return
        await asyncio.sleep(LOOK_SECONDS)


def _environment(home: str) -> dict[str, str]:
    places = [each for each in sys.path if os.path.isabs(each)]
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    own = {"HOME": home} | ({} if home == os.devnull else {"TMPDIR": home})
    return kept | own | {"PYTHONPATH": os.pathsep.join(places), "LANG": "C.UTF-8", "TZ": "UTC"}
