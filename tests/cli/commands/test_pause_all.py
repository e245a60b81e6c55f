"""Pausing everything from the terminal."""

from collections.abc import Callable

from typer.testing import Result

from tests.cli.conftest import AT, Wire, a_run, page

Signoff = Callable[..., Result]

ON = {"enabled": True, "by": "ada@example.org", "by_name": "Ada", "at": AT, "reason": "the bank calls", "held_runs": 3}
OFF = {"enabled": False, "by": None, "at": None, "reason": None, "held_runs": 0}


def test_pausing_everything_says_who_and_how_many_runs_are_held(wire: Wire, signoff: Signoff):
    wire.on("POST", "/api/pause-all", ON)
    result = signoff("pause-all", "--reason", "the bank calls")
    assert wire.body("POST", "/api/pause-all") == {"enabled": True, "reason": "the bank calls"}
    assert "EVERYTHING IS PAUSED by Ada since 2026-01-01" in result.stdout
    assert "Paused 3 runs" in result.stdout
    assert "signoff resume-all" in result.stdout + result.stderr


def test_resuming_everything_says_how_many_were_held_or_that_there_was_nothing_to_do(wire: Wire, signoff: Signoff):
    wire.on("GET", "/api/pause-all", ON, OFF)
    wire.on("POST", "/api/pause-all", OFF)
    assert "Resumed 3 runs" in signoff("resume-all").stdout
    assert wire.body("POST", "/api/pause-all") == {"enabled": False}
    assert "Nothing was paused" in signoff("resume-all").stdout


def test_lists_say_when_everything_is_paused_and_by_whom(wire: Wire, signoff: Signoff):
    wire.on("GET", "/api/runs", page(a_run()))
    wire.on("GET", "/api/asks", page())
    wire.on("GET", "/api/pause-all", ON | {"reason": "the \x1b[31mbank calls"})
    for command in ("runs", "inbox"):
        result = signoff(command)
        assert "EVERYTHING IS PAUSED by Ada" in result.stderr
        assert "\x1b[31m" not in result.stderr
