"""Over HTTP: a server in its own process, a client with one event stream open, as a page in a browser has."""

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from bench.measure import MILLI, status_of
from bench.stage import TOKEN
from tests.ports import free_port

HEADERS = {"Authorization": f"Bearer {TOKEN}"}


@dataclass
class Server:
    process: subprocess.Popen[bytes]
    client: httpx.Client
    # Seconds from the process's start to a good /readyz.
    ready_after: float

    def memory_mb(self) -> float:
        return status_of(self.process.pid, "VmRSS") / 1024

    def threads(self) -> int:
        return status_of(self.process.pid, "Threads")


@contextmanager
def server(module: str, *arguments: str, port: int, **environment: str) -> Iterator[Server]:
    """`python -m module …`, until it is ready; ended afterwards."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SIGNOFF_")}
    command = [sys.executable, "-m", module, *arguments]
    begin = time.perf_counter()
    # As installed: modules are compiled once, whatever this machine says about it.
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    kept |= {"SIGNOFF_TOKEN": TOKEN, **environment}
    process = subprocess.Popen(command, env=kept, stdout=subprocess.DEVNULL)
    client = httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=HEADERS, timeout=30)
    try:
        while not _ready(client):
            if process.poll() is not None or time.perf_counter() - begin > 60:
                raise RuntimeError(f"{module} did not start")
            time.sleep(0.01)
        yield Server(process, client, time.perf_counter() - begin)
    finally:
        client.close()
        process.terminate()
        process.wait(30)


def _ready(client: httpx.Client) -> bool:
    try:
        return client.get("/readyz").status_code == 200
    except httpx.TransportError:
        return False


@contextmanager
def signoff(folder: Path, database_url: str, **environment: str) -> Iterator[Server]:
    """`signoff serve` as people start it."""
    port = free_port()
    given = ["serve", "--port", str(port), "--data", str(folder), "--no-demo"]
    given += ["--database-url", database_url] if database_url else []
    with server("signoff", *given, port=port, **environment) as running:
        yield running


@dataclass
class OverHttp:
    """Milliseconds, as a client sees them."""

    ask_visible: list[float] = field(default_factory=list)
    start_to_visible: list[float] = field(default_factory=list)
    approve_to_tool: list[float] = field(default_factory=list)
    answer_round_trip: list[float] = field(default_factory=list)


def decisions(folder: Path, database_url: str, number: int, warm_up: int = 5) -> OverHttp:
    """Start → ask on the stream → approve → the tool begins, one after the other."""
    port, found = free_port(), OverHttp()
    with (
        server("bench.server", str(port), str(folder), *([database_url] if database_url else []), port=port) as running,
        _following(running) as coming,
    ):
        for index in range(number + warm_up):
            _one(running.client, coming, found)
            if index < warm_up:
                found = OverHttp()
    return found


def _one(client: httpx.Client, coming: "queue.Queue[tuple[dict[str, Any], float, datetime]]", found: OverHttp) -> None:
    begin = time.perf_counter()
    run_id = client.post("/api/runs", json={"agent": "bench-0", "task": "Look around, then act."}).json()["id"]
    event, at, clock = _next(coming, "ask.created")
    found.start_to_visible.append((at - begin) * MILLI)
    # The event's own time is taken just before its commit, so the commit is part of this.
    found.ask_visible.append((clock - datetime.fromisoformat(event["at"])).total_seconds() * MILLI)
    begin = time.perf_counter()
    client.post(f"/api/asks/{event['data']['ask']['id']}/answer", json={"decision": "approve"}).raise_for_status()
    found.answer_round_trip.append((time.perf_counter() - begin) * MILLI)
    _next(coming, "run.ended")
    calls = client.get(f"/api/runs/{run_id}/calls").json()["items"]
    began = next(call["result"] for call in calls if call["tool"] == "act")
    # Both processes read the same monotonic clock of the machine.
    found.approve_to_tool.append((began - begin) * MILLI)


@contextmanager
def _following(running: Server) -> Iterator["queue.Queue[tuple[dict[str, Any], float, datetime]]"]:
    """The workspace's stream, read by a thread as it comes."""
    coming: queue.Queue[tuple[dict[str, Any], float, datetime]] = queue.Queue()
    opened = threading.Event()

    def read() -> None:
        # The server ends the stream when it stops.
        with (
            suppress(httpx.TransportError),
            httpx.Client(headers=HEADERS, timeout=None) as client,
            client.stream("GET", f"{running.client.base_url}/api/events") as stream,
        ):
            for line in stream.iter_lines():
                opened.set()
                if line.startswith("data: "):
                    at, clock = time.perf_counter(), datetime.now(UTC)
                    coming.put((json.loads(line.removeprefix("data: ")), at, clock))

    threading.Thread(target=read, daemon=True).start()
    opened.wait(10)
    yield coming


def _next(
    coming: "queue.Queue[tuple[dict[str, Any], float, datetime]]", type_: str
) -> tuple[dict[str, Any], float, datetime]:
    while True:
        event, at, clock = coming.get(timeout=20)
        if event["type"] == type_:
            return event, at, clock
