import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
from typer.testing import Result

from tests.cli.conftest import ASK_ID, RUN_ID, Wire, a_run, an_ask, page

Signoff = Callable[..., Result]


def test_old_asks_expire_after_a_word_that_says_how_many(wire: Wire, signoff: Signoff):
    young = an_ask(id="young", created_at=datetime.now(UTC).isoformat())
    wire.on("GET", "/api/asks", page(an_ask(), young))
    wire.on("POST", "/api/asks/expire", {"expired": 1, "ids": [ASK_ID]})
    refused = signoff("asks", "expire", "--older-than", "2d", input="n\n")
    assert (refused.exit_code, "1 of 2 open asks" in refused.stderr) == (1, True)
    assert not any(request.method == "POST" for request in wire.requests)
    done = signoff("asks", "expire", "--older-than", "2d", input="y\n")
    assert done.stdout.endswith("1 expired.\n")
    sent = wire.body("POST", "/api/asks/expire")["older_than_seconds"]
    assert abs(sent - timedelta(days=2).total_seconds()) < 60


def test_nothing_expires_where_nothing_is_old(wire: Wire, signoff: Signoff):
    wire.on("GET", "/api/asks", page())
    assert signoff("asks", "expire", "--older-than", "2d").stdout == "Nothing has been waiting that long.\n"
    for wrong in ("soon", "2999-01-01"):
        refused = signoff("asks", "expire", "--older-than", wrong, "--yes")
        assert (refused.exit_code, "--older-than" in refused.stderr) == (2, True)


def test_many_expire_in_several_requests(wire: Wire, signoff: Signoff):
    many = {"expired": 1000, "ids": [str(number) for number in range(1000)]}
    wire.on("POST", "/api/asks/expire", many, {"expired": 1, "ids": ["last"]})
    result = signoff("asks", "expire", "--older-than", "12h", "--yes", "--json")
    assert json.loads(result.stdout)["expired"] == 1001


def test_an_ended_run_goes_on_or_is_tried_again(wire: Wire, signoff: Signoff):
    wire.on("POST", f"/api/runs/{RUN_ID}/continue", a_run(id="next"))
    result = signoff("runs", "continue", RUN_ID, "Now the summary", "--detach")
    assert "signoff runs follow next" in result.stdout + result.stderr
    assert wire.body("POST", f"/api/runs/{RUN_ID}/continue") == {"instructions": "Now the summary"}
    wire.on("POST", f"/api/runs/{RUN_ID}/retry", a_run(id="again"))
    assert json.loads(signoff("runs", "retry", RUN_ID, "--last-good", "-d", "--json").stdout)["id"] == "again"
    assert wire.body("POST", f"/api/runs/{RUN_ID}/retry") == {"from": "last_good"}


def test_files_are_sent_before_the_run_that_gets_them(wire: Wire, signoff: Signoff, tmp_path: Path):
    (tmp_path / "a.csv").write_text("x,y\n")
    wire.on("POST", "/api/files", httpx.Response(201, json={"items": [{"id": "upload"}]}))
    wire.on("POST", "/api/runs", a_run())
    assert signoff("run", "count", "--agent", "x", "--file", str(tmp_path / "a.csv"), "--detach").exit_code == 0
    sent = next(each for each in wire.requests if each.url.path == "/api/files")
    assert b'filename="a.csv"' in sent.content
    assert b"x,y" in sent.content
    assert wire.body("POST", "/api/runs")["files"] == ["upload"]
    given = {"items": [{"path": "input/a.csv", "size_bytes": 4}]}
    wire.on("POST", f"/api/runs/{RUN_ID}/files", httpx.Response(201, json=given))
    assert "input/a.csv" in signoff("runs", "add-files", RUN_ID, str(tmp_path / "a.csv")).stdout
    assert signoff("run", "count", "--agent", "x", "--file", "nothing.csv").exit_code == 2


def test_a_run_is_deleted_after_a_question(wire: Wire, signoff: Signoff):
    wire.on("GET", f"/api/runs/{RUN_ID}", a_run(status="completed"))
    wire.on("DELETE", f"/api/runs/{RUN_ID}", httpx.Response(204))
    assert signoff("runs", "delete", RUN_ID, input="n\n").exit_code == 1
    assert not any(request.method == "DELETE" for request in wire.requests)
    assert "Deleted" in signoff("runs", "delete", RUN_ID, "--yes").stdout


def test_members_are_listed(wire: Wire, signoff: Signoff):
    ada = {"id": "m1", "name": "Ada", "email": "ada@example.com", "role": "admin"}
    wire.on("GET", "/api/members", page(ada))
    assert "ada@example.com" in signoff("members").stdout
    assert json.loads(signoff("members", "--json").stdout) == [ada]


def test_deliverables_are_listed_and_saved(wire: Wire, signoff: Signoff):
    report = {
        "id": "d1",
        "name": "report.md",
        "type": "markdown",
        "size_bytes": 5,
        "status": "final",
        "storage": "inline",
        "run_id": RUN_ID,
        "run_title": "Write a report",
        "created_at": datetime.now(UTC).isoformat(),
    }
    wire.on("GET", "/api/deliverables", page(report))
    wire.on("GET", "/api/deliverables/d1", report)
    wire.on("GET", "/api/deliverables/d1/content", httpx.Response(200, content=b"# Bee"))
    assert "report.md" in signoff("deliverables", "--agent", "writer").stdout
    assert wire.requests[-1].url.params["agent"] == "writer"
    assert signoff("deliverables", "download", "out", "--run", RUN_ID).exit_code == 0
    assert Path("out/report.md").read_bytes() == b"# Bee"
    assert signoff("deliverables", "download", "one", "--id", "d1").exit_code == 0
    assert Path("one/report.md").read_bytes() == b"# Bee"


def test_a_link_that_opens_only_here_says_so_and_what_to_set(wire: Wire, signoff: Signoff):
    for url, only_here in (("http://127.0.0.1:8471/sign-in?token=x", True), ("https://s.example.org/x", False)):
        wire.on("POST", "/api/invitations", {"url": url})
        result = signoff("invite", "eve@example.org")
        assert result.stdout == f"{url}\n"
        assert ("SIGNOFF_PUBLIC_URL" in result.stderr) is only_here


def test_a_run_is_known_by_the_beginning_of_its_id_if_no_other_begins_so(wire: Wire, signoff: Signoff):
    other = "01982c00-1111-7000-8000-000000000002"
    wire.on("GET", "/api/runs", page(a_run(), a_run(id=other)))
    wire.on("POST", f"/api/runs/{other}/pause", a_run(id=other, status="paused"))
    assert signoff("runs", "pause", "01982c00-1").exit_code == 0
    both = signoff("runs", "pause", "01982c00")
    assert (both.exit_code, other in both.stderr, RUN_ID in both.stderr) == (1, True, True)
