"""What is kept: lessons, digests, the policy's version, the record."""

import json
from typing import Any

import pytest

from signoff.kit.ids import new_id
from signoff.kit.jsons import digest
from tests.contract.ruling import audited, look, people, put_rules, rule, ruled, ruled_agent, settled, somebody
from tests.contract.scenes import WRITE, agent_that, problem, run_that, waiting
from tests.house import House
from tests.wire import call, says

EDITED = {"path": "reports/a.txt", "content": "one"}


def system_prompt(request: dict[str, Any]) -> str:
    return "\n".join(str(each["content"]) for each in request["messages"] if each["role"] in {"system", "developer"})


def lessons(house: House, agent: str) -> list[dict[str, Any]]:
    return [each for each in house.get("/api/lessons", limit=200)["items"] if each["agent"] == agent]


def taught(house: House, decision: str, **fields: Any) -> str:
    """An agent to whom one ask was answered so."""
    agent = agent_that(house, says("", WRITE), tools=("write_file",))
    run = house.start(agent)
    house.answer(house.ask(run), decision, **fields)
    house.ended(run)
    return agent


def test_a_refusal_is_kept_with_its_reason(house: House) -> None:
    agent = taught(house, "deny", note="Never on a Friday")
    (lesson,) = lessons(house, agent)
    assert (lesson["tool"], lesson["reason"], lesson["created_by"]) == (
        "write_file",
        "Never on a Friday",
        "signoff-token@localhost",
    )
    assert lesson["original"] == {"path": "a.txt", "content": "one"}
    assert lesson["changed"] is None


def test_an_edit_is_kept_with_what_was_and_what_became_of_it(house: House) -> None:
    agent = taught(house, "approve", arguments=EDITED, note="Reports have a folder")
    (lesson,) = lessons(house, agent)
    assert (lesson["original"], lesson["changed"]) == ({"path": "a.txt", "content": "one"}, EDITED)
    assert lesson["reason"] == "Reports have a folder"


def test_a_plain_approval_teaches_nothing(house: House) -> None:
    assert lessons(house, taught(house, "approve")) == []


def test_an_edit_that_changes_nothing_teaches_nothing(house: House) -> None:
    assert lessons(house, taught(house, "approve", arguments={"path": "a.txt", "content": "one"})) == []


@pytest.mark.both_databases
def test_the_lesson_is_told_to_the_agent_the_next_time(house: House) -> None:
    reason = f"Never on day {new_id()}"
    agent = taught(house, "deny", note=reason)
    assert reason not in system_prompt(house.model.asked(agent)[0])
    house.ask(house.start(agent))
    assert reason in system_prompt(house.model.asked(agent)[-1])


def test_an_edit_is_told_to_the_agent_with_what_it_became(house: House) -> None:
    agent = taught(house, "approve", arguments=EDITED, note="Reports have a folder")
    house.ask(house.start(agent))
    prompt = system_prompt(house.model.asked(agent)[-1])
    assert "Reports have a folder" in prompt
    assert "reports/a.txt" in prompt


@pytest.mark.both_databases
def test_the_lesson_is_shown_beside_the_next_ask(house: House) -> None:
    reason = f"Never on day {new_id()}"
    agent = taught(house, "deny", note=reason)
    ask = look(house, house.ask(house.start(agent)))
    assert reason in [each["reason"] for each in ask["lessons"]]


def test_the_lesson_of_one_tool_is_not_shown_beside_another(house: House) -> None:
    gone = says("", call("delete_file", {"path": "a"}))
    agent = agent_that(house, says("", WRITE), gone, tools=("write_file", "delete_file"))
    run = house.start(agent)
    first = house.ask(run)
    house.answer(first, "deny", note="Never on a Friday")
    second = house.until(lambda: [ask for ask in house.asks(run) if ask["id"] != first["id"]])[0]
    assert look(house, second)["lessons"] == []


def test_a_plan_that_was_refused_or_a_question_teaches_nothing_about_a_tool(house: House) -> None:
    question = call("ask_question", {"question": "Which?", "type": "blocking", "responseType": "text"})
    run, ask = waiting(house, question)
    house.answer(ask, "respond", value="blue")
    house.ended(run)
    assert lessons(house, house.run(run)["agent"]) == []


def test_opening_signing_and_answering_are_recorded_with_what_was_seen(house: House) -> None:
    _, ask = ruled(house, {"require_approval_count": 2})
    ann, bob = people(house, 2)
    ann.answer(ask)
    bob.answer(ask, note="fine")
    opened, signed, answered = audited(house, ask["id"])
    assert [entry["action"] for entry in (opened, signed, answered)] == ["ask.opened", "ask.signed", "ask.answered"]
    assert [entry["actor"] for entry in (signed, answered)] == [ann.email, bob.email]
    assert {entry["data"]["digest"] for entry in (opened, signed, answered)} == {ask["digest"]}
    assert answered["data"]["answer"]["note"] == "fine"
    assert {"via", "address"} <= signed["data"].keys() & answered["data"].keys()


def test_each_refused_attempt_leaves_no_trace_of_a_decision(house: House) -> None:
    _, ask = ruled(house, {"approvers": ["role:admin"]})
    problem(somebody(house).answer(ask), 403)
    assert [entry["action"] for entry in audited(house, ask["id"])] == ["ask.opened"]


def test_assigning_is_recorded_with_who_and_to_whom(house: House) -> None:
    _, ask = waiting(house)
    ann = somebody(house)
    house.post(f"/api/asks/{ask['id']}/assign", {"user": ann.email})
    (entry,) = audited(house, ask["id"], "ask.assigned")
    assert (entry["actor"], entry["data"]["to"]) == ("signoff-token@localhost", ann.email)


def test_the_record_of_an_edit_names_what_was_approved_and_what_ran(house: House) -> None:
    run, ask = waiting(house)
    house.answer(ask, arguments=EDITED)
    house.ended(run)
    (answered,) = audited(house, ask["id"], "ask.answered")
    assert answered["data"]["answer"]["arguments"] == EDITED
    (ran,) = audited(house, house.calls(run)[0]["id"], "call.succeeded")
    assert ran["data"]["digest"] != ask["digest"]
    assert ran["data"]["ask"] == ask["id"]


def test_an_approval_that_ran_as_proposed_ran_with_what_was_shown(house: House) -> None:
    run, ask = waiting(house)
    house.answer(ask)
    house.ended(run)
    (ran,) = audited(house, house.calls(run)[0]["id"], "call.succeeded")
    assert (ran["data"]["ask"], ran["data"]["digest"]) == (ask["id"], digest(ask["arguments"]))


def test_the_record_keeps_what_was_seen_and_what_ran_in_full(house: House) -> None:
    run, ask = waiting(house)
    house.answer(ask, arguments=EDITED)
    house.ended(run)
    (opened,) = audited(house, ask["id"], "ask.opened")
    (answered,) = audited(house, ask["id"], "ask.answered")
    (ran,) = audited(house, house.calls(run)[0]["id"], "call.succeeded")
    assert opened["data"]["arguments"] == ask["arguments"]
    assert answered["data"]["arguments"] == ask["arguments"]
    assert answered["data"]["answer"]["arguments"] == ran["data"]["arguments"] == EDITED
    assert ran["data"]["original_arguments"] == ask["arguments"]


def test_what_one_person_changed_and_another_signed_is_on_record_as_it_was_before_and_after(house: House) -> None:
    _, ask = ruled(house, {"require_approval_count": 2})
    ann, bob = people(house, 2)
    ann.answer(ask, arguments=EDITED)
    bob.answer(house.get(f"/api/asks/{ask['id']}"), digest=house.get(f"/api/asks/{ask['id']}")["digest"])
    _, signed, answered = audited(house, ask["id"])
    for entry in (signed, answered):
        assert entry["data"]["arguments"] == EDITED
        assert entry["data"]["original_arguments"] == ask["arguments"]


def test_a_secret_in_arguments_is_on_record_as_a_mask(house: House) -> None:
    secret, key = "correct-horse", "sk-" + "a1" * 12
    content = {"path": "conf.ini", "content": f"password={secret}"}
    run, ask = waiting(house, call("write_file", content))
    house.answer(ask, arguments={"path": "conf.ini", "content": f"the key is {key}"})
    house.ended(run)
    recorded = str(house.get("/api/audit", run=run, limit=200)["items"])
    assert "conf.ini" in recorded
    assert "••••" in recorded
    assert secret not in recorded
    assert key not in recorded


def test_cancelling_an_ask_is_recorded(house: House) -> None:
    _, ask = waiting(house)
    house.post(f"/api/asks/{ask['id']}/cancel")
    assert [entry["action"] for entry in audited(house, ask["id"])] == ["ask.opened", "ask.cancelled"]


def test_after_all_of_it_the_record_is_whole(house: House) -> None:
    total = house.get("/api/audit", limit=1)["total"]
    proof = house.get("/api/audit/verify")
    assert proof["ok"] is True
    assert proof["entries"] >= total > 0


def test_other_arguments_have_another_digest_and_the_same_have_the_same(house: House) -> None:
    (_, one), (_, same) = waiting(house), waiting(house)
    _, other = waiting(house, call("write_file", {"path": "a.txt", "content": "two"}))
    _, turned = waiting(house, call("write_file", '{"content": "one", "path": "a.txt"}'))
    assert one["digest"] == same["digest"] == turned["digest"] != other["digest"]


def test_the_digest_that_was_shown_signs_and_another_does_not(house: House) -> None:
    _, ask = waiting(house)
    ann = somebody(house)
    assert problem(ann.answer(ask, digest="0" * 64), 409)["code"] == "ask_changed"
    assert look(house, ask)["status"] == "pending"
    assert ann.answer(ask, digest=ask["digest"]).json()["status"] == "approved"


def test_an_ask_keeps_the_version_of_the_rules_that_it_was_judged_by(house: House) -> None:
    agent = ruled_agent(house, "ask")
    version = house.get("/api/rules")["version"]
    run = house.start(agent)
    ask = house.ask(run)
    assert ask["policy_version"] == version == house.calls(run)[0]["verdict"]["policy_version"]
    put_rules(house, rule("somebody-else", "ask"))
    house.answer(ask)
    house.ended(run)
    assert look(house, ask)["policy_version"] == version
    assert house.calls(run)[0]["verdict"]["policy_version"] == version
    assert house.ask(house.start(agent))["policy_version"] == version + 1


def test_an_ask_shows_the_rule_and_the_reasons_that_matched(house: House) -> None:
    large = {"field": "amount", "operator": ">", "value": 1000}
    agent = agent_that(house, says("", WRITE), tools=("write_file",))
    put_rules(house, rule(agent, "ask", name="Large ones", tool="write_file"), rule(agent, "ask", data_threshold=large))
    ask = house.ask(house.start(agent))
    assert ask["rule"] == "Large ones"
    assert any("Large ones" in reason for reason in ask["risk"]["reasons"])


def test_an_ask_tells_what_was_done_so_far(house: House) -> None:
    run = run_that(house, says("", call("list_files", {})), says("", WRITE), tools=("list_files", "write_file"))
    assert "list_files" in json.dumps(house.ask(run)["context"])


def test_an_ask_tells_what_happens_if_refused(house: House) -> None:
    _, ask = waiting(house)
    assert "reads your reason" in ask["alternatives"]


@pytest.mark.parametrize("decision", ["approve", "deny"])
def test_who_decided_and_when_stand_on_the_ask(house: House, decision: str) -> None:
    _, ask = waiting(house)
    ann = somebody(house)
    ann.answer(ask, decision, note="because")
    found = settled(house, ask)
    assert found["settled_by"] == ann.email
    assert found["settled_at"] > ask["created_at"]
    (signature,) = found["approvals"]
    assert (signature["by"], signature["decision"], signature["note"]) == (ann.email, decision, "because")
