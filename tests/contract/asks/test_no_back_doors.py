"""Back doors that a reviewer once found open: past a signature, a rule, a role or a plan."""

from typing import Any

import pytest

from tests.contract.asks.test_plans import plan, ran, step
from tests.contract.ruling import (
    Person,
    a_group,
    audited,
    look,
    people,
    put_rules,
    rule,
    ruled,
    somebody,
)
from tests.contract.scenes import WRITE, agent_that, at_once, problem, said_to_model
from tests.house import House
from tests.wire import call, says

TWO = {"require_approval_count": 2}
PROPOSED = {"path": "a.txt", "content": "one"}
BIG = {"path": "big.txt", "content": "x"}
# Two at once meet only now and then.
ROUNDS = 8


def is_path(value: str) -> dict[str, Any]:
    return {"data_threshold": {"field": "path", "operator": "==", "value": value}}


def small(house: House, action: Any, starter: Person | None = None, **trigger: Any) -> tuple[str, dict[str, Any]]:
    """A run whose call anybody may approve, beside a rule about what is big; and its ask."""
    agent = agent_that(house, says("", WRITE), tools=("write_file",))
    put_rules(house, rule(agent, action, **(trigger or is_path("big.txt"))))
    if starter is None:
        run = house.start(agent)
    else:
        run = starter.post("/api/runs", {"agent": agent, "task": "mine"}).json()["id"]
    return run, house.ask(run)


def is_kept_unsigned(house: House, ask: dict[str, Any]) -> bool:
    """Whether everybody sees the edited call, signed by nobody."""
    shown = look(house, ask)
    assert (shown["status"], shown["approvals"]) == ("pending", [])
    assert (shown["arguments"], shown["original_arguments"]) == (BIG, PROPOSED)
    return "big.txt" in shown["title"] and shown["digest"] != ask["digest"]


def own_ask(house: House, run: str) -> dict[str, Any]:
    """The ask about a single step of an approved plan."""
    return house.until(lambda: [each for each in house.asks(run) if each["kind"] == "approval"])[0]


def step_of(house: House, run: str, path: str) -> dict[str, Any]:
    (found,) = [each for each in house.calls(run) if each["arguments"].get("path") == path]
    return found


# Edits into what a rule wants others for


def test_an_edit_into_what_needs_two_of_a_group_is_kept_and_counts_for_nobody_outside_it(house: House) -> None:
    ann, bob, outsider = people(house, 3)
    run, ask = small(house, {**TWO, "approvers": [a_group(house, ann, bob)]})
    assert outsider.answer(ask, arguments=BIG).status_code == 200
    assert is_kept_unsigned(house, ask)
    problem(outsider.answer(ask), 403)
    assert ann.reads_and_answers(ask).json()["status"] == "pending"
    assert bob.reads_and_answers(ask).json()["status"] == "approved"
    house.ended(run)
    assert ran(house, run) == ["big.txt"]


def test_an_edit_into_what_needs_four_eyes_is_kept_and_not_approved_by_who_started_the_run(house: House) -> None:
    me, other = people(house, 2)
    run, ask = small(house, {"four_eyes": True}, me)
    assert me.answer(ask, arguments=BIG).status_code == 200
    assert is_kept_unsigned(house, ask)
    problem(me.answer(ask), 403)
    assert other.reads_and_answers(ask).json()["status"] == "approved"
    house.ended(run)
    assert ran(house, run) == ["big.txt"]


def test_an_edit_into_what_a_named_person_approves_is_kept_for_that_person(house: House) -> None:
    named, other = people(house, 2)
    run, ask = small(house, {"approvers": [named.email]})
    assert other.answer(ask, arguments=BIG).status_code == 200
    assert is_kept_unsigned(house, ask)
    problem(other.answer(ask), 403)
    assert named.reads_and_answers(ask).json()["status"] == "approved"
    house.ended(run)
    assert ran(house, run) == ["big.txt"]


def test_a_named_person_who_edits_into_their_own_rule_has_decided(house: House) -> None:
    named = somebody(house)
    run, ask = small(house, {"approvers": [named.email]})
    assert named.answer(ask, arguments=BIG).json()["status"] == "approved"
    house.ended(run)
    assert ran(house, run) == ["big.txt"]


def test_an_edit_that_only_waits_for_others_is_in_the_record_as_an_edit(house: House) -> None:
    named, other = people(house, 2)
    _, ask = small(house, {"approvers": [named.email]})
    other.answer(ask, arguments=BIG)
    assert [each["action"] for each in audited(house, ask["id"])] == ["ask.opened", "ask.edited"]


def test_an_edit_meets_rules_about_the_run_too(house: House) -> None:
    looks = [{"field": "path", "operator": "==", "value": "big.txt"}]
    looks.append({"field": "context.mode", "operator": "==", "value": "auto"})
    _, ask = small(house, TWO, data_threshold=looks)
    assert house.answer(ask, arguments=BIG)["status"] == "pending"
    assert look(house, ask)["approvals_required"] == 2


def test_an_edit_in_a_later_stage_begins_with_the_first_stage_again(house: House) -> None:
    lead, first, second = people(house, 3)
    managers = {"name": "manager", "approvers": [first.email, second.email]}
    run, ask = ruled(house, {"stages": [{"name": "lead", "approvers": [lead.email]}, managers]})
    assert lead.answer(ask).status_code == 200
    assert first.answer(ask, arguments=BIG).status_code == 200
    assert is_kept_unsigned(house, ask)
    problem(second.answer(ask), 403)
    assert lead.reads_and_answers(ask).json()["status"] == "pending"
    assert second.reads_and_answers(ask).json()["status"] == "approved"
    house.ended(run)
    assert ran(house, run) == ["big.txt"]


@pytest.mark.parametrize("action", [TWO, {"approvers": ["role:admin"]}, {"four_eyes": True}], ids=str)
def test_an_edit_in_a_batch_into_what_a_rule_wants_decided_alone_is_refused(house: House, action: Any) -> None:
    calls = [call("write_file", {"path": path, "content": "x"}, path) for path in ("1.txt", "2.txt")]
    agent = agent_that(house, says("", *calls), tools=("write_file",))
    put_rules(house, rule(agent, action, **is_path("big.txt")), rule(agent, {"batch_alike": True}, tool="write_file"))
    run = house.start(agent)
    ask = house.ask(run)
    refused = problem(somebody(house).answer(ask, arguments={"calls": [BIG, None]}), 422)
    assert [each["path"] for each in refused["errors"]] == ["arguments.calls.0"]
    assert (look(house, ask)["status"], look(house, ask)["arguments"]) == ("pending", ask["arguments"])
    house.answer(ask, arguments={"calls": [None, {"path": "3.txt", "content": "x"}]})
    house.ended(run)
    assert ran(house, run) == ["3.txt"]


def test_an_edit_to_no_arguments_at_all_runs_with_none(house: House) -> None:
    listing = says("", call("list_files", {"path": "secret"}))
    run = house.start(agent_that(house, listing, tools=("list_files",), autonomy="approve_all"))
    assert house.answer(house.ask(run), arguments={})["answer"]["arguments"] == {}
    house.ended(run)
    ran_as = house.calls(run)[0]
    assert (ran_as["arguments"], ran_as["proposed_arguments"]) == ({}, {"path": "secret"})
    assert ran_as["status"] == "succeeded"


# Plans


def test_a_step_that_waited_for_two_signatures_still_needs_both_after_an_earlier_step_failed(house: House) -> None:
    fails, waits = step(1, path=".", content="x"), step(2)
    again = says("", call("write_file", waits["arguments"]))
    agent = agent_that(house, plan(fails, waits), again, tools=("write_file",), mode="plan")
    put_rules(house, rule(agent, TWO, **is_path("2.txt")))
    run = house.start(agent)
    house.answer(house.ask(run))
    house.until(lambda: house.get(f"/api/runs/{run}/asks")["total"] == 3)
    ask = own_ask(house, run)
    assert (ask["approvals_required"], ask["approvals"]) == (2, [])
    ann, bob = people(house, 2)
    assert ann.answer(ask).json()["status"] == "pending"
    assert ran(house, run) == []
    assert bob.answer(ask).json()["status"] == "approved"
    house.ended(run)
    assert ran(house, run) == ["2.txt"]


def test_the_ask_about_a_step_that_is_not_reached_is_closed(house: House) -> None:
    agent = agent_that(house, plan(step(1, path=".", content="x"), step(2)), tools=("write_file",), mode="plan")
    put_rules(house, rule(agent, TWO, **is_path("2.txt")))
    run = house.start(agent)
    house.answer(house.ask(run))
    assert house.ended(run)["status"] == "completed"
    asks = house.get(f"/api/runs/{run}/asks")["items"]
    assert {each["kind"]: each["status"] for each in asks} == {"plan": "approved", "approval": "cancelled"}
    assert step_of(house, run, "2.txt")["status"] == "denied"


def test_a_deny_rule_made_while_an_approved_step_still_waits_stops_that_step(house: House) -> None:
    ann = somebody(house)
    agent = agent_that(house, plan(step(1), step(2)), tools=("write_file",), mode="plan")
    first = rule(agent, {"approvers": [ann.email]}, **is_path("1.txt"))
    put_rules(house, first)
    run = house.start(agent)
    house.answer(house.ask(run))
    waits = own_ask(house, run)
    put_rules(house, first, rule(agent, {"deny": True, "reason": "no more of it"}, **is_path("2.txt")))
    assert ann.answer(waits).status_code == 200
    house.ended(run)
    assert ran(house, run) == ["1.txt"]
    assert step_of(house, run, "2.txt")["status"] == "denied"
    assert "no more of it" in said_to_model(house, run)


def test_a_retry_from_the_last_good_step_without_an_approved_plan_plans_again(house: House) -> None:
    ann = somebody(house)
    listing, free = says("", call("list_files", {})), call("write_file", {"path": "free.txt", "content": "x"})
    means = {"tools": ("write_file", "list_files"), "mode": "plan", "autonomy": "full"}
    agent = agent_that(house, listing, plan(step(1)), **means)
    put_rules(house, rule(agent, {"approvers": [ann.email]}, tool="write_file", **is_path("1.txt")))
    run = house.start(agent)
    house.answer(house.ask(run))
    own_ask(house, run)
    house.post(f"/api/runs/{run}/cancel")
    house.model.script(agent, listing, says("", free), plan(step(2)))
    again = house.post(f"/api/runs/{run}/retry", {"from": "last_good"}, 201)["id"]
    assert house.ask(again)["kind"] == "plan"
    assert ran(house, again) == []
    free_step = step_of(house, again, "free.txt")
    assert (free_step["status"], free_step["verdict"]["verdict"]) == ("failed", "deny")
    assert "no plan is approved yet" in free_step["verdict"]["reasons"][0]


# Roles


FOLLOWING = [("continue", {"instructions": "go on"}), ("retry", {}), ("retry", {"from": "last_good"})]


@pytest.mark.parametrize(("how", "body"), FOLLOWING, ids=str)
def test_a_member_who_follows_an_admins_free_run_gets_the_agents_own_autonomy(
    house: House, how: str, body: dict[str, Any]
) -> None:
    agent = agent_that(house, says("", WRITE), tools=("write_file",), autonomy="approve_all")
    run = house.start(agent, autonomy="full")
    house.ended(run)
    house.model.script(agent, says("", WRITE), says("", WRITE), says("", WRITE))
    made = somebody(house, "member").post(f"/api/runs/{run}/{how}", body)
    assert (made.status_code, made.json()["autonomy"]) == (201, "approve_all")
    assert house.ask(made.json()["id"])["tool"] == "write_file"


@pytest.mark.parametrize(("how", "body"), FOLLOWING, ids=str)
def test_an_admin_who_follows_a_free_run_keeps_it_free(house: House, how: str, body: dict[str, Any]) -> None:
    run = house.start(agent_that(house, tools=("write_file",), autonomy="approve_all"), autonomy="full")
    house.ended(run)
    assert house.post(f"/api/runs/{run}/{how}", body, 201)["autonomy"] == "full"


# Two at the same moment


@pytest.mark.both_databases
def test_two_who_sign_the_first_stage_at_once_never_fill_the_second(house: House) -> None:
    ann, bob, manager = people(house, 3)
    leads = {"name": "lead", "approvers": [ann.email, bob.email]}
    for _ in range(ROUNDS):
        _, ask = ruled(house, {"stages": [leads, {"name": "manager", "approvers": [manager.email]}]})
        answers = at_once(2, lambda index, ask=ask: (ann, bob)[index].answer(ask))
        signed, refused = sorted(answers, key=lambda each: each.status_code)
        assert signed.status_code == 200, signed.text
        # The second comes at the same moment, or when the stage that was theirs is over: both are races, and clear.
        code = {403: "forbidden", 409: "ask_changed"}[refused.status_code]
        assert problem(refused, refused.status_code)["code"] == code
        shown = look(house, ask)
        assert (shown["status"], [each["stage"] for each in shown["approvals"]]) == ("pending", ["lead"])
        assert manager.answer(ask).json()["status"] == "approved"


@pytest.mark.both_databases
def test_whoever_signs_while_another_edits_signs_what_they_saw_or_hears_of_the_change(house: House) -> None:
    ann, bob, cy = people(house, 3)
    for _ in range(ROUNDS):
        _, ask = ruled(house, TWO)
        seen = {"digest": ask["digest"]}
        given = ({"arguments": BIG, **seen}, seen)
        edit, plain = at_once(2, lambda index, ask=ask, given=given: (ann, bob)[index].answer(ask, **given[index]))
        assert edit.status_code == 200, edit.text
        # A signature before the edit is taken and then void; one after it is refused, for it saw something else.
        if plain.status_code != 200:
            late = problem(plain, 409)
            assert (late["code"], late["state"]["status"]) == ("ask_changed", "pending")
        shown = look(house, ask)
        assert (shown["status"], [each["by"] for each in shown["approvals"]]) == ("pending", [ann.email])
        assert shown["arguments"] == BIG
        assert cy.reads_and_answers(ask).json()["status"] == "approved"
