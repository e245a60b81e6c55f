"""Every kind of ask and the rules, against a real server and in a real terminal."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.cli.real_terminal import TOKEN, Server, Terminal, wait_until
from tests.joining import join
from tests.wire import Model, ModelServer, call, says

FORM = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "days": {"type": "integer", "maximum": 30}},
    "required": ["name", "days"],
}
STEPS = [{"id": name, "tool": "write_file", "arguments": {"path": name, "content": "x"}} for name in ("one", "two")]


def write(path: str) -> dict[str, Any]:
    return call("write_file", {"path": path, "content": "Hello"})


def ask(kind: str, question: str, **fields: Any) -> dict[str, Any]:
    return call("ask_question", {"question": question, "type": "blocking", "responseType": kind, **fields})


SCRIPTS = {
    "planner": [says("", call("propose_plan", {"steps": STEPS}))],
    "asker": [says("", ask("form", "About the customer", schema=FORM)), says("", ask("text", "Why?", followUp=True))],
    "writer": [says("", *(write(f"{n}.txt") for n in range(3)))],
    "pair": [says("", write("shared.txt"))],
    "usual": [says("", *(write(f"{n}.txt") for n in range(12)))],
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    model = Model()
    wire = ModelServer(model)
    folder = tmp_path_factory.mktemp("server")
    editor = folder / "editor"
    editor.write_text('#!/bin/sh\nsed -i \'s/"x"/"y"/\' "$1"\n')
    editor.chmod(0o700)
    server = Server(folder / "data")
    server.env |= {"OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": "x", "SIGNOFF_DEMO": "false", "EDITOR": str(editor)}
    server.start()
    for name, answers in SCRIPTS.items():
        mode = "mode: plan\n" if name == "planner" else ""
        text = f"slug: {name}\nname: {name}\nmodel: {model.script(name, *answers)}\ntools: [write_file]\n{mode}"
        assert server.cli("agents", "apply", "-", input=text).exit_code == 0
    yield server
    server.process.terminate()
    server.process.wait(15)
    wire.close()


def started(server: Server, agent: str, asks: int = 1) -> tuple[str, list[dict[str, Any]]]:
    """A run that waits, and its open asks."""
    run = json.loads(server.cli("run", "go", "--agent", agent, "--detach", "--json").stdout)["id"]
    found: list[dict[str, Any]] = []

    def waits() -> bool:
        found[:] = server.get(f"/api/runs/{run}/asks?status=pending")["items"]
        return len(found) == asks

    wait_until(waits)
    return run, found


def answer_of(server: Server, ask: dict[str, Any]) -> Any:
    return server.get(f"/api/asks/{ask['id']}")["answer"]


@pytest.mark.slow
def test_a_plan_is_reviewed_step_by_step(server: Server):
    _, [plan] = started(server, "planner")
    terminal = Terminal(server, "answer", plan["id"])
    terminal.wait_for("[q]uit")
    terminal.type("e")
    terminal.wait_for("Which step?")
    terminal.type("2\r")
    terminal.wait_for("+ y")
    terminal.wait_for("keep this")
    terminal.type("y")
    terminal.wait_for("[q]uit")
    terminal.type("c")
    terminal.wait_for("Which steps?")
    terminal.type("2\r")
    terminal.wait_for("left out")
    terminal.wait_for("approve these")
    terminal.type("y")
    terminal.wait_for("approved by")
    assert terminal.code() == 0
    [step] = answer_of(server, plan)["steps"]
    assert (step["id"], step["arguments"]) == ("two", {"path": "two", "content": "y"})


def test_a_form_is_filled_in_and_its_follow_up_shows_the_thread(server: Server):
    run, [form] = started(server, "asker")
    terminal = Terminal(server, "runs", "follow", run)
    terminal.wait_for("answe[r]")
    terminal.type("r")
    terminal.wait_for("name (text): ")
    terminal.type("ACME\r")
    terminal.wait_for("days (whole number): ")
    terminal.type("90\r")
    terminal.wait_for("greater than the maximum")
    terminal.wait_for("days (whole number): ")
    terminal.type("9\r")
    terminal.wait_for("send this")
    terminal.type("y")
    terminal.wait_for('before: About the customer → answered by signoff-token@localhost: name="ACME" days=9')
    terminal.wait_for("Enter to go back")
    terminal.type("Because\r")
    terminal.wait_for("completed ·")
    assert terminal.code() == 0
    assert answer_of(server, form)["value"] == {"name": "ACME", "days": 9}


def test_what_is_alike_is_decided_together(server: Server):
    _, asks = started(server, "writer", 3)
    terminal = Terminal(server, "inbox", "--agent", "writer")
    terminal.wait_for("Similar: 2 more like this")
    terminal.wait_for("[q]uit")
    terminal.type("d")
    terminal.wait_for("Reason?")
    terminal.type("not today\r")
    terminal.wait_for("apply to all 2")
    terminal.type("y")
    terminal.wait_for("any other key sends it now")
    terminal.type("u")
    terminal.wait_for("Undone.")
    terminal.wait_for("[q]uit")
    assert [server.get(f"/api/asks/{each['id']}")["status"] for each in asks] == ["pending"] * 3
    terminal.type("d")
    terminal.wait_for("Reason?")
    terminal.type("not today\r")
    terminal.wait_for("apply to all 2")
    terminal.type("y")
    terminal.wait_for("any other key sends it now")
    terminal.type("\r")
    terminal.wait_for("3 answered. Nothing is left.")
    assert terminal.code() == 0
    assert [answer_of(server, each)["note"] for each in asks] == ["not today"] * 3


def test_what_another_signer_changed_is_looked_at_again(server: Server, tmp_path: Path):
    rules = "checkpoints: [{name: By two, trigger: {agent: pair}, action: {require_approval_count: 2}}]\n"
    (tmp_path / "rules.yaml").write_text(rules)
    assert server.cli("rules", "save", str(tmp_path / "rules.yaml")).exit_code == 0
    admin = {"Authorization": f"Bearer {TOKEN}"}
    with httpx.Client(base_url=server.url, headers=admin, trust_env=False, timeout=40) as root:
        ada, bob = (join(root, f"{name}@example.org", "approver") for name in ("ada", "bob"))

    _, [shared] = started(server, "pair")
    terminal = Terminal(server, "answer", shared["id"], token=bob)
    terminal.wait_for("0 of 2 signed")
    terminal.wait_for("[q]uit")
    changed = json.dumps({"path": "shared.txt", "content": "Goodbye"})
    signed = server.cli("answer", shared["id"], "approve", "--arguments", "-", input=changed, token=ada)
    assert "(1 of 2 signed: ada@example.org)" in signed.stdout
    terminal.type("a")
    terminal.wait_for("changed since you opened it")
    terminal.wait_for("+ Goodbye")
    terminal.wait_for("1 of 2 signed: ada@example.org")
    terminal.wait_for("[q]uit")
    terminal.type("a")
    terminal.wait_for("approved by")
    assert terminal.code() == 0
    assert answer_of(server, shared)["arguments"]["content"] == "Goodbye"


@pytest.mark.slow
def test_rules_are_checked_tried_saved_and_stopped(server: Server, tmp_path: Path):
    _, asks = started(server, "usual", 12)
    answered = server.cli("answer", asks[0]["id"], "approve", "--alike")
    assert answered.stdout.count("✓ approved") == 11
    wait_until(lambda: server.get(f"/api/runs/{asks[0]['run_id']}")["status"] == "completed")

    suggested = server.cli("rules", "suggestions").stdout
    assert "Approved 12 of 12 times. Of the last 12 decisions it would have saved 12" in suggested
    assert "+    - name: Auto-approve write_file by usual" in suggested
    before = server.get("/api/rules")["version"]
    accepted = server.cli("rules", "suggestions", "--accept", "usual:write_file")
    assert f"Saved as version {before + 1}" in accepted.stdout

    draft = tmp_path / "draft.yaml"
    draft.write_text(server.cli("rules", "show").stdout)
    assert server.cli("rules", "save", str(draft)).stdout.startswith("Nothing changed")
    assert server.cli("rules", "check", str(draft)).exit_code == 0
    replay = server.cli("rules", "simulate", str(draft), "--since", "1h").stdout
    assert "12 saved" in replay
    late = server.cli("rules", "save", str(draft), "--based-on", str(before))
    assert late.exit_code == 1
    assert f"signoff-token@localhost saved version {before + 1} in the meantime" in late.stderr

    draft.write_text("checkpoints: [{name: x, trigger: {tols: y}, action: ask}]\n")
    wrong = server.cli("rules", "save", str(draft))
    assert wrong.exit_code == 1
    assert f"{draft}:1:35: unknown key `tols`" in wrong.stdout

    assert "AUTO-APPROVALS ARE STOPPED" in server.cli("rules", "stop").stdout
    assert "AUTO-APPROVALS ARE STOPPED" in server.cli("rules", "show").stderr
    assert "on again" in server.cli("rules", "stop", "--off").stdout
    assert server.cli("rules", "versions").stdout.splitlines()[1].startswith(str(before + 1))
