"""What happens when nobody answers in time, and who is told before."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.contract.ruling import audited, look, notices_to, people, ruled, settled, somebody, still
from tests.contract.scenes import QUESTION, problem, requests_of, waiting
from tests.house import House
from tests.wire import call, results

LONG = 3600


def question(**fields: Any) -> dict[str, Any]:
    return call("ask_question", {"question": "Which?", "type": "blocking", "responseType": "text", **fields})


def minutes(ask: dict[str, Any]) -> float:
    """How long an ask waits."""
    made, end = (datetime.fromisoformat(ask[name]) for name in ("created_at", "deadline"))
    return (end - made) / timedelta(minutes=1)


def expire(house: House, *asks: dict[str, Any]) -> None:
    """Let these asks, and all others that are open, expire now."""
    found = house.post("/api/asks/expire", {"older_than_seconds": 0})
    assert {ask["id"] for ask in asks} <= set(found["ids"])


def test_an_approval_waits_for_ever(house: House) -> None:
    _, ask = waiting(house)
    assert ask["deadline"] is None


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, 30),
        ({"type": "approval", "responseType": "approval"}, 15),
        ({"type": "error_recovery"}, 10),
        ({"timeoutMinutes": 45}, 45),
        ({"timeoutMinutes": 1}, 5),
        ({"timeoutMinutes": 100_000}, 1440),
    ],
    ids=str,
)
def test_a_question_has_a_deadline_between_five_minutes_and_a_day(
    house: House, fields: dict[str, Any], expected: int
) -> None:
    _, ask = waiting(house, question(**fields))
    assert minutes(ask) == pytest.approx(expected)


def test_a_rule_sets_the_deadline(house: House) -> None:
    _, ask = ruled(house, {"timeout_seconds": LONG, "on_timeout": "deny"})
    assert minutes(ask) == pytest.approx(60)
    assert ask["on_timeout"] == "deny"


def test_a_rule_may_wait_thirty_days(house: House) -> None:
    _, ask = ruled(house, {"timeout_seconds": 30 * 24 * LONG, "on_timeout": "cancel"})
    assert minutes(ask) == pytest.approx(30 * 24 * 60)


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("given", "status", "reason"),
    [
        ({"on_timeout": "cancel"}, "cancelled", "ask_expired"),
        ({"on_timeout": "fail"}, "failed", "ask_expired"),
        ({}, "failed", "ask_expired"),
        ({"on_timeout": "deny"}, "completed", "success"),
    ],
    ids=str,
)
def test_an_ask_that_nobody_answers_ends_as_its_rule_says(
    house: House, given: dict[str, Any], status: str, reason: str
) -> None:
    run, ask = ruled(house, {"timeout_seconds": 1, **given})
    ended = house.ended(run)
    assert (ended["status"], ended["completion_reason"]) == (status, reason)
    assert look(house, ask)["status"] == "expired"
    assert house.calls(run)[0]["status"] != "succeeded"
    assert house.calls(run)[0]["started_at"] is None


def test_a_refusal_by_time_is_read_by_the_agent(house: House) -> None:
    run, _ = ruled(house, {"timeout_seconds": 1, "on_timeout": "deny"})
    house.ended(run)
    assert house.calls(run)[0]["status"] == "denied"
    assert results(requests_of(house, run)[-1])[0]


def test_the_default_of_an_approval_is_never_to_act(house: House) -> None:
    run, ask = ruled(house, {"timeout_seconds": 1, "on_timeout": "default"})
    house.ended(run)
    assert look(house, ask)["status"] == "expired"
    assert house.calls(run)[0]["started_at"] is None


@pytest.mark.both_databases
def test_an_answer_after_the_deadline_is_a_conflict_that_names_the_outcome(house: House) -> None:
    _, ask = ruled(house, {"timeout_seconds": 1, "on_timeout": "deny"})
    settled(house, ask)
    late = problem(somebody(house).answer(ask), 409)
    assert late["state"]["status"] == look(house, ask)["status"] == "expired"


@pytest.mark.both_databases
def test_an_expiry_is_recorded_once_with_what_was_shown(house: House) -> None:
    run, ask = ruled(house, {"timeout_seconds": 1, "on_timeout": "deny"})
    house.ended(run)
    (entry,) = audited(house, ask["id"], "ask.expired")
    assert entry["data"]["digest"] == ask["digest"]
    assert audited(house, ask["id"], "ask.answered") == []


def test_signatures_do_not_save_an_ask_from_its_deadline(house: House) -> None:
    run, ask = ruled(house, {"require_approval_count": 2, "timeout_seconds": 3, "on_timeout": "cancel"})
    somebody(house).answer(ask)
    assert house.ended(run)["completion_reason"] == "ask_expired"
    assert house.calls(run)[0]["started_at"] is None


def test_the_ask_tells_what_happens_at_the_deadline(house: House) -> None:
    _, ask = waiting(house, question(defaultResponse="blue"))
    assert (ask["default"], ask["on_timeout"]) == ("blue", "default")
    _, ask = waiting(house, QUESTION)
    assert ask["on_timeout"] == "fail"


def test_an_expired_question_takes_its_default(house: House) -> None:
    run, ask = waiting(house, question(defaultResponse="blue"))
    expire(house, ask)
    assert house.ended(run)["status"] == "completed"
    found = look(house, ask)
    assert (found["status"], found["answer"]["value"]) == ("expired", "blue")
    assert "blue" in results(requests_of(house, run)[-1])[0]


def test_an_expired_question_without_a_default_fails_the_run(house: House) -> None:
    run, ask = waiting(house, QUESTION)
    expire(house, ask)
    ended = house.ended(run)
    assert (ended["status"], ended["completion_reason"]) == ("failed", "ask_expired")
    assert look(house, ask)["status"] == "expired"


def test_only_an_admin_lets_asks_expire(house: House) -> None:
    _, ask = waiting(house)
    problem(somebody(house).post("/api/asks/expire", {"older_than_seconds": 0}), 403)
    assert look(house, ask)["status"] == "pending"


@pytest.mark.both_databases
def test_younger_asks_do_not_expire_with_the_old(house: House) -> None:
    _, ask = waiting(house)
    assert ask["id"] not in house.post("/api/asks/expire", {"older_than_seconds": LONG})["ids"]
    assert still(look(house, ask)) == still(ask)


def test_an_admin_lets_old_approvals_expire_and_their_calls_do_not_run(house: House) -> None:
    (first, one), (second, two) = waiting(house), waiting(house)
    expire(house, one, two)
    for run, ask in ((first, one), (second, two)):
        house.ended(run)
        assert look(house, ask)["status"] == "expired"
        assert house.calls(run)[0]["started_at"] is None
        assert len(audited(house, ask["id"], "ask.expired")) == 1


def test_an_escalation_tells_the_next_who_may_then_decide(house: House) -> None:
    ann, boss = people(house, 2)
    chain = {"enabled": True, "after_seconds": 2, "escalate_to": [boss.email]}
    run, ask = ruled(house, {"approvers": [ann.email], "escalation": chain})
    problem(boss.answer(ask), 403)
    (notice,) = house.until(lambda: notices_to(house, ask, boss.email))
    assert notice["run_id"] == run
    assert look(house, ask)["status"] == "pending"
    # It is no longer like those that Ann alone decides.
    assert look(house, ask)["likeness"] != ask["likeness"]
    assert boss.answer(ask).json()["status"] == "approved"


def test_an_escalated_member_decides_without_the_role(house: House) -> None:
    boss = somebody(house, "member")
    chain = [{"after_seconds": 2, "escalate_to": [boss.email]}]
    _, ask = ruled(house, {"timeout_seconds": 4, "on_timeout": "escalate", "escalation": chain})
    problem(boss.answer(ask), 403)
    house.until(lambda: notices_to(house, ask, boss.email))
    assert boss.answer(ask).json()["status"] == "approved"


@pytest.mark.both_databases
def test_a_chain_tells_one_after_the_other(house: House) -> None:
    first, second = people(house, 2)
    chain = [
        {"after_seconds": 1, "escalate_to": [first.email]},
        {"after_seconds": 3, "escalate_to": [second.email]},
    ]
    _, ask = ruled(house, {"timeout_seconds": 1, "on_timeout": "escalate", "escalation": chain})
    house.until(lambda: notices_to(house, ask, second.email))
    (one,), (two,) = notices_to(house, ask, first.email), notices_to(house, ask, second.email)
    assert one["created_at"] < two["created_at"]


def test_an_ask_that_escalates_at_its_deadline_stays_open(house: House) -> None:
    (boss,) = people(house, 1)
    chain = {"after_seconds": 1, "escalate_to": [boss.email]}
    run, ask = ruled(house, {"timeout_seconds": 1, "on_timeout": "escalate", "escalation": chain})
    house.until(lambda: notices_to(house, ask, boss.email))
    assert look(house, ask)["status"] == "pending"
    assert house.run(run)["status"] == "waiting_approval"


def test_whom_it_was_taken_to_first_may_still_decide_after_an_escalation(house: House) -> None:
    ann, boss = people(house, 2)
    chain = {"after_seconds": 1, "escalate_to": [boss.email]}
    _, ask = ruled(house, {"approvers": [ann.email], "escalation": chain})
    house.until(lambda: notices_to(house, ask, boss.email))
    assert ann.answer(ask).json()["status"] == "approved"


def test_somebody_outside_is_told_and_decides_nothing(house: House) -> None:
    outside = "auditor@elsewhere.example"
    chain = {"after_seconds": 1, "escalate_to": [outside]}
    _, ask = ruled(house, {"escalation": chain})
    house.until(lambda: notices_to(house, ask, outside))
    assert look(house, ask)["status"] == "pending"


def test_an_escalation_is_recorded(house: House) -> None:
    (boss,) = people(house, 1)
    _, ask = ruled(house, {"escalation": {"after_seconds": 1, "escalate_to": [boss.email]}})
    house.until(lambda: notices_to(house, ask, boss.email))
    assert [entry for entry in audited(house, ask["id"]) if boss.email in str(entry["data"])]


def test_a_settled_ask_escalates_no_more(house: House) -> None:
    boss, last = people(house, 2)
    chain = [{"after_seconds": 2, "escalate_to": [boss.email]}, {"after_seconds": 3, "escalate_to": [last.email]}]
    run, ask = ruled(house, {"escalation": chain})
    house.answer(ask)
    house.ended(run)
    _, other = ruled(house, {"escalation": chain})
    house.until(lambda: notices_to(house, other, last.email))
    assert notices_to(house, ask, boss.email) == []


@pytest.mark.both_databases
def test_a_reminder_comes_before_the_deadline(house: House) -> None:
    ann = somebody(house)
    given = {"approvers": [ann.email], "timeout_seconds": 4, "remind_before_seconds": 3, "on_timeout": "deny"}
    _, ask = ruled(house, given)
    notice = house.until(lambda: notices_to(house, ask, ann.email))[-1]
    assert look(house, ask)["status"] == "pending"
    assert notice["created_at"] < ask["deadline"]


def test_a_rules_recipients_are_told_of_a_new_ask(house: House) -> None:
    watcher = "finance@elsewhere.example"
    _, ask = ruled(house, {"notification": {"channels": ["email"], "recipients": [watcher]}})
    assert house.until(lambda: notices_to(house, ask, watcher))


def test_asks_are_found_by_what_was_opened_before_a_time(house: House) -> None:
    run, ask = waiting(house)
    later = (datetime.fromisoformat(ask["created_at"]) + timedelta(seconds=1)).isoformat()
    assert house.get("/api/asks", run=run, before=ask["created_at"])["total"] == 0
    assert house.get("/api/asks", run=run, before=later)["total"] == 1
