"""Workflows, from the terminal, against a real server."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner, Result

from signoff.cli import app
from signoff.cli.api_client import Connection
from signoff.cli.commands import follow
from tests.house import House
from tests.wire import call, says

Signoff = Callable[..., Result]
TEXT = """\
slug: cli-triage
name: Triage from files
# What people send.
input_schema: {type: object, properties: {ticket: {type: string}}, required: [ticket]}
steps:
  - id: analyze
    agent: cli-analyzer
  - id: solve
    agent: cli-solver
    checkpoint: before
    name: Solve it
"""
WRONG = TEXT.replace("agent: cli-solver", "agent: cli-solvr").replace("checkpoint: before", "needs: [analyse]")


@pytest.fixture
def kind() -> str:
    return "sqlite"


@pytest.fixture
def builder(house: House) -> House:
    for slug, output in (("cli-analyzer", {"priority": 3}), ("cli-solver", {"solution": "restart"})):
        reply = says("", call("complete_task", {"summary": "done", "output": output}))
        house.agent(slug, house.model.play(slug, lambda _request, reply=reply: reply))
    return house


@pytest.fixture
def signoff(builder: House) -> Signoff:
    there = Connection(builder.url, builder.settings.token)
    return lambda *args, **given: CliRunner().invoke(app, ["workflows", *args], obj=there, **given)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "triage.yaml"
    file.write_text(TEXT)
    return file


def test_every_problem_is_shown_at_its_place_and_is_the_one_of_the_api(signoff: Signoff, house: House, file: Path):
    file.write_text(WRONG)
    refused = signoff("validate", str(file))
    assert refused.exit_code == 1
    assert f"{file}:9:5: step solve, agent: There is no agent 'cli-solvr'. Did you mean 'cli-solver'?" in refused.stdout
    assert f"{file}:10:5: step solve, needs: There is no step 'analyse'. Did you mean 'analyze'?" in refused.stdout
    assert "2 problems" in refused.stderr
    for each in house.post("/api/workflows/validate", {"yaml": WRONG})["errors"]:
        assert each["message"] in refused.stdout
    assert signoff("save", str(file)).exit_code == 1
    assert house.client.get("/api/workflows/cli-triagr").status_code == 404


def test_what_is_no_yaml_is_pointed_at_too(signoff: Signoff):
    refused = signoff("validate", "-", input="slug: x\nsteps: [")
    assert (refused.exit_code, "<stdin>:" in refused.stdout) == (1, True)
    assert "Cannot read" in signoff("validate", "nowhere.yaml").stderr


def test_a_workflow_goes_from_file_to_versions_and_back(signoff: Signoff, file: Path):
    assert "is valid" in signoff("validate", str(file)).stdout
    file.write_text(TEXT.replace("cli-triage", "cli-versions"))
    assert "saved as version 1, deployed" in signoff("save", str(file)).stdout
    assert "unchanged: version 1" in signoff("save", str(file)).stdout
    file.write_text(file.read_text().replace("before", "after"))
    assert "saved as version 2, still a draft" in signoff("save", str(file), "--draft").stdout
    assert "cli-versions" in signoff("list").stdout
    assert signoff("show", "cli-versions").stdout == file.read_text()
    changed = signoff("diff", "cli-versions", "1", "2").stdout
    assert "-    checkpoint: before" in changed
    assert "+    checkpoint: after" in changed
    assert "Version 2" in signoff("deploy", "cli-versions").stdout
    assert "draft 3" in signoff("restore", "cli-versions", "1").stdout
    listed = json.loads(signoff("versions", "cli-versions", "--json").stdout)
    assert [(each["version"], each["deployed"]) for each in listed] == [(3, False), (2, True), (1, False)]
    assert "Version 1" in signoff("deploy", "cli-versions", "--version", "1").stdout
    assert signoff("delete", "cli-versions", "--yes").exit_code == 0
    assert signoff("show", "cli-versions").exit_code == 1


def test_a_run_is_watched_step_by_step_and_says_where_it_waits(signoff: Signoff, house: House, file: Path):
    signoff("save", str(file))
    given = file.parent / "input.json"
    given.write_text('{"ticket": "My VPN is down"}')
    run: dict[str, Any] = json.loads(signoff("run", "cli-triage", "--input", f"@{given}", "--json").stdout)
    ask = house.ask(run["id"])
    house.answer(ask)
    house.ended(run["id"])
    watched = signoff("watch", run["id"])
    assert watched.exit_code == 0, watched.stderr
    said = [line for line in watched.stdout.splitlines() if " of 2" in line]
    assert said == [
        "▸ analyze 0 of 2",
        "✓ analyze 1 of 2",
        "◆ Solve it waits for a person 1 of 2",
        "▸ Solve it 1 of 2",
        "✓ Solve it 2 of 2",
    ]


def test_what_a_step_asks_is_shown_with_the_way_to_answer(
    signoff: Signoff, house: House, monkeypatch: pytest.MonkeyPatch
):
    asks = says("", call("ask_question", {"question": "Which site?", "type": "blocking", "responseType": "text"}))
    done = says("", call("complete_task", {"summary": "done", "output": {"site": "Berlin"}}))
    house.agent("cli-asker", house.model.script("cli-asker", asks, done))
    steps = [{"id": "ask", "agent": "cli-asker"}]
    house.post("/api/workflows", {"slug": "cli-asks", "name": "Asks", "steps": steps}, 201)

    def answered(_text: str, command: str, **_: Any) -> None:
        if command.startswith("signoff answer "):
            hinted.append(command)
            house.answer(house.get(f"/api/asks/{command.split()[-1]}"), "respond", value="Berlin")

    hinted = list[str]()
    monkeypatch.setattr(follow, "hint", answered)
    watched = signoff("run", "cli-asks", "--watch")
    assert watched.exit_code == 0, watched.stderr
    assert "Which site?" in watched.stdout
    assert len(hinted) == 1


def test_a_wrong_input_is_refused_with_its_place(signoff: Signoff, file: Path):
    signoff("save", str(file))
    refused = signoff("run", "cli-triage", "--input", '{"ticket": 5}')
    assert refused.exit_code == 1
    assert "input.ticket" in refused.stderr
    assert "no JSON" in signoff("run", "cli-triage", "--input", "{").stderr
    assert "JSON object" in signoff("run", "cli-triage", "--input", "[]").stderr


def test_a_webhook_is_turned_on_with_its_secret_and_off(signoff: Signoff, builder: House, file: Path):
    assert signoff("save", str(file)).exit_code == 0
    shown = signoff("hook", "cli-triage")
    assert shown.exit_code == 0, shown.output
    assert f"{builder.settings.base_url}/hooks/workflows/cli-triage" in shown.output.replace("\n", "")
    made = json.loads(signoff("hook", "cli-triage", "--json").stdout)
    headers = {"Authorization": f"Bearer {made['secret']}"}
    started = httpx.post(f"{builder.url}/hooks/workflows/cli-triage", json={"ticket": "1"}, headers=headers)
    assert started.status_code == 202, started.text
    assert signoff("hook", "cli-triage", "--off").exit_code == 0
    assert httpx.post(f"{builder.url}/hooks/workflows/cli-triage", json={}, headers=headers).status_code == 401
