"""Who is away, and the workspaces of a server, from the terminal."""

from collections.abc import Callable

from typer.testing import Result

from tests.cli.conftest import AT, Wire, page, problem

Signoff = Callable[..., Result]
ANN, BOB = {"email": "ann@example.org", "name": "Ann"}, {"email": "bob@example.org", "name": "Bob"}
GONE = {"id": "d1", "absent": ANN, "deputy": BOB, "starts_at": AT, "ends_at": AT, "active": True}


def test_who_is_away_is_listed_with_who_decides_for_them(wire: Wire, signoff: Signoff):
    wire.on("GET", "/api/delegations", page(GONE, GONE | {"id": "d2", "active": False}))
    shown = signoff("away").stdout.splitlines()
    assert shown[0].split() == ["AWAY", "DECIDES", "FOR", "THEM", "FROM", "UNTIL", "ID"]
    assert shown[1].split()[:3] == ["ann@example.org", "bob@example.org", "now"]
    assert shown[2].split()[2].startswith("2026-01-01")
    wire.on("GET", "/api/delegations", page())
    result = signoff("away")
    assert result.stdout.startswith("Nobody is away.")
    assert "/settings?section=away" in result.stdout + result.stderr


def test_who_is_back_ends_it(wire: Wire, signoff: Signoff):
    wire.on("GET", "/api/delegations", page(GONE), page(GONE, GONE), page())
    wire.on("DELETE", "/api/delegations/d1", None)
    assert signoff("away", "end").stdout == "Ended.\n"
    assert "There are several." in signoff("away", "end").stderr
    assert "Nobody is away." in signoff("away", "end").stderr
    assert signoff("away", "end", "d1").exit_code == 0
    wire.on("DELETE", "/api/delegations/d2", problem(404, "There is no such delegation."))
    assert "There is no such delegation." in signoff("away", "end", "d2").stderr


def test_workspaces_are_listed_created_and_renamed(wire: Wire, signoff: Signoff):
    wire.on("GET", "/api/workspaces", [{"id": "w1", "name": "Home", "role": "admin", "current": True}])
    assert signoff("workspaces").stdout.splitlines()[1].split() == ["Home", "admin", "w1"]
    wire.on("POST", "/api/workspaces", {"id": "w2", "name": "Finance", "token": "sgn_new"})
    result = signoff("workspaces", "create", "Finance")
    assert result.stdout == "sgn_new\n"
    assert "not shown again" in result.stderr
    wire.on("PATCH", "/api/settings", {})
    assert signoff("workspaces", "rename", "Treasury").stdout == "Renamed.\n"
    assert wire.body("PATCH", "/api/settings") == {"name": "Treasury"}
