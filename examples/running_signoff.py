"""Signoff on a folder that is thrown away afterwards, and the few requests that every example makes."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

TOKEN = "a-token-for-the-examples"  # noqa: S105
ENDED = ("completed", "failed", "cancelled", "timeout")


class Signoff:
    """A server that runs. `http` is an ordinary client for its API."""

    def __init__(self, url: str) -> None:
        self.http = httpx.Client(base_url=url, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=30)

    def get(self, path: str, **params: Any) -> Any:
        return self.http.get(path, params=params).raise_for_status().json()

    def post(self, path: str, **body: Any) -> Any:
        return self.http.post(path, json=body).raise_for_status().json()

    def start(self, task: str, tools: list[str], **more: Any) -> str:
        """Make an agent with these tools and give it a task. Returns the id of the run."""
        self.post("/api/agents", slug="worker", name="Worker", model="openai-chat:scripted", tools=tools)
        return self.post("/api/runs", agent="worker", task=task, **more)["id"]

    def next_ask(self, run: str) -> dict[str, Any]:
        """Wait until the run needs a person."""
        return _until(lambda: self.get("/api/asks", run=run, status="pending")["items"])[0]

    def approve(self, ask: dict[str, Any], **changes: Any) -> None:
        """Answer as the approver. `digest` says what was seen, so nothing else is approved by it."""
        self.post(f"/api/asks/{ask['id']}/answer", decision="approve", digest=ask["digest"], **changes)

    def ended(self, run: str) -> dict[str, Any]:
        """Wait for the end of the run."""
        return _until(lambda: found if (found := self.get(f"/api/runs/{run}"))["status"] in ENDED else None)

    def calls(self, run: str) -> list[dict[str, Any]]:
        """What the agent did, in order."""
        return self.get(f"/api/runs/{run}/calls")["items"]

    def begun(self, run: str, step: str) -> str:
        """Wait until a step of a workflow has begun. Returns the id of the run that does it."""
        look = f"/api/runs/{run}/steps"
        found = _until(lambda: [each for each in self.get(look)["items"] if each["id"] == step and each["run_id"]])
        return found[0]["run_id"]

    def finished(self, run: str, call: str) -> dict[str, Any]:
        """Wait for the end of one call."""
        found = _until(lambda: [each for each in self.calls(run) if each["id"] == call and each["ended_at"]])
        return found[0]

    def upload(self, name: str, content: str) -> str:
        """A file for a run that is about to start. Returns its id."""
        answer = self.http.post("/api/files", files={"files": (name, content.encode())})
        return answer.raise_for_status().json()["items"][0]["id"]


@contextmanager
def running_signoff(model_url: str, *tool_files: Path) -> Iterator[Signoff]:
    """Start `signoff serve` with this model and these files of own tools; it ends with the block."""
    with tempfile.TemporaryDirectory(prefix="signoff-example-") as folder:
        data, port = Path(folder) / "data", _free_port()
        for file in tool_files:
            place = data / "tools" / file.name
            place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            place.write_text(file.read_text())
            # Whoever can write a tool can do all that the server can, so it takes no file that others can write.
            place.chmod(0o600)
        environment = os.environ | {
            "SIGNOFF_TOKEN": TOKEN,
            "OPENAI_BASE_URL": model_url,
            "OPENAI_API_KEY": "none",
        }
        command = [sys.executable, "-m", "signoff", "serve", "--data", str(data), "--port", str(port), "--no-demo"]
        with (Path(folder) / "server.log").open("w+") as log:
            server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)  # noqa: S603
            try:
                signoff = Signoff(f"http://127.0.0.1:{port}")
                _until(lambda: _is_ready(signoff, server))
                yield signoff
            except BaseException:
                log.seek(0)
                print(log.read(), file=sys.stderr)
                raise
            finally:
                server.terminate()
                server.wait(20)


def _is_ready(signoff: Signoff, server: subprocess.Popen[bytes]) -> bool:
    if server.poll() is not None:
        raise RuntimeError("Signoff did not start.")
    try:
        return signoff.http.get("/readyz").status_code == 200
    except httpx.TransportError:
        return False


def _until(look: Callable[[], Any], seconds: float = 60) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.05)
    raise TimeoutError(f"Waited {seconds:g} seconds in vain.")


def _free_port() -> int:
    with socket.socket() as any_socket:
        any_socket.bind(("127.0.0.1", 0))
        return any_socket.getsockname()[1]
