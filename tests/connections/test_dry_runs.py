"""A server's own dry run stands on the ask of a tool whose reviewer said that it has one, and decides nothing."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from signoff.asks.effects.previews import effect
from signoff.tools import dry_runs
from signoff.tools.previews import as_batch
from tests.connections.connecting import connect, review, tools_of
from tests.contract.scenes import run_that
from tests.house import House
from tests.mcp_servers import servers
from tests.wire import call, says


@dataclass(frozen=True)
class Posts:
    """The connected server, and what reached it."""

    house: House
    slug: str
    ledger: Path
    words: Path

    @property
    def reached(self) -> list[str]:
        return self.ledger.read_text().splitlines() if self.ledger.exists() else []

    def run(self, *texts: str, tool: str = "post") -> str:
        calls = [call(f"{self.slug}__{tool}", {"text": each}) for each in texts]
        return run_that(self.house, says("", *calls), tools=(f"{self.slug}__*",))


@pytest.fixture
def posts(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Posts:
    # A server of its own for each run takes longer to begin than people wait for one, where much else goes on.
    monkeypatch.setattr(dry_runs, "SECONDS", 60.0)
    monkeypatch.setattr(dry_runs, "SECONDS_IN_ALL", 120.0)
    ledger, words = tmp_path / "ledger.txt", tmp_path / "words.txt"
    words.write_text("Posts something.")
    script = str(Path(servers.__file__).with_name("with_dry_run.py"))
    settings = {"transport": "stdio", "command": sys.executable, "args": [script, str(ledger), str(words)]}
    return Posts(house, connect(house, settings), ledger, words)


def dry_run(ask: dict[str, Any]) -> Any:
    return ask["preview"]["dry_run"]


@pytest.mark.both_databases
def test_the_servers_words_stand_beside_the_preview_and_the_call_then_runs_once(house: House, posts: Posts) -> None:
    review(house, posts.slug, "post", dry_run="dry_run")
    assert tools_of(house, posts.slug)["post"]["dry_run"] == "dry_run"
    run_id = posts.run("hello")
    ask = house.ask(run_id)
    assert dry_run(ask)["text"].startswith("would post hello")
    assert {"label": "text", "value": "hello"} in [
        {"label": each["label"].lower(), "value": each["value"]} for each in ask["preview"]["detail"]["fields"]
    ]
    assert posts.reached == ["try hello"]
    house.answer(ask)
    assert house.ended(run_id)["status"] == "completed"
    # Neither the approval nor the start of the call tries again.
    assert posts.reached == ["try hello", "post hello"]


def test_other_words_are_the_same_ask(house: House, posts: Posts) -> None:
    review(house, posts.slug, "post", dry_run="dry_run")
    first, second = (house.ask(posts.run("hello")) for _ in range(2))
    assert dry_run(first)["text"] != dry_run(second)["text"]
    assert first["digest"] == second["digest"]
    review(house, posts.slug, "post")
    without = house.ask(posts.run("hello"))
    assert dry_run(without) is None
    assert without["digest"] == first["digest"]


def test_nothing_is_tried_before_a_reviewer_says_that_it_can_be(house: House, posts: Posts) -> None:
    assert dry_run(house.ask(posts.run("hello"))) is None
    review(house, posts.slug, "post")
    assert dry_run(house.ask(posts.run("hello"))) is None
    assert posts.reached == []


def test_only_a_yes_or_no_argument_can_be_named(house: House, posts: Posts) -> None:
    assert tools_of(house, posts.slug)["post"]["dry_run_arguments"] == ["dry_run"]
    assert tools_of(house, posts.slug)["plain"]["dry_run_arguments"] == []
    for tool, argument in (("plain", "dry_run"), ("post", "text"), ("post", "preview")):
        body = {"reviewed": True, "dry_run": argument}
        house.post(f"/api/connections/{posts.slug}/tools/{tool}/review", body, 422)


def test_a_tool_that_changed_since_its_review_is_never_tried(house: House, posts: Posts) -> None:
    review(house, posts.slug, "post", dry_run="dry_run")
    posts.words.write_text("Posts something, and more.")
    # Nobody has noticed yet but the session of this run.
    assert "another one" in dry_run(house.ask(posts.run("hello")))["why"]
    # Ends the session that saw it as it was.
    assert house.client.patch(f"/api/connections/{posts.slug}", json={"name": "Posts"}).is_success
    house.post(f"/api/connections/{posts.slug}/tools/refresh")
    changed = tools_of(house, posts.slug)["post"]
    assert changed["changed"]
    assert changed["dry_run"] is None
    assert dry_run(house.ask(posts.run("hello"))) is None
    assert posts.reached == []


def test_what_runs_without_an_ask_is_not_tried(house: House, posts: Posts) -> None:
    review(house, posts.slug, "post", dry_run="dry_run", risk="low")
    run_id = posts.run("hello")
    assert house.ended(run_id)["status"] == "completed"
    assert posts.reached == ["post hello"]


def test_a_server_that_refuses_or_says_too_much_is_cut_short(house: House, posts: Posts) -> None:
    review(house, posts.slug, "post", dry_run="dry_run")
    assert "Error executing tool" in dry_run(house.ask(posts.run("refused")))["why"]
    assert len(dry_run(house.ask(posts.run("long")))["text"]) == 4_000


def test_a_slow_server_takes_neither_the_preview_nor_the_approval_away(
    house: House, posts: Posts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dry_runs, "SECONDS", 1.0)
    review(house, posts.slug, "stall", dry_run="preview")
    ask = house.ask(posts.run("hello", tool="stall"))
    assert ask["preview"]["kind"] == "fields"
    assert "did not answer" in dry_run(ask)["why"]
    assert house.answer(ask)["status"] == "approved"


def test_long_words_leave_the_room_of_a_batch_to_its_previews() -> None:
    parts = [{"kind": "text", "summary": "x" * 200, "detail": {}, "made_at": "2026-01-01T00:00:00+00:00"}] * 200
    said = {"dry_run": {"text": "y" * 4_000}}
    assert effect(as_batch([part | said for part in parts])) == effect(as_batch([*parts]))
