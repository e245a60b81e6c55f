"""Lessons stay where they were learnt, people keep them in order, and a run says which it was told."""

from typing import Any

import pytest

from signoff.kit.ids import new_id
from tests.contract.asks.test_evidence import EDITED, lessons, system_prompt, taught
from tests.contract.asks.test_plans import planned, step
from tests.contract.ruling import audited, look, somebody
from tests.contract.scenes import WRITE, agent_that, problem
from tests.house import House
from tests.wire import call, says


def asked(house: House, agent: str) -> tuple[str, dict[str, Any]]:
    """What the agent reads in a new run, and its ask."""
    ask = look(house, house.ask(house.start(agent)))
    return system_prompt(house.model.asked(agent)[-1]), ask


def a_lesson(house: House, reason: str = "") -> dict[str, Any]:
    return lessons(house, taught(house, "deny", note=reason or f"Never on day {new_id()}"))[0]


def change(house: House, lesson: dict[str, Any], status: int = 200, **fields: Any) -> dict[str, Any]:
    response = house.client.patch(f"/api/lessons/{lesson['id']}", json=fields)
    assert response.status_code == status, response.text
    return response.json()


@pytest.mark.both_databases
def test_a_lesson_is_told_to_no_other_agent_until_a_person_widens_it(house: House) -> None:
    lesson = a_lesson(house)
    other = agent_that(house, says("", WRITE), tools=("write_file",))
    prompt, ask = asked(house, other)
    assert lesson["reason"] not in prompt
    assert ask["lessons"] == []
    assert change(house, lesson, scope="all_agents")["scope"] == "all_agents"
    prompt, ask = asked(house, other)
    assert lesson["reason"] in prompt
    assert [each["id"] for each in ask["lessons"]] == [lesson["id"]]
    change(house, lesson, scope="agent_and_tool")
    assert lesson["reason"] not in asked(house, other)[0]


def test_a_lesson_that_is_widened_to_all_tools_stands_beside_the_agents_other_calls(house: House) -> None:
    agent = agent_that(
        house, says("", WRITE), says("", call("delete_file", {"path": "a"})), tools=("write_file", "delete_file")
    )
    run = house.start(agent)
    first = house.ask(run)
    house.answer(first, "deny", note="Keep the old file")
    second = house.until(lambda: [ask for ask in house.asks(run) if ask["id"] != first["id"]])[0]
    assert look(house, second)["lessons"] == []
    (lesson,) = lessons(house, agent)
    change(house, lesson, scope="all_tools")
    assert [each["id"] for each in look(house, second)["lessons"]] == [lesson["id"]]


@pytest.mark.parametrize("note", [None, "", "no", "No, no!", "…", "不行"])
def test_a_refusal_without_a_reason_worth_the_name_teaches_nothing(house: House, note: str | None) -> None:
    assert lessons(house, taught(house, "deny", note=note)) == []


@pytest.mark.parametrize("note", ["Not today", "不要在星期五发布"])
def test_a_refusal_with_more_than_a_word_teaches(house: House, note: str) -> None:
    assert [each["reason"] for each in lessons(house, taught(house, "deny", note=note))] == [note]


def test_one_word_in_place_of_an_approval_teaches_nothing(house: House) -> None:
    assert lessons(house, taught(house, "respond", value="later")) == []


def test_an_edit_without_a_reason_teaches_what_was_changed(house: House) -> None:
    (lesson,) = lessons(house, taught(house, "approve", arguments=EDITED))
    assert (lesson["kind"], lesson["changed"]) == ("edited", EDITED)


def test_beside_an_ask_a_lesson_shows_only_the_fields_that_were_changed(house: House) -> None:
    agent = taught(house, "approve", arguments=EDITED)
    (shown,) = asked(house, agent)[1]["lessons"]
    assert (shown["original"], shown["changed"]) == ({"path": "a.txt"}, {"path": "reports/a.txt"})


STEPS = (step(1), step(2), step(3))


def test_approving_some_steps_of_a_plan_without_a_word_teaches_nothing(house: House) -> None:
    run, ask = planned(house)
    house.answer(ask, steps=["s1", "s2"])
    assert lessons(house, house.run(run)["agent"]) == []


def test_an_edited_plan_teaches_the_step_that_was_changed_for_its_tool(house: House) -> None:
    run, ask = planned(house)
    changed = {**STEPS[1]["arguments"], "content": "better"}
    house.answer(ask, steps=["s1", {"id": "s2", "arguments": changed}, "s3"])
    (lesson,) = lessons(house, house.run(run)["agent"])
    assert (lesson["kind"], lesson["tool"]) == ("edited", STEPS[1]["tool"])
    assert (lesson["original"], lesson["changed"]) == (STEPS[1]["arguments"], changed)


def test_a_step_that_is_left_out_with_a_reason_is_a_refusal(house: House) -> None:
    run, ask = planned(house)
    house.answer(ask, steps=["s1", "s2"], note="The third is not needed")
    (lesson,) = lessons(house, house.run(run)["agent"])
    assert (lesson["kind"], lesson["original"], lesson["changed"]) == ("refused", STEPS[2]["arguments"], None)


def test_a_lesson_in_better_words_is_told_in_them_and_may_have_its_own_back(house: House) -> None:
    lesson = a_lesson(house)
    assert change(house, lesson, text="Write reports on Mondays.")["text"] == "Write reports on Mondays."
    prompt, ask = asked(house, lesson["agent"])
    assert "write_file: Write reports on Mondays." in prompt
    assert lesson["reason"] not in prompt
    assert ask["lessons"][0]["text"] == "Write reports on Mondays."
    assert change(house, lesson, text=None)["text"] == lesson["text"]
    before, after = (audited(house, lesson["id"])[0]["data"][name]["text"] for name in ("before", "after"))
    assert (before, after) == (lesson["text"], "Write reports on Mondays.")


def test_a_lesson_that_is_switched_off_is_told_to_nobody_until_it_is_on_again(house: House) -> None:
    lesson = a_lesson(house)
    change(house, lesson, active=False)
    prompt, ask = asked(house, lesson["agent"])
    assert lesson["reason"] not in prompt
    assert ask["lessons"] == []
    found = {each: house.get("/api/lessons", agent=lesson["agent"], active=each)["total"] for each in (True, False)}
    assert found == {True: 0, False: 1}
    change(house, lesson, active=True)
    assert lesson["reason"] in asked(house, lesson["agent"])[0]


@pytest.mark.both_databases
def test_several_lessons_become_one(house: House) -> None:
    agent = taught(house, "deny", note="Never on a Friday")
    run = house.start(agent)
    house.answer(house.ask(run), "deny", note="Never on a Sunday")
    ids = [each["id"] for each in lessons(house, agent)]
    made = house.post("/api/lessons/merge", {"ids": ids, "text": "Only on weekdays."}, 201)
    assert [each["id"] for each in lessons(house, agent)] == [made["id"]]
    assert (made["kind"], made["text"], made["scope"]) == ("merged", "Only on weekdays.", "agent_and_tool")
    assert {each["id"] for each in audited(house, made["id"])[0]["data"]["of"]} == set(ids)
    again = house.client.post("/api/lessons/merge", json={"ids": ids, "text": "Twice."})
    problem(again, 404)


def test_lessons_of_different_agents_do_not_become_one(house: House) -> None:
    ids = [a_lesson(house)["id"] for _ in range(2)]
    problem(house.client.post("/api/lessons/merge", json={"ids": ids, "text": "Both."}), 422)
    problem(house.client.post("/api/lessons/merge", json={"ids": [ids[0]] * 2, "text": "One."}), 422)


def test_an_approver_keeps_lessons_in_order_and_only_an_admin_widens_them(house: House) -> None:
    lesson = a_lesson(house)
    path = f"/api/lessons/{lesson['id']}"
    with house.member("approver") as approver:
        assert approver.patch(path, json={"text": "In other words."}).status_code == 200
        problem(approver.patch(path, json={"scope": "all_agents"}), 403)
        change(house, lesson, scope="all_agents")
        problem(approver.patch(path, json={"text": "Everybody reads this."}), 403)
        assert approver.patch(path, json={"scope": "agent_and_tool"}).status_code == 200
        assert approver.delete(path).status_code == 204


@pytest.mark.both_databases
def test_a_run_keeps_what_it_was_told_whatever_becomes_of_the_lesson(house: House) -> None:
    lesson = a_lesson(house)
    run = house.start(lesson["agent"])
    house.answer(house.ask(run))
    house.ended(run)
    change(house, lesson, text="Something else.")
    house.client.delete(f"/api/lessons/{lesson['id']}")
    told = house.get(f"/api/runs/{run}/lessons")["items"]
    assert [(each["lesson_id"], each["text"], each["tool"]) for each in told] == [
        (lesson["id"], lesson["text"], "write_file")
    ]
    assert somebody(house, "viewer").get(f"/api/runs/{run}/lessons").status_code == 200
    assert house.client.delete(f"/api/runs/{run}").status_code == 204
