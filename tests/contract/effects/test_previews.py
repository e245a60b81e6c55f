"""What a call would change stands on its ask, is bound into it, and is looked at again before it counts."""

from pathlib import Path
from typing import Any

import httpx

from signoff.kit.ids import new_id
from signoff.policy.impact import Impact
from signoff.tools.effects import NoPreview, Preview
from signoff.tools.registry import ToolContext, tool
from tests.contract.ruling import audited, people, ruled
from tests.contract.scenes import problem, run_that
from tests.house import House
from tests.wire import call, says

WRITES = says("", call("write_file", {"path": "a.txt", "content": "one\ntwo\n"}))


def folder_of(house: House, run: str) -> Path:
    folder = house.settings.runs_folder / run
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def everything_in(folder: Path) -> dict[str, bytes]:
    return {str(each.relative_to(folder)): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def test_an_ask_shows_what_its_call_would_change_and_does_nothing_of_it(house: House) -> None:
    run = run_that(house, WRITES, says("done"))
    ask = house.ask(run)
    shown = ask["preview"]
    assert (shown["kind"], shown["summary"]) == ("diff", "Creates a.txt (8 bytes)")
    assert shown["detail"]["before"] is None
    assert "+one\n+two" in shown["detail"]["diff"]
    assert everything_in(folder_of(house, run)) == {}
    house.answer(ask, digest=ask["digest"])
    house.ended(run)
    assert everything_in(folder_of(house, run)) == {"a.txt": b"one\ntwo\n"}


def test_people_read_the_message_that_the_ask_showed(house: House) -> None:
    sends = says("", call("send_message", {"channel": "#sales", "text": "Hello\n\u202ethere"}))
    run = run_that(house, sends, says("done"), tools=("send_message",))
    ask = house.ask(run)
    shown = {each["label"]: each["value"] for each in ask["preview"]["detail"]["fields"]}
    assert not [each for each in house.get("/api/notifications", limit=200)["items"] if each["run_id"] == run]
    house.answer(ask)
    house.ended(run)
    told = [each for each in house.get("/api/notifications", limit=200)["items"] if each["run_id"] == run]
    assert shown["Message"] in [each["text"] for each in told]


def test_an_approval_of_what_changed_meanwhile_gets_409_with_the_new_preview(house: House) -> None:
    run = run_that(house, WRITES, says("done"))
    ask = house.ask(run)
    (folder_of(house, run) / "a.txt").write_text("somebody's\n")
    refusal = house.answer(ask, status=409)
    assert refusal["code"] == "preview_changed"
    told = refusal["state"]
    assert told["preview"]["summary"].startswith("Changes a.txt: 2 lines added, 1 removed")
    assert told["was"]["summary"] == ask["preview"]["summary"]
    again = house.get(f"/api/asks/{ask['id']}")
    assert again["status"] == "pending"
    assert again["preview"]["detail"] == told["preview"]["detail"]
    assert again["digest"] == told["digest"] != ask["digest"]
    old = house.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve", "digest": ask["digest"]})
    assert problem(old, 409)["code"] == "ask_changed"
    house.answer(again, digest=again["digest"])
    house.ended(run)
    (changed,) = audited(house, ask["id"], "ask.preview_changed")
    assert changed["data"]["preview"]["summary"] == told["preview"]["summary"]


def test_who_has_not_seen_what_it_would_do_by_now_does_not_approve_it(house: House) -> None:
    first, second = people(house, 2)
    _, ask = ruled(house, {})
    (folder_of(house, ask["run_id"]) / "a.txt").write_text("somebody's\n")
    assert problem(first.answer(ask), 409)["code"] == "preview_changed"
    assert problem(second.answer(ask), 409)["code"] == "ask_changed"
    assert second.answer(ask, "deny").json()["status"] == "denied"


def test_earlier_signatures_are_void_once_something_else_would_happen(house: House) -> None:
    first, second, third = people(house, 3)
    _, ask = ruled(house, {"require_approval_count": 2})
    assert first.answer(ask).status_code == 200
    (folder_of(house, ask["run_id"]) / "a.txt").write_text("somebody's\n")
    assert problem(second.answer(ask), 409)["code"] == "preview_changed"
    now = house.get(f"/api/asks/{ask['id']}")
    assert [(each["by"], each["decision"]) for each in now["approvals"]] == [(first.email, "void")]
    assert second.answer(now, digest=now["digest"]).json()["status"] == "pending"
    assert third.answer(now, digest=now["digest"]).json()["status"] == "approved"


def test_a_call_that_would_do_something_else_when_it_starts_is_asked_again(house: House) -> None:
    """The first write changes what the second, approved before, would do."""
    both = [call("write_file", {"path": "a.txt", "content": each}) for each in ("one", "two")]
    run = run_that(house, says("", *both), says("done"))
    house.until(lambda: len(house.asks(run)) == 2)
    one, two = house.asks(run)
    house.post(f"/api/runs/{run}/pause")
    for ask in (one, two):
        house.answer(ask)
    house.post(f"/api/runs/{run}/resume")
    again = house.ask(run)
    assert again["id"] not in (one["id"], two["id"])
    assert again["risk"]["reasons"][0].startswith("It was approved, but it would change something else")
    assert again["preview"]["summary"].startswith("Changes a.txt")
    assert everything_in(folder_of(house, run)) == {"a.txt": b"one"}
    house.answer(again)
    house.ended(run)
    assert everything_in(folder_of(house, run)) == {"a.txt": b"two"}


def test_changed_arguments_are_shown_before_they_are_approved_and_hold_when_they_start(house: House) -> None:
    run = run_that(house, WRITES, says("done"))
    ask = house.ask(run)
    changed = {"path": "b.txt", "content": "three"}
    shown = house.post(f"/api/asks/{ask['id']}/preview", {"arguments": changed})
    assert shown["preview"]["summary"] == "Creates b.txt (5 bytes)"
    assert house.post(f"/api/asks/{ask['id']}/preview", {"arguments": {"path": 1}})["preview"] is None
    settled = house.answer(ask, arguments=changed)
    assert settled["preview"]["summary"] == "Creates b.txt (5 bytes)"
    house.ended(run)
    assert everything_in(folder_of(house, run)) == {"b.txt": b"three"}


def test_many_at_once_leave_alone_what_changed(house: House) -> None:
    runs = [run_that(house, WRITES, says("done")) for _ in range(2)]
    asks = [house.ask(run) for run in runs]
    (folder_of(house, runs[0]) / "a.txt").write_text("somebody's\n")
    done = house.post("/api/asks/batch", {"ids": [each["id"] for each in asks], "decision": "approve"})["results"]
    assert [each["status"] for each in done] == ["pending", "approved"]
    assert "different by now" in done[0]["error"]


def asks_with(house: House, preview: Any) -> dict[str, Any]:
    name = f"act_{new_id().replace('-', '')}"

    @tool(risk="high", name=name, impact=Impact((), "x"), preview=preview)
    def act() -> str:
        """Act."""
        return "acted"

    house.parts.context.registry.register(act)
    return house.ask(run_that(house, says("", call(name, {})), says("done"), tools=(name,)))


def test_a_tool_that_cannot_say_gives_its_reason_and_can_still_be_approved(house: House) -> None:
    def silent(_context: ToolContext, _arguments: dict[str, Any]) -> Preview:
        raise NoPreview("The other side does not tell.")

    def broken(_context: ToolContext, _arguments: dict[str, Any]) -> Preview:
        raise RuntimeError("/a/secret/place")

    ask = asks_with(house, silent)
    assert (ask["preview"]["kind"], ask["preview"]["why"]) == ("none", "The other side does not tell.")
    assert house.answer(ask)["status"] == "approved"
    assert asks_with(house, broken)["preview"]["why"] == "The tool could not show it."
    assert asks_with(house, None)["preview"] is None


def test_alike_calls_that_are_one_decision_each_show_their_effect(house: House) -> None:
    calls = [call("write_file", {"path": f"{each}.txt", "content": each}) for each in ("a", "b")]
    _, ask = ruled(house, {"batch_alike": True}, *calls)
    assert [each["summary"] for each in ask["preview"]["detail"]["calls"]] == [
        "Creates a.txt (1 bytes)",
        "Creates b.txt (1 bytes)",
    ]
    (folder_of(house, ask["run_id"]) / "b.txt").write_text("x")
    assert house.answer(ask, status=409)["code"] == "preview_changed"


def test_nothing_is_looked_up_for_who_does_not_decide_nor_once_it_is_decided(
    house: House, viewer: httpx.Client
) -> None:
    run = run_that(house, WRITES, says("done"))
    ask, changed = house.ask(run), {"arguments": {"path": "b.txt", "content": "three"}}
    shown = viewer.post(f"/api/asks/{ask['id']}/preview", json=changed).json()
    assert (shown["preview"], len(shown["diff"])) == (None, 2)
    house.answer(ask, "deny", note="No.")
    assert house.post(f"/api/asks/{ask['id']}/preview", changed)["preview"] is None
