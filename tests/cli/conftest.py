"""A server at the wire: what it answers is written in the test, what it was asked is kept."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner, Result

from signoff.cli import app
from signoff.cli.api_client import Api, Connection
from signoff.cli.terminal.keyboard import GivenUp

RUN_ID = "01982c00-0000-7000-8000-000000000001"
ASK_ID = "01982c00-0000-7000-8000-000000000002"
AT = "2026-01-01T10:00:00+00:00"


def a_run(**given: Any) -> dict[str, Any]:
    return {
        "id": RUN_ID,
        "agent": "writer",
        "agent_name": "writer",
        "agent_revision": 1,
        "title": "Write a report",
        "task": "Write a report about bees",
        "status": "running",
        "completion_reason": None,
        "error": None,
        "progress": None,
        "output": None,
        "iterations": 3,
        "cost_credits": 1.5,
        "tokens": {"input": 10, "output": 20},
        "project_id": None,
        "clarification": {"exchanges": 0, "max_exchanges": 0},
        "open_asks": 0,
        "created_by": "ada@example.com",
        "created_at": AT,
        "duration_seconds": 12.0,
    } | given


def an_ask(**given: Any) -> dict[str, Any]:
    return {
        "id": ASK_ID,
        "kind": "approval",
        "status": "pending",
        "run_id": RUN_ID,
        "run_title": "Write a report",
        "agent": "writer",
        "agent_name": "writer",
        "title": "Write report.md",
        "description": "",
        "tool": "write_file",
        "arguments": {"path": "report.md", "content": "bees"},
        "risk": {"level": "high", "reasons": ["it writes a file"]},
        "rule": None,
        "confidence": 0.8,
        "reasoning": "the report is ready",
        "response_type": None,
        "options": None,
        "schema": None,
        "blocking": True,
        "default": None,
        "deadline": None,
        "on_timeout": None,
        "created_at": AT,
        "settled_by": None,
    } | given


class Typed:
    """Fingers that type what the test says; `asked` keeps the questions that got a line."""

    def __init__(self, keys: str = "", lines: Sequence[str | None] = ()) -> None:
        self.keys, self.lines, self.asked = list(keys), list(lines), list[str]()

    def key(self) -> str:
        if not self.keys:
            raise GivenUp
        if (pressed := self.keys.pop(0)) == "\x04":
            raise EOFError
        return pressed

    def line(self, prompt: str) -> str:
        self.asked.append(prompt)
        if (line := self.lines.pop(0)) is None:
            raise EOFError
        return line


def page(*items: Any) -> dict[str, Any]:
    return {"items": list(items), "next_cursor": None, "total": len(items)}


def problem(status: int, detail: str, **more: Any) -> httpx.Response:
    body = {"type": "about:blank", "title": "No", "status": status, "detail": detail, "code": "x"} | more
    return httpx.Response(status, json=body, headers={"content-type": "application/problem+json"})


def sse(*events: tuple[int | None, str, dict[str, Any]]) -> httpx.Response:
    def one(number: int | None, kind: str, data: dict[str, Any]) -> str:
        body = json.dumps({"id": number, "type": kind, "run_id": RUN_ID, "at": AT, "data": data})
        return (f"id: {number}\n" if number else "") + f"data: {body}\n\n"

    return httpx.Response(
        200, text="".join(one(*event) for event in events), headers={"content-type": "text/event-stream"}
    )


@dataclass
class Wire:
    """`wire.on("GET", "/api/runs", answer)`: each answer is given once, the last one again and again."""

    answers: dict[tuple[str, str], list[Any]] = field(default_factory=dict[tuple[str, str], list[Any]])
    requests: list[httpx.Request] = field(default_factory=list[httpx.Request])

    def on(self, method: str, path: str, *answers: Any) -> None:
        self.answers[method, path] = list(answers)

    def body(self, method: str, path: str) -> Any:
        """What was last sent there."""
        return json.loads([r for r in self.requests if r.method == method and r.url.path == path][-1].content)

    def handle(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        left = self.answers.get((request.method, request.url.path))
        if not left:
            return problem(404, f"nothing at {request.method} {request.url.path}")
        answer = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx.Response) else httpx.Response(200, json=answer)

    @property
    def transport(self) -> httpx.MockTransport:
        return httpx.MockTransport(self.handle)


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    for name in ("SIGNOFF_URL", "SIGNOFF_PORT", "SIGNOFF_TOKEN", "SIGNOFF_DATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture
def api(wire: Wire) -> Api:
    return Connection(transport=wire.transport).open()


@pytest.fixture
def signoff(wire: Wire) -> Callable[..., Result]:
    def invoke(*args: str, input: str | None = None) -> Result:
        return CliRunner().invoke(app, list(args), input=input, obj=Connection(transport=wire.transport))

    return invoke
