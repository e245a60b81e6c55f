"""Channels and what was sent by them, from the terminal."""

from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import Result

from tests.cli.conftest import ASK_ID, AT, Wire, page, problem

Signoff = Callable[..., Result]
DELIVERY_ID = "01982c00-0000-7000-8000-000000000003"
REFUSED = "The mail server answered 535: Authentication failed"


def a_channel(**given: Any) -> dict[str, Any]:
    return {
        "id": "c1",
        "kind": "email",
        "name": "Mail",
        "settings": {"host": "smtp.example.org", "from": "signoff@example.org"},
        "secrets": ["password"],
        "about": ["asks"],
        "enabled": True,
        "personal": True,
        "shared": False,
        "last_sent_at": AT,
        "last_error": None,
    } | given


SLACK = a_channel(id="c2", kind="slack", name="Ops", settings={"channel": "#ops"}, enabled=False, last_sent_at=None)


def a_delivery(**given: Any) -> dict[str, Any]:
    return {
        "id": DELIVERY_ID,
        "channel": "Mail",
        "title": "Write report.md",
        "target": "ada@example.org",
        "status": "sent",
        "error": None,
        "due_at": AT,
        "sent_at": AT,
        "created_at": AT,
    } | given


def test_channels_are_listed_with_where_they_go_and_what_went_wrong(signoff: Signoff, wire: Wire) -> None:
    wire.on("GET", "/api/channels", page(a_channel(last_error=REFUSED), SLACK))
    heads, mail, ops = signoff("channels", "list").stdout.splitlines()
    assert heads.split() == ["NAME", "KIND", "WHERE", "STATE", "LAST", "SENT", "ERROR"]
    assert mail.split()[:4] == ["Mail", "email", "signoff@example.org", "on"]
    assert mail.endswith(f"  {REFUSED}")
    assert ops.split() == ["Ops", "slack", "#ops", "off", "-"]
    wire.on("GET", "/api/channels", page(a_channel(settings={})))
    assert "each person" in signoff("channels", "list").stdout, "who is no admin sees no settings"
    wire.on("GET", "/api/channels", page())
    assert "/settings?section=channels" in signoff("channels", "list").stdout


def test_a_test_ends_as_the_channel_does(signoff: Signoff, wire: Wire) -> None:
    wire.on("GET", "/api/channels", page(a_channel(), SLACK))
    wire.on("POST", "/api/channels/c1/test", {"ok": True, "error": None}, {"ok": False, "error": REFUSED})
    works = signoff("channels", "test", "mail", "--to", "ada@example.org")
    assert (works.exit_code, "Mail works" in works.stdout) == (0, True)
    assert wire.body("POST", "/api/channels/c1/test") == {"to": "ada@example.org"}
    fails = signoff("channels", "test", "Mail")
    assert (fails.exit_code, fails.stderr) == (1, REFUSED + "\n")
    assert wire.body("POST", "/api/channels/c1/test") == {}


def test_a_channel_is_found_by_its_own_name_only(signoff: Signoff, wire: Wire) -> None:
    wire.on("GET", "/api/channels", page(a_channel(), a_channel(id="c3", name="mail")))
    wire.on("PATCH", "/api/channels/c3", {})
    assert signoff("channels", "off", "mail").stdout == "mail is off.\n"
    assert wire.body("PATCH", "/api/channels/c3") == {"enabled": False}
    unknown = signoff("channels", "off", "MAIL")
    assert (unknown.exit_code, "There is: Mail" in unknown.stderr) == (1, True)


def test_a_channel_is_switched_on(signoff: Signoff, wire: Wire) -> None:
    wire.on("GET", "/api/channels", page(SLACK))
    wire.on("PATCH", "/api/channels/c2", {})
    assert signoff("channels", "on", "ops").stdout == "Ops is on.\n"
    assert wire.body("PATCH", "/api/channels/c2") == {"enabled": True}


def test_deliveries_say_what_went_where_and_why_not(signoff: Signoff, wire: Wire) -> None:
    held = a_delivery(status="queued", due_at=None, sent_at=None)
    wire.on("GET", "/api/deliveries", page(a_delivery(status="failed", error=REFUSED, sent_at=None), held))
    heads, failed, waits = signoff("deliveries").stdout.splitlines()
    assert heads.split() == ["ID", "WHAT", "TO", "WHEN", "STATUS", "CHANNEL", "ERROR"]
    assert failed.startswith(f"{DELIVERY_ID}  Write report.md  ada@example.org")
    assert failed.endswith(f"failed  Mail     {REFUSED}")
    assert waits.split()[-4:] == ["ada@example.org", "-", "queued", "Mail"]


def test_deliveries_are_narrowed(signoff: Signoff, wire: Wire) -> None:
    wire.on("GET", "/api/channels", page(a_channel(), SLACK))
    wire.on("GET", "/api/deliveries", page())
    shown = signoff("deliveries", "--status", "failed", "--ask", ASK_ID, "--channel", "Ops")
    assert shown.stdout == "Nothing to show.\n"
    asked = wire.requests[-1].url.params
    assert (asked["status"], asked["ask"], asked["channel"]) == ("failed", ASK_ID, "c2")


@pytest.mark.parametrize("given", [DELIVERY_ID, DELIVERY_ID[:13]])
def test_a_delivery_is_sent_again(signoff: Signoff, wire: Wire, given: str) -> None:
    wire.on("GET", "/api/deliveries", page(a_delivery()))
    wire.on("POST", f"/api/deliveries/{DELIVERY_ID}/retry", a_delivery(status="queued"))
    assert signoff("deliveries", "retry", given).stdout == "Sending it to ada@example.org again.\n"


def test_what_cannot_be_sent_again_says_so(signoff: Signoff, wire: Wire) -> None:
    no = problem(409, "This is queued, so it cannot be sent again.")
    wire.on("POST", f"/api/deliveries/{DELIVERY_ID}/retry", no)
    result = signoff("deliveries", "retry", DELIVERY_ID)
    assert (result.exit_code, result.stderr) == (1, "This is queued, so it cannot be sent again.\n")


def test_an_invitation_that_was_mailed_says_so(signoff: Signoff, wire: Wire) -> None:
    made = {"url": "https://signoff.example.org/sign-in?token=inv_x", "mailed": True}
    wire.on("POST", "/api/invitations", made, made | {"mailed": False})
    mailed = signoff("invite", "ada@example.org")
    assert mailed.stdout == made["url"] + "\n"
    assert "by mail, too" in mailed.stderr
    assert "by mail" not in signoff("invite", "ada@example.org").stderr
