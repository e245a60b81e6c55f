"""Remember: for the rest of the run, for the agent, or as a proposed rule."""

from typing import Any

import pytest
from sqlalchemy import text

from tests.contract.ruling import audited, look, put_rules, rule, ruled, ruled_agent, somebody, still
from tests.contract.scenes import agent_that, problem, run_that, waiting
from tests.house import House
from tests.wire import call, says


def write(path: str) -> dict[str, Any]:
    return says("", call("write_file", {"path": f"drafts/{path}.md", "content": f"This is {path}."}))


def remembered(house: House, how: str, **fields: Any) -> tuple[str, str]:
    """An agent that wrote one file and goes on to a second, after its first ask was answered so."""
    agent = agent_that(house, write("a"), write("b"), tools=("write_file", "delete_file"), **fields)
    run = house.start(agent)
    house.answer(house.ask(run), remember=how)
    return agent, run


def allowances(house: House, agent: str) -> list[dict[str, Any]]:
    return [each for each in house.get("/api/rules/allowances", limit=200)["items"] if each["agent"] == agent]


def suggested(house: House, agent: str) -> list[dict[str, Any]]:
    return [each for each in house.get("/api/rules/suggestions")["items"] if each["agent"] == agent]


def asked(house: House, run: str) -> int:
    return house.get(f"/api/runs/{run}/asks")["total"]


def test_remembered_for_the_run_the_next_such_call_does_not_ask(house: House) -> None:
    _, run = remembered(house, "run")
    assert house.ended(run)["status"] == "completed"
    assert asked(house, run) == 1
    assert [each["status"] for each in house.calls(run)[:2]] == ["succeeded", "succeeded"]


def test_remembered_for_the_run_another_run_asks_again(house: House) -> None:
    agent, run = remembered(house, "run")
    house.ended(run)
    assert house.ask(house.start(agent))["status"] == "pending"


def test_remembered_for_the_agent_its_next_run_does_not_ask(house: House) -> None:
    agent, run = remembered(house, "agent")
    house.ended(run)
    again = house.start(agent)
    assert house.ended(again)["status"] == "completed"
    assert asked(house, again) == 0
    assert house.calls(again)[0]["verdict"]["verdict"] == "allow"
    assert house.calls(again)[0]["verdict"]["reasons"]


def test_remembered_for_one_agent_another_asks(house: House) -> None:
    _, run = remembered(house, "agent")
    house.ended(run)
    _, ask = waiting(house)
    assert ask["status"] == "pending"


def test_one_tool_remembered_another_asks(house: House) -> None:
    gone = says("", call("delete_file", {"path": "a"}))
    agent = agent_that(house, write("a"), gone, tools=("write_file", "delete_file"))
    run = house.start(agent)
    first = house.ask(run)
    house.answer(first, remember="run")
    second = house.until(lambda: [ask for ask in house.asks(run) if ask["id"] != first["id"]])[0]
    assert second["tool"] == "delete_file"


def test_an_allowance_names_who_gave_it_and_for_what(house: House) -> None:
    agent, run = remembered(house, "run")
    (given,) = allowances(house, agent)
    assert (given["tool"], given["run_id"], given["created_by"]) == ("write_file", run, "signoff-token@localhost")
    assert given["ask_id"] == house.get(f"/api/runs/{run}/asks")["items"][0]["id"]


def test_an_allowance_says_the_agents_name_and_not_its_slug(house: House) -> None:
    agent, _ = remembered(house, "run", name="Filing clerk")
    (shown,) = allowances(house, agent)
    assert shown["sentence"].startswith("Filing clerk may use write_file")


def test_an_allowance_says_which_rule_comes_before_it(house: House) -> None:
    agent, _ = remembered(house, "agent")
    assert [each["overruled_by"] for each in allowances(house, agent)] == [None]
    put_rules(house, rule(agent, "ask", "Two look at files", tool="write_file"))
    assert [each["overruled_by"] for each in allowances(house, agent)] == ["Two look at files"]


def test_a_revoked_allowance_allows_no_more(house: House) -> None:
    agent, run = remembered(house, "agent")
    house.ended(run)
    (given,) = allowances(house, agent)
    assert house.client.delete(f"/api/rules/allowances/{given['id']}").status_code == 204
    assert allowances(house, agent) == []
    assert house.ask(house.start(agent))["status"] == "pending"
    problem(house.client.delete(f"/api/rules/allowances/{given['id']}"), 404)


def test_giving_and_revoking_an_allowance_are_recorded(house: House) -> None:
    agent, _ = remembered(house, "agent")
    (given,) = allowances(house, agent)
    house.client.delete(f"/api/rules/allowances/{given['id']}")
    actions = [entry["action"] for entry in audited(house, given["id"])]
    assert len(actions) == 2


def test_only_an_admin_remembers_for_the_agent(house: House) -> None:
    run, ask = waiting(house)
    ann = somebody(house)
    problem(ann.answer(ask, remember="agent"), 403)
    assert still(look(house, ask)) == still(ask)
    assert allowances(house, house.run(run)["agent"]) == []


def test_an_approver_remembers_for_the_run(house: House) -> None:
    run = run_that(house, write("a"), write("b"))
    assert somebody(house).answer(house.ask(run), remember="run").status_code == 200
    house.ended(run)
    assert asked(house, run) == 1


def test_a_member_revokes_nothing(house: House) -> None:
    agent, _ = remembered(house, "agent")
    (given,) = allowances(house, agent)
    with house.member("member") as member:
        problem(member.delete(f"/api/rules/allowances/{given['id']}"), 403)
    assert [each["id"] for each in allowances(house, agent)] == [given["id"]]


def test_a_refusal_remembers_nothing(house: House) -> None:
    run, ask = waiting(house)
    problem(house.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "deny", "remember": "run"}), 422)
    assert allowances(house, house.run(run)["agent"]) == []


def test_what_a_rule_asks_is_not_remembered(house: House) -> None:
    for how in ("run", "agent"):
        _, ask = ruled(house, "ask")
        problem(house.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve", "remember": how}), 422)
        assert look(house, ask)["status"] == "pending"


def test_an_allowance_does_not_lift_what_a_rule_asks(house: House) -> None:
    agent, run = remembered(house, "agent")
    house.ended(run)
    put_rules(house, rule(agent, "ask", name="now ask"))
    assert house.ask(house.start(agent))["rule"] == "now ask"


def test_an_allowance_does_not_lift_what_a_rule_denies(house: House) -> None:
    agent, run = remembered(house, "agent")
    house.ended(run)
    put_rules(house, rule(agent, "deny"))
    again = house.start(agent)
    house.ended(again)
    assert [each["status"] for each in house.calls(again) if each["tool"] == "write_file"] == ["denied", "denied"]


def test_the_emergency_stop_switches_allowances_off_and_on_again(house: House) -> None:
    agent, run = remembered(house, "agent")
    house.ended(run)
    house.post("/api/rules/emergency-stop", {"enabled": True})
    assert house.ask(house.start(agent))["status"] == "pending"
    house.post("/api/rules/emergency-stop", {"enabled": False})
    again = house.start(agent)
    house.ended(again)
    assert asked(house, again) == 0


def test_a_proposed_rule_is_found_among_the_suggestions_and_allows_nothing_yet(house: House) -> None:
    agent, run = remembered(house, "rule")
    assert house.until(lambda: [ask for ask in house.asks(run) if ask["arguments"]["path"] == "drafts/b.md"])
    (found,) = suggested(house, agent)
    assert (found["tool"], found["proposed_by"]) == ("write_file", "signoff-token@localhost")
    assert agent in found["yaml"]
    assert found["diff"]


def test_an_accepted_suggestion_lets_the_agent_do_it(house: House) -> None:
    put_rules(house)
    agent, _ = remembered(house, "rule")
    (found,) = suggested(house, agent)
    assert house.client.put("/api/rules", json={"yaml": found["yaml"]}).status_code == 200
    again = house.start(agent)
    house.ended(again)
    assert {ask["status"] for ask in house.get(f"/api/runs/{again}/asks")["items"]} <= {"auto_approved"}
    assert [each["verdict"]["rule"] for each in house.calls(again)[:2]] == [found["name"]] * 2
    assert suggested(house, agent) == []


def test_a_dismissed_suggestion_does_not_come_back(house: House) -> None:
    agent, _ = remembered(house, "rule")
    body = {"agent": agent, "tool": "write_file"}
    assert house.client.post("/api/rules/suggestions/dismiss", json=body).status_code == 204
    assert suggested(house, agent) == []


@pytest.mark.both_databases
def test_what_was_always_approved_is_suggested_with_its_record(house: House) -> None:
    put_rules(house)
    agent = agent_that(house, *(write(str(number)) for number in range(12)), tools=("write_file",))
    run = house.start(agent)
    seen: set[str] = set()
    for _ in range(12):
        ask = house.until(lambda: [each for each in house.asks(run) if each["id"] not in seen])[0]
        seen.add(ask["id"])
        house.answer(ask)
    house.ended(run)
    (found,) = suggested(house, agent)
    assert (found["approved"], found["decided"]) == (12, 12)
    assert "12" in found["text"]


@pytest.mark.both_databases
def test_what_was_refused_once_is_not_suggested(house: House) -> None:
    put_rules(house)
    agent = agent_that(house, *(write(str(number)) for number in range(12)), tools=("write_file",))
    run = house.start(agent)
    seen: set[str] = set()
    for number in range(12):
        ask = house.until(lambda: [each for each in house.asks(run) if each["id"] not in seen])[0]
        seen.add(ask["id"])
        house.answer(ask, "approve" if number % 3 else "deny")
    house.ended(run)
    assert suggested(house, agent) == []


def test_remember_with_an_edit_remembers_what_was_approved(house: House) -> None:
    run = run_that(house, write("a"), write("b"))
    house.answer(house.ask(run), arguments={"path": "drafts/c.md", "content": "y"}, remember="run")
    house.ended(run)
    assert asked(house, run) == 1


def test_remembered_for_the_run_a_rules_agent_still_obeys_its_rule_elsewhere(house: House) -> None:
    agent = ruled_agent(house, "ask", write("a"))
    other = agent_that(house, write("a"), write("b"), tools=("write_file",))
    run = house.start(other)
    house.answer(house.ask(run), remember="run")
    house.ended(run)
    assert house.ask(house.start(agent))["rule"]


def offered(house: House, ask: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in house.get(f"/api/asks/{ask['id']}/remember")["choices"]}


def test_what_is_remembered_is_this_folder_and_another_one_asks(house: House) -> None:
    elsewhere = says("", call("write_file", {"path": "final/b.md", "content": "x"}))
    agent = agent_that(house, write("a"), write("b"), elsewhere, tools=("write_file",))
    run = house.start(agent)
    house.answer(first := house.ask(run), remember="agent")
    (second,) = house.until(lambda: [ask for ask in house.asks(run) if ask["id"] != first["id"]])
    assert second["arguments"]["path"] == "final/b.md"
    (given,) = allowances(house, agent)
    assert given["where"] == [{"field": "path", "operator": "like", "value": "drafts/*.md"}]
    assert (given["is_wide"], given["used"]) == (False, 1)
    assert given["expires_at"] > given["created_at"]
    assert [each["action"] for each in audited(house, house.calls(run)[1]["id"])] == ["call.auto_approved"]


def test_the_choices_say_what_they_would_have_let_through(house: House) -> None:
    agent = agent_that(house, write("a"), write("b"), write("c"), tools=("write_file",))
    run = house.start(agent)
    house.answer(first := house.ask(run))
    (second,) = house.until(lambda: [ask for ask in house.asks(run) if ask["id"] != first["id"]])
    before = offered(house, second)
    assert {name: each["approved"] for name, each in before.items()} == {"exact": 0, "alike": 1, "below": 1}
    assert [name for name, each in before.items() if each["is_default"]] == ["alike"]
    house.answer(second, "deny")
    seen = {first["id"], second["id"]}
    (third,) = house.until(lambda: [ask for ask in house.asks(run) if ask["id"] not in seen])
    after = offered(house, third)
    assert [each["ask_id"] for each in after["alike"]["let_through"]] == [second["id"]]
    assert [name for name, each in after.items() if each["is_default"]] == ["exact"]
    house.answer(third, remember="run")
    (given,) = allowances(house, agent)
    said = {each["field"]: (each["operator"], each["value"]) for each in given["where"]}
    assert said == {"path": ("==", "drafts/c.md"), "content": ("==", "This is c.")}


def test_an_own_condition_and_an_own_end_are_kept_and_what_has_ended_asks(house: House) -> None:
    where = [{"field": "path", "operator": "like", "value": "drafts/**"}]
    agent = agent_that(house, write("a"), write("deep/b"), tools=("write_file",))
    run = house.start(agent)
    house.answer(first := house.ask(run), remember={"scope": "agent", "where": where, "expires_in_hours": 1e-6})
    assert house.until(lambda: [ask for ask in house.asks(run) if ask["id"] != first["id"]])
    assert allowances(house, agent) == []
    wrong = {"scope": "agent", "where": [where[0] | {"value": "final/*.md"}]}
    _, ask = waiting(house)
    for remember in (wrong, {"scope": "agent", "expires_in_hours": 24 * 31}, {"scope": "agent", "where": [{}]}):
        body = {"decision": "approve", "remember": remember}
        problem(house.client.post(f"/api/asks/{ask['id']}/answer", json=body), 422)
    assert look(house, ask)["status"] == "pending"


def test_a_wide_allowance_from_before_is_marked_and_can_be_narrowed(house: House) -> None:
    agent, run = remembered(house, "agent")
    house.ended(run)
    (given,) = allowances(house, agent)
    problem(house.client.post(f"/api/rules/allowances/{given['id']}/narrow"), 409)
    before = text("UPDATE allowances SET pattern = NULL, expires_at = NULL WHERE id = :id")
    house.parts.db.write(lambda s: s.execute(before, {"id": given["id"]}) and None)
    (wide,) = allowances(house, agent)
    assert (wide["is_wide"], wide["expires_at"]) == (True, None)
    narrowed = house.post(f"/api/rules/allowances/{given['id']}/narrow")
    assert narrowed["where"] == given["where"]
    assert narrowed["expires_at"]
    assert [each["id"] for each in allowances(house, agent)] == [narrowed["id"]]
