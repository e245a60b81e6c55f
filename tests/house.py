"""The whole product in this process, on a real port, for tests through the API."""

import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

import httpx
import uvicorn

from signoff import main
from signoff.engine.context import CrashPoint, pass_by
from signoff.kit.db.database import Commit
from signoff.kit.settings import Settings
from tests.joining import join
from tests.ports import free_port
from tests.wire import Model

T = TypeVar("T")
ENDED = {"completed", "failed", "cancelled", "timeout"}
# What another process writes, or what is no row, is seen after this time.
LOOK_AGAIN_SECONDS = 0.25


def until(look: Callable[[], T | None], seconds: float = 60.0) -> T:
    """Wait until `look` finds something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError("waited in vain")


class Commits:
    """Counts what this process commits, and lets others wait for more."""

    def __init__(self) -> None:
        self.count = 0
        self._changed = threading.Condition()

    def add(self, _: Commit) -> None:
        """Called by the thread that committed, so it only counts."""
        with self._changed:
            self.count += 1
            self._changed.notify_all()

    def wait_for_more_than(self, count: int, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self.count > count, seconds)


class House:
    """Started with `with`; `client` speaks for the admin."""

    def __init__(self, settings: Settings, model: Model, crash_point: CrashPoint = pass_by) -> None:
        port = free_port()
        self.settings = settings.model_copy(update={"port": port})
        self.model = model
        self.parts = main.assemble(self.settings, crash_point)
        self._commits = Commits()
        self.parts.db.listeners.append(self._commits.add)
        # Of the link that is printed at the first start.
        self.secret = main.prepare(self.parts)
        config = main.server_config(self.parts)
        config.timeout_graceful_shutdown = 1
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self.url = f"http://127.0.0.1:{port}"
        self._clients: list[httpx.Client] = []
        self.client = self.client_for(settings.token)

    def __enter__(self) -> "House":
        self._thread.start()
        until(lambda: self._server.started)
        return self

    def __exit__(self, *_: object) -> None:
        for client in self._clients:
            client.close()
        self._server.should_exit = True
        self._thread.join(20)
        self.parts.db.close()

    def until(self, look: Callable[[], T | None], seconds: float = 60.0) -> T:
        """Wait until `look` finds something; it looks again after each commit."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            # Counted before the look: a commit during it is a reason to look again.
            count = self._commits.count
            if found := look():
                return found
            self._commits.wait_for_more_than(count, LOOK_AGAIN_SECONDS)
        raise AssertionError("waited in vain")

    def client_for(self, token: str) -> httpx.Client:
        headers = {"Authorization": f"Bearer {token}"}
        client = httpx.Client(base_url=self.url, headers=headers, timeout=30, verify=False)
        self._clients.append(client)
        return client

    def member(self, role: str, email: str | None = None) -> httpx.Client:
        """A new person with this role, who accepted an invitation and made a token of their own."""
        email = email or f"{role}-{time.monotonic_ns()}@example.org"
        return self.client_for(join(self.client, email, role))

    def get(self, path: str, **params: Any) -> Any:
        response = self.client.get(path, params=params)
        assert response.status_code == 200, response.text
        return response.json()

    def post(self, path: str, body: Any = None, status: int = 200, **headers: str) -> Any:
        response = self.client.post(path, json=body if body is not None else {}, headers=headers)
        assert response.status_code == status, response.text
        return response.json()

    def agent(self, slug: str, model: str, *tools: str, **fields: Any) -> str:
        """Make an agent; returns its slug."""
        self.post("/api/agents", {"slug": slug, "name": slug, "model": model, "tools": list(tools), **fields}, 201)
        return slug

    def start(self, agent: str, task: str = "do it", **fields: Any) -> str:
        """Start a run; returns its id."""
        return self.post("/api/runs", {"agent": agent, "task": task, **fields}, 201)["id"]

    def run(self, run_id: str) -> dict[str, Any]:
        return self.get(f"/api/runs/{run_id}")

    def ended(self, run_id: str) -> dict[str, Any]:
        """Wait for the end of a run."""
        return self.until(lambda: found if (found := self.run(run_id))["status"] in ENDED else None)

    def status(self, run_id: str, status: str) -> dict[str, Any]:
        """Wait until a run has this status."""
        return self.until(lambda: found if (found := self.run(run_id))["status"] == status else None)

    def ask(self, run_id: str) -> dict[str, Any]:
        """Wait for the run's next open ask."""
        return self.until(lambda: self.asks(run_id))[0]

    def asks(self, run_id: str) -> list[dict[str, Any]]:
        return self.get("/api/asks", run=run_id, status="pending", limit=200)["items"]

    def answer(self, ask: dict[str, Any], decision: str = "approve", status: int = 200, **fields: Any) -> Any:
        return self.post(f"/api/asks/{ask['id']}/answer", {"decision": decision, **fields}, status)

    def calls(self, run_id: str) -> list[dict[str, Any]]:
        return self.get(f"/api/runs/{run_id}/calls", limit=200)["items"]

    def messages(self, run_id: str) -> list[dict[str, Any]]:
        return self.get(f"/api/runs/{run_id}/messages", limit=200)["items"]
