"""Schedules, from the terminal."""

from collections.abc import Callable
from typing import Any

from typer.testing import Result

from tests.cli.conftest import AT, Wire, a_run, page, problem

Signoff = Callable[..., Result]
ID = "01982c00-0000-7000-8000-000000000009"
SCHEDULE: dict[str, Any] = {
    "id": ID,
    "name": None,
    "agent": "researcher",
    "workflow": None,
    "cron": "0 9 * * 1-5",
    "in_words": "At 09:00 on Monday through Friday",
    "timezone": "Europe/Berlin",
    "enabled": True,
    "disabled_reason": None,
    "next_at": "2999-01-01T08:00:00+00:00",
    "next_runs": ["2999-01-01T08:00:00+00:00", "2999-01-02T08:00:00+00:00"],
    "last_run_status": "completed",
    "last_error": None,
    "created_at": AT,
}


def test_they_are_listed_with_their_times_and_what_went_wrong(signoff: Signoff, wire: Wire) -> None:
    off = SCHEDULE | {"name": "News", "next_at": None, "disabled_reason": "It failed 5 times in a row: no agent"}
    wire.on("GET", "/api/schedules", page(SCHEDULE, off))
    said = signoff("schedules", "list").stdout
    assert "At 09:00 on Monday through Friday (Europe/Berlin)" in said
    assert "It failed 5 times in a row" in said
    wire.on("GET", "/api/schedules", page())
    assert "signoff schedules add" in signoff("schedules", "list").stdout


def test_one_is_added_and_says_when_it_runs(signoff: Signoff, wire: Wire) -> None:
    wire.on("POST", "/api/schedules", SCHEDULE)
    when = ("--cron", "0 9 * * 1-5", "--timezone", "Europe/Berlin")
    said = signoff("schedules", "add", "researcher", "Collect news", *when, "--input", '{"n": 1}').stdout
    assert wire.body("POST", "/api/schedules") == {
        "agent": "researcher",
        "task": "Collect news",
        "cron": "0 9 * * 1-5",
        "timezone": "Europe/Berlin",
        "input": {"n": 1},
    }
    assert "2999-01-0" in said
    wire.on("POST", "/api/schedules", problem(422, "cron: needs five fields"))
    refused = signoff("schedules", "add", "researcher", "x", "--cron", "9")
    assert (refused.exit_code, "five fields" in refused.stderr) == (1, True)
    assert "no JSON" in signoff("schedules", "add", "researcher", "x", *when, "--input", "{").stderr


def test_one_is_paused_resumed_run_and_removed_by_the_beginning_of_its_id(signoff: Signoff, wire: Wire) -> None:
    wire.on("GET", "/api/schedules", page(SCHEDULE))
    wire.on("PATCH", f"/api/schedules/{ID}", SCHEDULE)
    wire.on("POST", f"/api/schedules/{ID}/run-now", a_run())
    wire.on("DELETE", f"/api/schedules/{ID}", {})
    assert "is paused" in signoff("schedules", "pause", ID[:-2]).stdout
    assert wire.body("PATCH", f"/api/schedules/{ID}") == {"enabled": False}
    assert "runs next at 2999-01-01" in signoff("schedules", "resume", ID).stdout
    assert wire.body("PATCH", f"/api/schedules/{ID}") == {"enabled": True}
    assert "signoff runs follow" in signoff("schedules", "run", ID).stdout
    assert signoff("schedules", "remove", ID).exit_code == 0
