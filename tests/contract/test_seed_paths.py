"""More of what the seeds name: questions from outside, executions, types, projects, and words of their own."""

from typing import Any

import pytest

from signoff.runs.asking.ask_limit import MOST_FROM_OUTSIDE
from tests.contract.ruling import put_rules, rule
from tests.contract.scenes import QUESTION, Abroad, agent_that, free_run, problem, waiting
from tests.house import House
from tests.wire import call, says

# As seed 002 writes it.
ASKED = {
    "question": "Which authentication method should I use?",
    "type": "blocking",
    "responseType": "choice",
    "options": [
        {"id": "jwt", "label": "JWT", "value": "jwt", "description": "Stateless tokens"},
        {"id": "session", "label": "Sessions", "value": "session"},
    ],
    "context": {"currentStep": "Auth", "suggestedOptions": ["jwt"]},
    "timeoutMinutes": 30,
}


def ids(page: dict[str, Any]) -> list[str]:
    return [item["id"] for item in page["items"]]


def ask_about(house: House, run: str, **changed: Any) -> dict[str, Any]:
    return house.post(f"/api/jobs/{run}/questions", ASKED | changed, 201)


def test_a_program_outside_asks_about_a_run_and_reads_the_answer(house: House) -> None:
    run, own = waiting(house)
    asked = ask_about(house, run)
    assert (asked["kind"], asked["status"], asked["run_id"]) == ("question", "pending", run)
    assert asked["deadline"]
    assert ids(house.get(f"/api/jobs/{run}/questions")) == [asked["id"]]
    assert asked["id"] in ids(house.get("/api/questions/pending", limit=200))
    answered = house.post(
        f"/api/questions/{asked['id']}/answer", {"response": {"type": "choice", "value": "jwt", "text": "as agreed"}}
    )
    assert (answered["status"], answered["answer"]["value"]) == ("answered", "jwt")
    (entry,) = house.get("/api/audit", subject=asked["id"], action="ask.opened")["items"]
    assert entry["actor"] == house.get("/api/me")["user"]["email"]
    # The run went its own way all the while.
    house.answer(own)
    assert house.ended(run)["status"] == "completed"


def test_a_run_that_is_over_takes_no_questions_and_closes_those_it_had(house: House) -> None:
    run, _ = waiting(house)
    asked = ask_about(house, run)
    house.post(f"/api/runs/{run}/cancel")
    assert house.get(f"/api/asks/{asked['id']}")["status"] == "cancelled"
    refused = problem(house.client.post(f"/api/jobs/{run}/questions", json=ASKED), 409)
    assert "cancelled" in str(refused)


def test_a_question_of_another_workspace_or_of_nothing_is_refused(house: House, abroad: Abroad) -> None:
    for run in (abroad.ids["run_id"], "nothing"):
        problem(house.client.post(f"/api/jobs/{run}/questions", json=ASKED), 404)
        problem(house.client.post(f"/api/agents/{abroad.ids['slug']}/executions/{run}/cancel"), 404)


@pytest.mark.parametrize(
    "wrong",
    [
        {"question": " "},
        {"type": "urgent"},
        {"options": []},
        {"options": [{"label": "A", "value": 3}]},
        {"defaultResponse": {"type": "choice", "value": "neither"}},
        {"type": "approval", "responseType": "approval", "defaultResponse": {"type": "approval", "value": True}},
        {"timeoutMinutes": -1},
        {"stray": 1},
    ],
)
def test_a_question_that_nobody_could_answer_is_refused(house: House, wrong: dict[str, Any]) -> None:
    run, _ = waiting(house)
    problem(house.client.post(f"/api/jobs/{run}/questions", json=ASKED | wrong), 422)


def test_a_run_has_only_so_many_open_questions_from_outside(house: House) -> None:
    run, _ = waiting(house)
    for _ in range(MOST_FROM_OUTSIDE):
        ask_about(house, run)
    problem(house.client.post(f"/api/jobs/{run}/questions", json=ASKED), 429)


@pytest.mark.both_databases
def test_pending_questions_are_found_by_their_type(house: House) -> None:
    run, _ = waiting(house)
    made = {
        kind: ask_about(house, run, type=kind, responseType=response, options=[])["id"]
        for kind, response in {
            "blocking": "text",
            "non_blocking": "text",
            "approval": "approval",
            "error_recovery": "text",
        }.items()
    }
    for kind in ("non_blocking", "approval", "error_recovery"):
        found = ids(house.get("/api/questions/pending", type=kind, limit=200))
        assert set(found) & set(made.values()) == {made[kind]}
    assert made["blocking"] in ids(house.get("/api/questions/pending", type="blocking", limit=200))
    problem(house.client.get("/api/questions/pending", params={"type": "loud"}), 422)
    answer = {"response": {"type": "choice", "value": "retry"}}
    assert house.post(f"/api/questions/{made['error_recovery']}/answer", answer)["status"] == "answered"


def test_what_asks_for_an_approval_is_found_as_such_whoever_may_answer(house: House) -> None:
    run, _ = waiting(house)
    agent = house.run(run)["agent"]

    def under(approver: str, **asked: Any) -> str:
        put_rules(house, rule(agent, {"approvers": [approver]}, ask_kind="question"))
        ask = ask_about(house, run, **asked)
        assert ask["approvers"] == [approver]
        return ask["id"]

    approval = under("role:admin", type="approval", responseType="approval", options=[])
    text = under("role:approver", responseType="text", options=[])
    found = ids(house.get("/api/questions/pending", type="approval", limit=200))
    assert (approval in found, text in found) == (True, False)


def test_an_approval_from_outside_needs_an_approver(house: House) -> None:
    run, _ = waiting(house)
    asked = ask_about(house, run, type="approval", responseType="approval", options=[])
    with house.member("member") as member:
        body = {"response": {"type": "approval", "value": True}}
        problem(member.post(f"/api/questions/{asked['id']}/answer", json=body), 403)


def test_an_execution_is_cancelled_by_its_agent_alone(house: House) -> None:
    run, _ = waiting(house, call("create_deliverable", {"name": "a.md", "type": "markdown", "content": "x"}), QUESTION)
    agent = house.run(run)["agent"]
    other = agent_that(house)
    problem(house.client.post(f"/api/agents/{other}/executions/{run}/cancel"), 404)
    assert house.post(f"/api/agents/{agent}/executions/{run}/cancel")["status"] == "cancelled"
    assert house.get("/api/deliverables", execution_id=run)["total"] == 1
    problem(house.client.post(f"/api/agents/{agent}/executions/{run}/cancel"), 409)


def test_full_auto_is_full(house: House) -> None:
    slug = agent_that(house, autonomy="full_auto")
    assert house.get(f"/api/agents/{slug}")["autonomy"] == "full"
    assert house.client.patch(f"/api/agents/{slug}", json={"autonomy": "approve_all"}).status_code == 200
    assert house.run(house.start(slug, autonomy="full_auto"))["autonomy"] == "full"
    problem(house.client.post("/api/runs", json={"agent": slug, "task": "x", "autonomy": "half_auto"}), 422)


@pytest.mark.both_databases
def test_agents_are_listed_in_their_own_order(house: House) -> None:
    last, first, middle = (agent_that(house, sort_order=order) for order in (7, -3, 2))
    every = house.get("/api/agents", limit=200)["items"]
    assert [each["slug"] for each in every if each["slug"] in (first, middle, last)] == [first, middle, last]
    assert next(each for each in every if each["slug"] == last)["sort_order"] == 7
    one = house.get("/api/agents", limit=1)
    two = house.get("/api/agents", limit=1, cursor=one["next_cursor"])
    assert [one["items"][0]["slug"], two["items"][0]["slug"]] == [each["slug"] for each in every[:2]]


@pytest.mark.both_databases
def test_a_project_is_a_label_that_lists_filter_by(house: House) -> None:
    agent = agent_that(house, says("", QUESTION))
    one = house.start(agent, project_id="atlas")
    two = house.start(agent, projectId="zephyr")
    asks = {run: house.ask(run)["id"] for run in (one, two)}
    assert (house.run(one)["project_id"], house.run(two)["project_id"]) == ("atlas", "zephyr")
    assert ids(house.get("/api/runs", project_id="atlas")) == ids(house.get("/api/runs", projectId="atlas")) == [one]
    assert house.get("/api/runs", project_id="atl%")["total"] == 0
    assert ids(house.get("/api/questions/pending", projectId="zephyr")) == [asks[two]]
    for name in ("project_id", "projectId"):
        assert ids(house.get("/api/asks", **{name: "zephyr"})) == [asks[two]]
        assert house.get("/api/asks/count", **{name: "zephyr"})["pending"] == 1
        assert house.get("/api/runs/count", **{name: "zephyr"})["total"] == 1
        board = house.get("/api/runs/dashboard", **{name: "zephyr"})
        assert [each["id"] for part in board.values() for each in part] == [two]
    assert house.get("/api/approvals", projectId="zephyr")["total"] == 0
    problem(house.client.post("/api/runs", json={"agent": agent, "task": "x", "project_id": ""}), 422)
    house.post(f"/api/runs/{one}/cancel")
    again = house.post(f"/api/runs/{one}/continue", {"instructions": "more"}, 201)
    assert again["project_id"] == "atlas"


def test_a_run_shows_how_many_rounds_of_questions_it_had_and_may_have(house: House) -> None:
    run = house.start(agent_that(house, says("", QUESTION), clarify=True, clarification_max_exchanges=4))
    house.ask(run)
    assert house.run(run)["clarification"] == {"exchanges": 1, "max_exchanges": 4}
    assert free_run(house)["clarification"] == {"exchanges": 0, "max_exchanges": 0}
