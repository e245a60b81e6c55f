from collections.abc import Callable
from typing import Any

import httpx
from typer.testing import Result

from tests.cli.conftest import AT, RUN_ID, Wire, page

Signoff = Callable[..., Result]


def a_notice(**given: Any) -> dict[str, Any]:
    about = {"id": "n1", "kind": "message", "run_id": RUN_ID, "ask_id": None, "recipients": [], "created_at": AT}
    return about | {"channel": "#general", "sender": "agent:clerk", "text": "Lunch?", "read": False} | given


def test_notices_are_printed_oldest_first_and_stay_unread(wire: Wire, signoff: Signoff):
    newer = a_notice(id="n2", kind="failed", channel="runs", text="Failed: it\nToo many tools. \x1b[31m", read=True)
    wire.on("GET", "/api/notifications", page(newer, a_notice()))
    result = signoff("notices")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].startswith("* ")
    assert lines[0].endswith("#general agent:clerk")
    assert lines[1] == "    Lunch?"
    assert "    Too many tools. " in lines
    assert "1 unread." in lines[-1]
    assert {request.method for request in wire.requests} == {"GET"}


def test_only_what_was_shown_is_marked_as_read(wire: Wire, signoff: Signoff):
    wire.on("GET", "/api/notifications", page(a_notice(), a_notice(id="n0", read=True)))
    wire.on("POST", "/api/notifications/read", httpx.Response(204))
    assert signoff("notices", "--unread", "--read").exit_code == 0
    assert wire.requests[0].url.params["unread"] == "true"
    assert wire.body("POST", "/api/notifications/read") == {"ids": ["n1"]}


def test_nothing_new_is_said_so(wire: Wire, signoff: Signoff):
    wire.on("GET", "/api/notifications", page())
    assert signoff("notices", "--unread", "--read").stdout == "You're all caught up.\n"


def test_what_is_answered_says_so(wire: Wire, signoff: Signoff):
    asked = {"kind": "ask", "read": True}
    done = a_notice(**asked, ask_id="a1", ask_status="auto_approved")
    wire.on("GET", "/api/notifications", page(done, a_notice(**asked, ask_id="a2", ask_status="pending")))
    lines = signoff("notices").stdout.splitlines()
    assert [line for line in lines if line.startswith("    ask ")] == ["    ask a2", "    ask a1 · auto approved"]
