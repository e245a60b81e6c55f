"""Plan first: propose, have it approved, run exactly that, summarise."""

import json
from typing import Any

import pytest

from tests.contract.ruling import audited, look, notices_to, people, put_rules, rule, somebody, still
from tests.contract.scenes import WRITE, agent_that, problem, requests_of, run_that, said_to_model
from tests.house import House
from tests.wire import call, results, says


def step(number: int, tool: str = "write_file", **arguments: Any) -> dict[str, Any]:
    given = arguments or {"path": f"{number}.txt", "content": str(number)}
    return {"id": f"s{number}", "tool": tool, "arguments": given, "purpose": f"purpose {number}"}


def plan(*steps: dict[str, Any], summary: str = "In three steps") -> dict[str, Any]:
    return says("", call("propose_plan", {"steps": list(steps), "summary": summary}))


THREE = plan(step(1), step(2), step(3))


def planned(house: House, *answers: dict[str, Any], **fields: Any) -> tuple[str, dict[str, Any]]:
    """A run that waits for its plan to be approved."""
    run = run_that(house, *(answers or (THREE,)), mode="plan", **fields)
    return run, house.ask(run)


def ran(house: House, run: str) -> list[str]:
    """Which files were written, in order."""
    done = [each for each in house.calls(run) if each["tool"] == "write_file" and each["status"] == "succeeded"]
    return [each["arguments"]["path"] for each in done]


def test_a_plan_is_shown_with_its_steps_and_nothing_runs(house: House) -> None:
    run, ask = planned(house)
    assert ask["kind"] == "plan"
    steps = ask["plan"]["steps"]
    assert [each["id"] for each in steps] == ["s1", "s2", "s3"]
    assert steps[0]["tool"] == "write_file"
    assert steps[0]["arguments"] == {"path": "1.txt", "content": "1"}
    assert steps[0]["purpose"] == "purpose 1"
    assert "In three steps" in json.dumps(ask)
    assert house.status(run, "waiting_approval")
    assert ran(house, run) == []


def test_steps_without_ids_get_one_each(house: House) -> None:
    steps = [{name: value for name, value in step(number).items() if name != "id"} for number in (1, 2)]
    run, ask = planned(house, plan(*steps))
    ids = [each["id"] for each in ask["plan"]["steps"]]
    assert len(set(ids)) == 2
    house.answer(ask, steps=[ids[1]])
    house.ended(run)
    assert ran(house, run) == ["2.txt"]


def test_an_approved_plan_runs_all_of_its_steps_in_order_without_asking_again(house: House) -> None:
    run, ask = planned(house)
    house.answer(ask)
    assert house.ended(run)["status"] == "completed"
    assert ran(house, run) == ["1.txt", "2.txt", "3.txt"]
    assert house.get(f"/api/runs/{run}/asks")["total"] == 1


def test_the_model_reads_the_results_of_the_steps(house: House) -> None:
    run, ask = planned(house, plan(step(1), step(2, "read_file", path="1.txt")), tools=("write_file", "read_file"))
    house.answer(ask)
    house.ended(run)
    assert "s2" in results(requests_of(house, run)[1])[0]
    assert len(requests_of(house, run)) == 2


def test_a_step_that_fails_beside_others_that_only_read_leaves_them_their_own_ends(house: House) -> None:
    steps = (step(1, "read_file", path="missing.txt"), step(2, "list_files", path="."), step(3))
    run, ask = planned(house, plan(*steps), tools=("write_file", "read_file", "list_files"))
    house.answer(ask)
    assert house.ended(run)["status"] == "completed"
    ends = {each["tool"]: (each["status"], each["error"] or "") for each in house.calls(run)}
    assert ends["read_file"][0] == "failed"
    assert "no file" in ends["read_file"][1].lower()
    assert ends["list_files"] == ("succeeded", "")
    # What builds on it is not done.
    assert ends["write_file"][0] == "failed"
    assert ran(house, run) == []


def test_only_the_approved_steps_run(house: House) -> None:
    run, ask = planned(house)
    house.answer(ask, steps=["s1", "s3"])
    house.ended(run)
    assert ran(house, run) == ["1.txt", "3.txt"]
    assert [each["id"] for each in look(house, ask)["answer"]["steps"]] == ["s1", "s3"]


def test_an_edited_step_runs_as_edited(house: House) -> None:
    run, ask = planned(house)
    house.answer(ask, steps=["s1", {"id": "s2", "arguments": {"path": "two.txt", "content": "II"}}])
    house.ended(run)
    assert ran(house, run) == ["1.txt", "two.txt"]
    assert house.get(f"/api/runs/{run}/asks")["total"] == 1


def test_no_step_at_all_runs_when_none_is_approved(house: House) -> None:
    run, ask = planned(house)
    problem(house.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve", "steps": []}), 422)
    assert house.run(run)["status"] == "waiting_approval"
    assert ran(house, run) == []


@pytest.mark.parametrize(
    "steps",
    [["s9"], ["s1", "s9"], ["s1", "s1"], [{"arguments": {}}], [{"id": "s1", "arguments": {"path": 1}}], [7]],
    ids=str,
)
def test_steps_that_are_not_of_the_plan_approve_nothing(house: House, steps: list[Any]) -> None:
    run, ask = planned(house)
    problem(house.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve", "steps": steps}), 422)
    assert still(look(house, ask)) == still(ask)
    assert ran(house, run) == []


def test_a_refused_plan_is_made_again_with_the_reason(house: House) -> None:
    run, ask = planned(house, THREE, plan(step(4)))
    house.answer(ask, "deny", note="One step must do")
    again = house.until(lambda: [each for each in house.asks(run) if each["id"] != ask["id"]])[0]
    assert "One step must do" in results(requests_of(house, run)[1])[0]
    assert [each["id"] for each in again["plan"]["steps"]] == ["s4"]
    house.answer(again)
    assert house.ended(run)["status"] == "completed"
    assert ran(house, run) == ["4.txt"]


def test_a_plan_refused_for_good_ends_the_run(house: House) -> None:
    run, ask = planned(house)
    house.answer(ask, "deny", note="Not at all", end_run=True)
    ended = house.ended(run)
    assert (ended["status"], ended["completion_reason"]) == ("cancelled", "rejected")
    assert ran(house, run) == []


def test_a_request_that_needs_no_step_is_answered_without_a_plan(house: House) -> None:
    run = run_that(house, says("Paris is the capital of France."), mode="plan")
    assert house.ended(run)["status"] == "completed"
    assert house.get(f"/api/runs/{run}/asks")["total"] == 0
    assert "Paris" in json.dumps([house.run(run)["summary"], house.messages(run)])


def test_nothing_acts_while_it_plans(house: House) -> None:
    run = run_that(house, says("", WRITE), THREE, mode="plan", autonomy="full")
    ask = house.ask(run)
    assert ask["kind"] == "plan"
    assert ran(house, run) == []
    house.answer(ask)
    house.ended(run)
    assert ran(house, run) == ["1.txt", "2.txt", "3.txt"]


def test_an_agent_may_plan_by_itself_and_a_run_may_choose_otherwise(house: House) -> None:
    agent = agent_that(house, THREE, tools=("write_file",), mode="plan")
    run = house.start(agent)
    assert (house.ask(run)["kind"], house.run(run)["mode"]) == ("plan", "plan")
    assert house.run(house.start(agent, mode="auto"))["mode"] == "auto"


def test_a_run_of_an_agent_that_does_not_plan_may_plan(house: House) -> None:
    run = house.start(agent_that(house, THREE, tools=("write_file",)), mode="plan")
    assert house.ask(run)["kind"] == "plan"


@pytest.mark.parametrize(
    "bad",
    [{"steps": []}, {"steps": [step(1, "no_such_tool")]}, {"steps": [step(1, path=1)]}, {"steps": "all of them"}],
    ids=str,
)
def test_a_plan_that_cannot_run_goes_back_to_the_model(house: House, bad: dict[str, Any]) -> None:
    run, ask = planned(house, says("", call("propose_plan", bad)), plan(step(5)))
    assert [each["id"] for each in ask["plan"]["steps"]] == ["s5"]
    assert len(requests_of(house, run)) == 2
    assert "propose_plan" in json.dumps(requests_of(house, run)[1]["messages"])


def test_a_step_that_fails_is_told_to_the_model(house: House) -> None:
    moving = step(1, "move_file", path="missing", to="b")
    run, ask = planned(house, plan(moving, step(2)), tools=("write_file", "move_file"))
    house.answer(ask)
    assert house.ended(run)["status"] == "completed"
    assert [each["status"] for each in house.calls(run) if each["tool"] == "move_file"] == ["failed"]
    assert "missing" in said_to_model(house, run)


def test_a_plan_with_a_step_that_a_rule_denies_goes_back_to_the_model(house: House) -> None:
    agent = agent_that(house, plan(step(1), step(2)), plan(step(3)), tools=("write_file",), mode="plan")
    second = {"field": "path", "operator": "==", "value": "2.txt"}
    put_rules(house, rule(agent, {"deny": True, "reason": "never the second"}, data_threshold=second))
    ask = house.ask(run := house.start(agent))
    assert [each["id"] for each in ask["plan"]["steps"]] == ["s3"]
    assert "never the second" in said_to_model(house, run)


def test_a_step_whose_rule_denies_it_does_not_run_even_when_approved(house: House) -> None:
    agent = agent_that(house, plan(step(1), step(2)), tools=("write_file",), mode="plan")
    ask = house.ask(run := house.start(agent))
    second = {"field": "path", "operator": "==", "value": "2.txt"}
    put_rules(house, rule(agent, {"deny": True, "reason": "never the second"}, data_threshold=second))
    house.answer(ask)
    house.ended(run)
    assert ran(house, run) == ["1.txt"]
    assert "never the second" in said_to_model(house, run)


def test_a_step_with_approvers_of_its_own_tells_whom_its_rule_names(house: House) -> None:
    signer, recipient = people(house, 2)
    agent = agent_that(house, plan(step(1)), tools=("write_file",), mode="plan")
    wanted = {"approvers": [signer.email], "notification": {"recipients": [recipient.email]}}
    put_rules(house, rule(agent, wanted))
    house.answer(house.ask(run := house.start(agent)))
    own = house.until(lambda: next((each for each in house.get("/api/asks", run=run, kind="approval")["items"]), None))
    assert notices_to(house, own, recipient.email)
    assert not notices_to(house, own, signer.email)


def test_an_edit_of_a_step_into_what_a_rule_denies_is_refused(house: House) -> None:
    agent = agent_that(house, THREE, tools=("write_file",), mode="plan")
    secret = {"field": "path", "operator": "==", "value": "secret"}
    put_rules(house, rule(agent, "deny", data_threshold=secret))
    ask = house.ask(run := house.start(agent))
    body = {"decision": "approve", "steps": [{"id": "s1", "arguments": {"path": "secret", "content": "x"}}]}
    response = house.client.post(f"/api/asks/{ask['id']}/answer", json=body)
    if response.status_code == 200:
        house.ended(run)
    else:
        problem(response, 422)
    assert "secret" not in ran(house, run)


def test_a_call_beside_the_plan_asks_as_any_other(house: House) -> None:
    extra = says("", call("write_file", {"path": "extra.txt", "content": "x"}))
    run, ask = planned(house, plan(step(1)), extra)
    house.answer(ask)
    second = house.until(lambda: [each for each in house.asks(run) if each["id"] != ask["id"]])[0]
    assert (second["kind"], second["arguments"]["path"]) == ("approval", "extra.txt")
    assert ran(house, run) == ["1.txt"]


def test_an_approved_step_called_again_as_it_was_needs_no_second_approval_only_once_it_failed(house: House) -> None:
    again = says("", call("write_file", {"path": "1.txt", "content": "changed"}))
    run, ask = planned(house, plan(step(1)), again)
    house.answer(ask)
    assert house.until(lambda: [each for each in house.asks(run) if each["id"] != ask["id"]])[0]["kind"] == "approval"


@pytest.mark.both_databases
def test_two_who_decide_on_a_plan_at_once_have_one_outcome(house: House) -> None:
    run, ask = planned(house)
    ann, bob = people(house, 2)
    first, second = ann.answer(ask), bob.answer(ask, "deny", note="late")
    assert first.json()["status"] == "approved"
    assert problem(second, 409)["state"]["status"] == "approved"
    house.ended(run)
    assert ran(house, run) == ["1.txt", "2.txt", "3.txt"]


def test_a_plan_is_approved_before_and_not_after_it_ran(house: House) -> None:
    run, ask = planned(house)
    house.answer(ask)
    house.ended(run)
    problem(somebody(house).answer(ask), 409)
    assert len(ran(house, run)) == 3


def test_the_record_holds_what_was_planned_and_what_was_approved(house: House) -> None:
    run, ask = planned(house)
    house.answer(ask, steps=["s2"])
    house.ended(run)
    opened, answered = audited(house, ask["id"])
    assert (opened["action"], answered["action"]) == ("ask.opened", "ask.answered")
    assert opened["data"]["digest"] == answered["data"]["digest"] == ask["digest"]
    assert "s2" in json.dumps(answered["data"])
