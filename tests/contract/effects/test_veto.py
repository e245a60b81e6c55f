"""A veto window: it runs unless somebody objects, and only what may."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
import yaml
from sqlalchemy.orm import Session

from bench.measure import statements
from signoff.asks.deadlines import expiry
from signoff.asks.effects.veto import LEAST_SECONDS
from signoff.asks.effects.windows import note_reached
from signoff.asks.models import Ask
from signoff.kit import clock
from tests.contract.effects.test_previews import everything_in, folder_of
from tests.contract.ruling import audited, look, put_rules, rule, ruled, ruled_agent, settled, somebody, text_of
from tests.contract.scenes import WRITE, agent_that, problem
from tests.house import House
from tests.wire import call, says

TEN_MINUTES = 600
WINDOW: dict[str, Any] = {"timeout_seconds": TEN_MINUTES, "on_timeout": "approve"}


def reached_by(email: str) -> dict[str, Any]:
    return WINDOW | {"notification": {"recipients": [email]}}


def later(house: House, ask: dict[str, Any], **by: float) -> None:
    """Let the clock look at an ask at a later time."""
    at = datetime.fromisoformat(ask["created_at"]) + timedelta(**by)
    house.parts.db.write(lambda session: expiry.run_due(session, ask["id"], at))


def left(ask: dict[str, Any]) -> float:
    return (datetime.fromisoformat(ask["runs_at"]) - datetime.fromisoformat(ask["created_at"])).total_seconds()


def test_it_runs_when_nobody_objects_in_the_rules_name(house: House) -> None:
    approver = somebody(house)
    run, ask = ruled(house, reached_by(approver.email), name="Let it run")
    assert left(ask) == pytest.approx(TEN_MINUTES, abs=5)
    assert ask["veto"]["reached_at"] is not None
    later(house, ask, minutes=9)
    assert look(house, ask)["status"] == "pending"
    later(house, ask, minutes=11)
    over = settled(house, ask)
    assert (over["status"], over["settled_by"]) == ("auto_approved", "rule: Let it run")
    assert over["answer"]["unopposed"]
    assert over["answer"]["note"] == "Nobody objected within 10 minutes."
    house.ended(run)
    assert everything_in(folder_of(house, run)) == {"a.txt": b"one"}
    (entry,) = audited(house, ask["id"], "ask.auto_approved")
    assert (entry["actor"], entry["data"]["rule"], entry["data"]["unopposed"]) == ("signoff", "Let it run", True)


def test_who_objects_denies_it(house: House) -> None:
    approver = somebody(house)
    run, ask = ruled(house, reached_by(approver.email))
    assert approver.answer(ask, "deny", note="Not today").json()["status"] == "denied"
    later(house, ask, minutes=11)
    house.ended(run)
    assert everything_in(folder_of(house, run)) == {}


def test_the_time_counts_only_once_somebody_who_may_object_was_reached(house: House) -> None:
    member, approver = somebody(house, "member"), somebody(house)
    _, ask = ruled(house, reached_by(member.email))
    assert (ask["runs_at"], ask["veto"]["reached_at"]) == (None, None)
    later(house, ask, hours=10)
    assert look(house, ask)["status"] == "pending"
    assert member.post(f"/api/asks/{ask['id']}/viewing").status_code == 204
    assert look(house, ask)["runs_at"] is None
    assert approver.post(f"/api/asks/{ask['id']}/viewing").status_code == 204
    assert look(house, ask)["runs_at"] is not None


def test_a_message_that_went_out_to_a_channel_reaches_somebody(house: House) -> None:
    _, ask = ruled(house, WINDOW)
    assert ask["runs_at"] is None
    house.parts.db.write(lambda session: note_reached(session, ask["id"], None))
    assert look(house, ask)["runs_at"] is not None
    assert [each["action"] for each in audited(house, ask["id"])] == ["ask.opened", "ask.window_started"]


def test_a_pause_keeps_the_time_that_is_left(house: House) -> None:
    approver = somebody(house)
    run, ask = ruled(house, reached_by(approver.email))
    house.post(f"/api/runs/{run}/pause")
    held = look(house, ask)
    assert held["runs_at"] is None
    assert held["veto"]["left"] == pytest.approx(TEN_MINUTES, abs=30)
    later(house, ask, hours=1)
    assert look(house, ask)["status"] == "pending"
    house.post(f"/api/runs/{run}/resume")
    assert look(house, ask)["runs_at"] is not None


Switch = Callable[[House, bool], Any]


def pause_everything(house: House, on: bool) -> None:
    house.post("/api/pause-all", {"enabled": on})


def stop_approvals(house: House, on: bool) -> None:
    house.post("/api/rules/emergency-stop", {"enabled": on})


def stop_by_the_rules(house: House, on: bool) -> None:
    found = yaml.safe_load(house.get("/api/rules")["yaml"])
    found["auto_approval"] = {"global_settings": {"emergency_stop": on}}
    assert house.client.put("/api/rules", json={"yaml": yaml.safe_dump(found)}).status_code == 200


@contextmanager
def switched_on(house: House, switch: Switch) -> Iterator[None]:
    switch(house, True)
    try:
        yield
    finally:
        switch(house, False)


def leave(house: House, run: str, ask: dict[str, Any], seconds: float) -> None:
    """Let only so much of the time be left."""

    def work(session: Session) -> None:
        row = session.get_one(Ask, ask["id"])
        row.veto = (row.veto or {}) | {"left": seconds}

    house.post(f"/api/runs/{run}/pause")
    house.parts.db.write(work)
    house.post(f"/api/runs/{run}/resume")


def from_now(ask: dict[str, Any]) -> float:
    return (datetime.fromisoformat(ask["runs_at"]) - clock.now()).total_seconds()


every_switch = pytest.mark.parametrize("switch", [pause_everything, stop_approvals, stop_by_the_rules])


@pytest.mark.both_databases
@every_switch
def test_what_is_left_when_everything_is_paused_or_approvals_are_stopped_is_left_afterwards(
    house: House, switch: Switch
) -> None:
    run, ask = ruled(house, reached_by(somebody(house).email))
    leave(house, run, ask, 360)
    with switched_on(house, switch):
        held = look(house, ask)
        assert (held["runs_at"], held["veto"]["suspended"]) == (None, True)
        assert held["veto"]["left"] == pytest.approx(360, abs=30)
        later(house, ask, hours=1)
        assert look(house, ask) | {"waiting_seconds": 0} == held | {"waiting_seconds": 0}
    counts = look(house, ask)
    assert counts["veto"]["suspended"] is False
    assert from_now(counts) == pytest.approx(360, abs=60)
    later(house, ask, minutes=11)
    assert look(house, ask)["status"] == "auto_approved"


@every_switch
def test_a_moment_at_least_is_left_afterwards(house: House, switch: Switch) -> None:
    run, ask = ruled(house, reached_by(somebody(house).email))
    leave(house, run, ask, 5)
    with switched_on(house, switch):
        assert look(house, ask)["veto"]["left"] == LEAST_SECONDS
    assert look(house, ask)["runs_at"] is not None


@every_switch
def test_somebody_is_reached_meanwhile_and_has_the_whole_time_afterwards(house: House, switch: Switch) -> None:
    approver = somebody(house)
    _, ask = ruled(house, reached_by(somebody(house, "member").email))
    with switched_on(house, switch):
        approver.post(f"/api/asks/{ask['id']}/viewing")
        held = look(house, ask)
        assert (held["runs_at"], held["veto"]["suspended"], held["veto"]["left"]) == (None, True, TEN_MINUTES)
    assert from_now(look(house, ask)) == pytest.approx(TEN_MINUTES, abs=60)


def test_an_ask_that_opens_while_approvals_are_stopped_waits_for_its_time(house: House) -> None:
    with switched_on(house, stop_approvals):
        _, ask = ruled(house, reached_by(somebody(house).email))
        assert (ask["runs_at"], ask["veto"]["suspended"]) == (None, True)
    assert from_now(look(house, ask)) == pytest.approx(TEN_MINUTES, abs=60)


@every_switch
def test_what_something_else_holds_goes_on_only_after_that(house: House, switch: Switch) -> None:
    run, ask = ruled(house, reached_by(somebody(house).email))
    with switched_on(house, switch):
        house.post(f"/api/runs/{run}/pause")
    assert look(house, ask)["runs_at"] is None
    with switched_on(house, switch):
        house.post(f"/api/runs/{run}/resume")
        assert look(house, ask)["runs_at"] is None
    assert look(house, ask)["runs_at"] is not None


@pytest.mark.both_databases
def test_many_windows_are_held_at_once_and_go_on_at_once(house: House) -> None:
    agent = ruled_agent(house, reached_by(somebody(house).email))
    asks = [house.ask(house.start(agent)) for _ in range(3)]
    for on in (True, False):
        with statements(house.parts.db) as sent:
            stop_approvals(house, on)
        assert len([each for each in sent.texts if "UPDATE asks" in each]) == 1
        assert len([each for each in sent.texts if "asks.veto IS NOT NULL" in each]) == 1
        assert [look(house, each)["veto"]["suspended"] for each in asks] == [on] * 3


def test_what_cannot_be_undone_waits_unless_the_rule_insists(house: House) -> None:
    sends = says("", call("send_message", {"channel": "#x", "text": "hi"}))
    approver = somebody(house)
    for insists in (False, True):
        agent = agent_that(house, sends, says("done"), tools=("send_message",))
        action = reached_by(approver.email) | ({"allow_irreversible": True} if insists else {})
        put_rules(house, rule(agent, action, tool="send_message"))
        run = house.start(agent)
        ask = house.ask(run)
        assert (ask["runs_at"] is not None) is insists
        assert any("does not run by itself" in each for each in ask["risk"]["reasons"]) is not insists
        later(house, ask, hours=1)
        assert look(house, ask)["status"] == ("auto_approved" if insists else "pending")


def test_a_critical_call_waits(house: House) -> None:
    agent = ruled_agent(house, reached_by(somebody(house).email), risk_overrides={"write_file": "critical"})
    ask = house.ask(house.start(agent))
    assert (ask["risk"]["level"], ask["veto"], ask["deadline"]) == ("critical", None, None)


@pytest.mark.parametrize(
    "more",
    [
        {"require_approval_count": 2},
        {"four_eyes": True},
        {"stages": [{"approvers": ["role:approver"]}]},
    ],
    ids=str,
)
def test_a_rule_that_wants_several_cannot_let_silence_approve(house: House, more: dict[str, Any]) -> None:
    text = text_of(rule("x", WINDOW | more))
    assert (
        "`approve` cannot" in problem(house.client.put("/api/rules", json={"yaml": text}), 422)["errors"][0]["message"]
    )


def test_nor_can_one_about_critical_risk_or_questions(house: House) -> None:
    for trigger in ({"risk_level": ["high", "critical"]}, {"ask_kind": "plan"}, {"reversible": False}):
        text = text_of(rule("x", WINDOW, **trigger))
        assert problem(house.client.put("/api/rules", json={"yaml": text}), 422)["errors"]


def test_a_stricter_rule_made_meanwhile_asks_again(house: House) -> None:
    approver = somebody(house)
    agent = ruled_agent(house, reached_by(approver.email), says("", WRITE), says("done"))
    run = house.start(agent)
    ask = house.ask(run)
    house.post(f"/api/runs/{run}/pause")
    house.post(f"/api/runs/{run}/resume")
    put_rules(house, rule(agent, {"require_approval_count": 2}, tool="write_file"))
    later(house, ask, minutes=11)
    again = house.until(lambda: next((each for each in house.asks(run) if each["id"] != ask["id"]), None))
    assert again["approvals_required"] == 2
    assert everything_in(folder_of(house, run)) == {}
