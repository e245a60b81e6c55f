"""Agents that ask for whatever a test wants: a scripted model at the other end of the wire."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from tests.wire import Model, ModelServer, call, says

REPORT = "# Competitors\n\nAcme leads on price.\n\n- Beta is late\n- Gamma is new\n"
FORM = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 2, "description": "As it should be printed"},
        "copies": {"type": "integer", "minimum": 1},
        "colour": {"type": "string", "enum": ["black", "blue"]},
    },
    "required": ["name", "copies"],
}
OPTIONS = [
    {"id": "fast", "label": "Fast", "value": "fast", "description": "Two days, a little more expensive."},
    {"id": "cheap", "label": "Cheap", "value": "cheap", "description": "Two weeks."},
]
STEPS = [
    {"id": "1", "tool": "write_file", "arguments": {"path": "plan.md", "content": REPORT}, "purpose": "Write it down"},
    {
        "id": "2",
        "tool": "move_file",
        "arguments": {"path": "draft.md", "to": "sent.md"},
        "purpose": "Put the draft away",
    },
    {"id": "3", "tool": "delete_file", "arguments": {"path": "old.md"}, "purpose": "Remove the old one"},
]


def question(text: str, response_type: str, **fields: Any) -> dict[str, Any]:
    return call("ask_question", {"question": text, "type": "blocking", "responseType": response_type, **fields})


def write(path: str, **fields: Any) -> dict[str, Any]:
    why = {"_reasoning": "The figures are complete, so the report can be kept.", "_confidence": 0.87}
    return call("write_file", {"path": path, "content": REPORT, **why, **fields})


ASKING: dict[str, list[dict[str, Any]]] = {
    "approval": [write("report.md")],
    "text": [question("Who should sign the letter?", "text", context="The letter goes to Acme.")],
    "choice": [question("How should it be sent?", "choice", options=OPTIONS, defaultResponse="cheap")],
    "boolean": [question("Include the figures of last year?", "boolean")],
    "yes_or_no": [question("May I use the archive?", "approval", type="approval")],
    "number": [question("How many copies?", "number", defaultResponse=3)],
    "form": [question("What goes on the card?", "form", schema=FORM)],
    "clarification": [question("Which market do you mean?", "text")],
    "plan": [call("propose_plan", {"summary": "Three steps to the letter.", "steps": STEPS})],
    "milestone": [call("request_review", {"phase": "draft", "summary": "The **draft** is ready.", "next": "Send it"})],
    "budget": [call("request_budget", {"credits": 50, "iterations": 7, "why": "There is more to read."})],
    "recovery": [question("The mirror does not answer.", "choice", type="error_recovery", options=OPTIONS)],
}
FIELDS: dict[str, dict[str, Any]] = {"plan": {"mode": "plan"}, "clarification": {"clarify": True}}
TOOLS = ["read_file", "write_file", "delete_file", "move_file"]


@dataclass
class Scripted:
    """Makes asks on a server, through its API."""

    client: httpx.Client
    model: Model

    def post(self, path: str, body: Any) -> Any:
        response = self.client.post(path, json=body)
        assert response.is_success, f"{path}: {response.status_code} {response.text}"
        return response.json()

    def get(self, path: str, **params: Any) -> Any:
        response = self.client.get(path, params=params)
        assert response.is_success, f"{path}: {response.status_code} {response.text}"
        return response.json()

    def start(self, *answers: dict[str, Any], task: str = "Write the letter", **fields: Any) -> str:
        """A run whose model says this, answer by answer; returns its id."""
        slug = f"clerk-{len(self.model.scripts)}"
        model = self.model.script(slug, *answers)
        self.post("/api/agents", {"slug": slug, "name": "Clerk", "model": model, "tools": TOOLS, **fields})
        return self.post("/api/runs", {"agent": slug, "task": task})["id"]

    def ask(self, run_id: str) -> dict[str, Any]:
        """Wait for the run's open ask."""
        until = time.monotonic() + 30
        while time.monotonic() < until:
            found = self.get("/api/asks", run=run_id, status="pending")["items"]
            if found:
                return found[0]
            time.sleep(0.05)
        raise AssertionError("the run never asked")

    def asking(self, kind: str) -> dict[str, Any]:
        """An open ask of this kind."""
        run = self.start(says("", *ASKING[kind]), **FIELDS.get(kind, {}))
        return self.ask(run)

    def settled(self, ask: dict[str, Any]) -> dict[str, Any]:
        """Wait until the ask is settled: a decision is held for a moment before it is sent."""
        return self.get(f"/api/asks/{ask['id']}", wait=30)

    @contextmanager
    def under_rules(self, yaml: str) -> Iterator[None]:
        """What is asked meanwhile is asked under these rules."""
        before = self.get("/api/rules")
        saved = self.client.put("/api/rules", json={"yaml": yaml, "version": before["version"]})
        assert saved.is_success, saved.text
        try:
            yield
        finally:
            now = self.get("/api/rules")
            self.client.put("/api/rules", json={"yaml": before["yaml"], "version": now["version"]})

    def clear(self) -> None:
        """End every run, so that nothing waits."""
        for run in self.get("/api/runs", limit=200)["items"]:
            if run["ended_at"] is None:
                self.client.post(f"/api/runs/{run['id']}/cancel", json={})


@contextmanager
def scripted_model() -> Iterator[Model]:
    model = Model()
    server = ModelServer(model)
    try:
        yield model
    finally:
        server.close()
