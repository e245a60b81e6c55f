"""While everything is paused nothing starts, whoever allowed it and whatever was just about to."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from sqlalchemy.orm import Session

from signoff.claims.pause_all import may_start
from signoff.kit.db.database import Commit
from signoff.kit.settings import Settings
from signoff.runs.models import Run
from tests.contract.ruling import audited, put_rules
from tests.contract.scenes import Abroad, agent_that, at_once, problem, requests_of
from tests.house import House
from tests.security.till import Till, a_till, pay, statuses, waits_for
from tests.wire import DONE, Model, call, says

FIVE = ("a", "b", "c", "d", "e")
LOOK = call("list_files", {})


class Turnstile:
    """Lets a worker stand at a place of its turn until somebody has done something."""

    def __init__(self) -> None:
        self._place = ""
        self._there, self._go = threading.Event(), threading.Event()

    def at(self, place: str) -> None:
        self._there.clear()
        self._go.clear()
        self._place = place

    async def pass_by(self, place: str) -> None:
        if place == self._place:
            self._place = ""
            self._there.set()
            await asyncio.to_thread(self._go.wait, 30)

    def reached(self) -> None:
        assert self._there.wait(30)

    def go_on(self) -> None:
        self._go.set()


@pytest.fixture(scope="module")
def turnstile() -> Turnstile:
    return Turnstile()


@pytest.fixture(scope="module")
def house(settings: Settings, model: Model, turnstile: Turnstile) -> Iterator[House]:
    with House(settings, model, turnstile.pass_by) as house:
        yield house


@pytest.fixture(scope="module")
def till(house: House) -> Till:
    return a_till(house)


@pytest.fixture(autouse=True)
def clean(house: House, till: Till) -> Iterator[None]:
    till.paid.clear()
    till.begun.clear()
    put_rules(house)
    yield
    lift(house)


def pause(house: House, reason: str | None = None) -> dict[str, Any]:
    return house.post("/api/pause-all", {"enabled": True, "reason": reason})


def lift(house: House) -> dict[str, Any]:
    return house.post("/api/pause-all", {"enabled": False})


def payer(house: House, *recipients: str, by: str = "pay", **fields: Any) -> str:
    """An agent who pays all of them in one turn."""
    return agent_that(house, says("", *(pay(to, by) for to in recipients)), tools=("pay", "pay_again"), **fields)


def released(house: House, run: str) -> Run:
    """Wait until everything is paused and nobody works on a run any more."""
    house.until(lambda: house.get("/api/pause-all")["enabled"])
    row = house.until(lambda: found if (found := _row(house, run)).owner is None else None)
    assert row.wake_at is not None
    return row


def _row(house: House, run: str) -> Run:
    return house.parts.db.read(lambda s: s.get_one(Run, run))


@pytest.mark.both_databases
@pytest.mark.parametrize("by", ["pay", "pay_again"])
def test_a_pause_in_the_middle_of_a_turns_calls_lets_the_started_one_end_and_no_other_start(
    house: House, till: Till, by: str
) -> None:
    till.first["a"] = lambda: pause(house)
    run = house.start(payer(house, *FIVE, by=by, autonomy="full"))
    released(house, run)
    assert till.begun == ["a"]
    assert statuses(house, run) == {"a": "succeeded"} | dict.fromkeys("bcde", "approved")
    lift(house)
    assert house.ended(run)["status"] == "completed"
    assert till.paid == list(FIVE)


@pytest.mark.both_databases
@pytest.mark.parametrize("place", ["prepare", "model"])
def test_what_is_just_about_to_begin_loses_against_the_pause(
    house: House, till: Till, turnstile: Turnstile, place: str
) -> None:
    turnstile.at(place)
    run = house.start(payer(house, "a", autonomy="full"))
    turnstile.reached()
    pause(house)
    turnstile.go_on()
    released(house, run)
    assert till.begun == []
    assert len(requests_of(house, run)) == (place == "prepare")
    lift(house)
    assert house.ended(run)["status"] == "completed"
    assert till.paid == ["a"]


def test_calls_of_a_reply_that_came_with_the_pause_do_not_start(house: House, turnstile: Turnstile) -> None:
    turnstile.at("replied")
    run = house.start(agent_that(house, says("", LOOK, LOOK), tools=("list_files",)))
    turnstile.reached()
    pause(house)
    turnstile.go_on()
    released(house, run)
    assert [(each["status"], each["started_at"]) for each in house.calls(run)] == [("approved", None)] * 2
    lift(house)
    assert house.ended(run)["status"] == "completed"
    assert len(requests_of(house, run)) == 2


@pytest.mark.both_databases
def test_the_pause_is_answered_only_when_the_starts_under_way_are_stored(house: House, till: Till) -> None:
    workspace = _row(house, house.start(payer(house, "a"))).workspace_id
    asked, commit = threading.Event(), threading.Event()

    def start(session: Session) -> bool:
        allowed = may_start(session, workspace)
        asked.set()
        commit.wait(30)
        return allowed

    with ThreadPoolExecutor(2) as threads:
        starting = threads.submit(house.parts.db.write, start)
        assert asked.wait(30)
        pausing = threads.submit(pause, house)
        with pytest.raises(TimeoutError):
            pausing.result(0.3)
        commit.set()
        assert starting.result(30)
        assert pausing.result(30)["enabled"]
    assert not house.parts.db.write(lambda s: may_start(s, workspace))


def test_an_approval_given_while_everything_is_paused_waits_for_the_end_of_the_pause(house: House, till: Till) -> None:
    run = house.start(payer(house, "a"))
    ask = waits_for(house, run, "approval")
    pause(house)
    house.answer(ask)
    assert house.run(run)["status"] == "waiting_approval"
    lift(house)
    house.ended(run)
    assert till.paid == ["a"]


def test_a_model_request_under_way_is_dropped_and_made_again_afterwards(house: House) -> None:
    name, asked, go = "slow-model", threading.Event(), threading.Event()

    def answer(_request: dict[str, Any]) -> dict[str, Any]:
        asked.set()
        go.wait(30)
        return DONE

    run = house.start(house.agent(name, house.model.play(name, answer)))
    assert asked.wait(30)
    pause(house)
    released(house, run)
    assert house.messages(run)[-1]["role"] == "user"
    go.set()
    lift(house)
    assert house.ended(run)["status"] == "completed"


def test_people_go_on_working_while_everything_is_paused(house: House, till: Till) -> None:
    waiting, other = house.start(payer(house, "a")), house.start(payer(house, "b"))
    ask = waits_for(house, waiting, "approval")
    waits_for(house, other, "approval")
    pause(house)
    new = house.start(payer(house, "c", autonomy="full"))
    house.answer(ask, "deny", note="not now")
    house.post(f"/api/runs/{waiting}/messages", {"text": "Later."}, 201)
    assert house.post(f"/api/runs/{other}/cancel")["status"] == "cancelled"
    assert house.run(new)["status"] == "queued"
    lift(house)
    assert house.ended(new)["status"] == house.ended(waiting)["status"] == "completed"
    assert till.paid == ["c"]


def test_a_run_that_somebody_paused_stays_paused_and_one_that_waits_keeps_waiting(house: House, till: Till) -> None:
    by_hand, waiting = house.start(payer(house, "a")), house.start(payer(house, "b"))
    waits_for(house, by_hand, "approval")
    waits_for(house, waiting, "approval")
    house.post(f"/api/runs/{by_hand}/pause")
    pause(house)
    lift(house)
    marker = house.start(payer(house, "c", autonomy="full"))
    house.ended(marker)
    assert (house.run(by_hand)["status"], house.run(waiting)["status"]) == ("paused", "waiting_approval")
    assert till.paid == ["c"]


@pytest.mark.both_databases
def test_a_run_resumed_while_everything_is_paused_goes_on_only_afterwards(house: House, till: Till) -> None:
    gate = till.holds("a")
    run = house.start(payer(house, "a", "b", autonomy="full"))
    house.until(lambda: till.begun)
    house.post(f"/api/runs/{run}/pause")
    pause(house)
    house.post(f"/api/runs/{run}/resume")
    gate.set()
    released(house, run)
    assert till.paid == ["a"]
    lift(house)
    house.ended(run)
    assert till.paid == ["a", "b"]


def test_held_time_is_no_working_time(house: House, till: Till) -> None:
    till.first["a"] = lambda: pause(house)
    run = house.start(payer(house, "a", "b", autonomy="full"))
    before = released(house, run).working_seconds
    house.post(f"/api/runs/{run}/messages", {"text": "Still there?"}, 201)
    assert _row(house, run).working_seconds == before


def test_everybody_reads_who_paused_everything_and_only_an_admin_pauses_or_lifts(
    house: House, viewer: httpx.Client, member: httpx.Client, approver: httpx.Client
) -> None:
    said = pause(house, "the bank calls")
    assert (said["enabled"], said["by"], said["reason"]) == (
        True,
        house.get("/api/me")["user"]["email"],
        "the bank calls",
    )
    for client in (viewer, member, approver):
        assert client.get("/api/pause-all").json() == said
        problem(client.post("/api/pause-all", json={"enabled": False}), 403)
        problem(client.post("/api/pause-all", json={"enabled": True}), 403)
    assert house.get("/api/pause-all") == said
    [*_, entry] = audited(house, "pause-all")
    assert (entry["action"], entry["actor"], entry["data"]["reason"]) == (
        "everything.paused",
        said["by"],
        said["reason"],
    )


def test_another_workspace_goes_on(house: House, abroad: Abroad) -> None:
    pause(house)
    client, slug = abroad.client, abroad.ids["slug"]
    assert client.get("/api/pause-all").json()["enabled"] is False
    run = client.post("/api/runs", json={"agent": slug, "task": "abroad"}).json()["id"]
    house.until(lambda: client.get(f"/api/runs/{run}/asks").json()["items"])
    # And nobody lifts a neighbour's pause.
    assert client.post("/api/pause-all", json={"enabled": False}).json()["enabled"] is False
    assert house.get("/api/pause-all")["enabled"] is True


@pytest.mark.both_databases
def test_it_is_one_pause_and_one_entry_however_many_press_at_once(house: House) -> None:
    entries = len(audited(house, "pause-all", "everything.paused"))
    pressed = at_once(4, lambda n: pause(house, f"reason {n}"))
    assert len({(each["reason"], each["at"]) for each in pressed}) == 1
    assert len(audited(house, "pause-all", "everything.paused")) == entries + 1
    lifted = {"enabled": False, "by": None, "by_name": None, "at": None, "reason": None, "held_runs": 0}
    assert lift(house) == lift(house) == lifted


def test_workers_are_told_at_once_that_everything_goes_on(house: House) -> None:
    pause(house)
    run, heard = house.start(payer(house, "a")), list[Commit]()
    house.parts.db.listeners.append(heard.append)
    lift(house)
    house.parts.db.listeners.remove(heard.append)
    assert any(run in each.woken_runs for each in heard)


def many(house: House, till: Till, count: int) -> None:
    """Pause so many runs at work, and let them go on."""
    gate = till.holds("first")
    agent = payer(house, "first", "second", autonomy="full")
    runs = [house.start(agent) for _ in range(count)]
    house.until(lambda: till.begun)
    assert pause(house)["held_runs"] >= count
    gate.set()
    for run in runs:
        house.until(lambda run=run: _row(house, run).owner is None)
    begun = list(till.begun)
    assert set(begun) == {"first"}
    lift(house)
    assert {house.ended(run)["status"] for run in runs} == {"completed"}
    assert (till.paid.count("first"), till.paid.count("second")) == (count, count)


@pytest.mark.both_databases
def test_runs_at_work_are_all_held_and_all_go_on(house: House, till: Till) -> None:
    many(house, till, 8)


@pytest.mark.slow
def test_fifty_runs_at_work_are_all_held_and_all_go_on(house: House, till: Till) -> None:
    many(house, till, 50)
