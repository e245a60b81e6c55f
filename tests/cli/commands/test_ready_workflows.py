"""The workflows that ship, from the terminal, against a real server at its first start."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from signoff.cli import app
from signoff.cli.api_client import Connection
from signoff.kit.settings import Settings
from tests.house import House
from tests.wire import Model

REFUND = {
    "customer_name": "John Doe",
    "order_id": "12345",
    "order_total": 99.99,
    "currency": "USD",
    "reason": "The left ear stays silent.",
}


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    data = tmp_path_factory.mktemp("ready-cli") / "data"
    with House(Settings(data=data, token="ready-admin-token-0123456789abcdef"), Model()) as house:
        yield house


def signoff(house: House, *args: str) -> Result:
    there = Connection(house.url, house.settings.token)
    return CliRunner().invoke(app, ["workflows", *args], obj=there)


def test_the_triage_and_the_report_are_run_and_watched(ready: House, tmp_path: Path):
    assert "ticket-triage" in signoff(ready, "list").stdout
    watched = signoff(ready, "run", "ticket-triage", "--input", '{"ticket": "CS-1234: a refund, please"}', "--watch")
    assert watched.exit_code == 0, watched.stderr
    assert "3 of 3" in watched.stdout
    given = tmp_path / "report.json"
    given.write_text('{"month": "May", "teams": [{"team": "Sales", "opened": 1, "closed": 2}]}')
    watched = signoff(ready, "run", "monthly-report", "--input", f"@{given}", "--watch")
    assert watched.exit_code == 0, watched.stderr
    assert "2 of 2" in watched.stdout


@pytest.mark.parametrize(("decision", "status"), [("approve", "completed"), ("deny", "cancelled")])
def test_a_refund_goes_on_or_ends_as_a_person_says(ready: House, decision: str, status: str):
    started = signoff(ready, "run", "customer-refund", "--input", json.dumps(REFUND), "--json")
    run = json.loads(started.stdout)["id"]
    checkpoint = ready.ask(run)
    if decision == "approve":
        ready.answer(checkpoint, arguments=checkpoint["arguments"] | {"amount": 50})
        steps = ready.until(
            lambda: [each for each in ready.run(run)["steps"] if each["id"] == "send" and each["run_id"]]
        )
        sending = ready.ask(steps[0]["run_id"])
        assert "$50.00" in sending["arguments"]["text"]
        ready.answer(sending)
    else:
        ready.answer(checkpoint, "deny", note="Refund amount exceeds policy limit")
    assert ready.ended(run)["status"] == status
    watched = signoff(ready, "watch", run)
    assert ("✓ Send it 3 of 3" in watched.stdout) == (status == "completed"), watched.stdout


def test_a_support_case_starts_its_two_workflows(ready: House):
    started = signoff(ready, "run", "support-case", "--input", '{"ticket": "IT-77: my VPN is down"}', "--watch")
    assert started.exit_code == 0, started.stderr
    assert "2 of 2" in started.stdout
