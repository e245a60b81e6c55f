"""An agent that asks for an approval does not give it to itself, whatever it calls the question."""

from typing import Any

import httpx
import pytest

from tests.contract.scenes import problem, requests_of, run_that, waiting
from tests.house import House
from tests.wire import call, results, says

OPTIONS = ["yes", "no"]


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


def approval(**fields: Any) -> dict[str, Any]:
    asked = {"question": "May I pay?", "type": "approval", "responseType": "approval"}
    return call("ask_question", asked | fields)


@pytest.mark.parametrize(
    "asked",
    [
        {"defaultResponse": True},
        {"defaultResponse": {"type": "approval", "value": True}},
        {"type": "blocking", "defaultResponse": True},
        {"type": "non_blocking", "defaultResponse": True},
        {"responseType": "boolean", "defaultResponse": True},
        {"responseType": "choice", "options": OPTIONS, "defaultResponse": "yes"},
        {"responseType": "text", "defaultResponse": "approved"},
    ],
    ids=str,
)
def test_a_default_that_approves_is_an_error_that_the_agent_reads(house: House, asked: dict[str, Any]) -> None:
    run = run_that(house, says("", approval(**asked)))
    house.ended(run)
    assert house.get(f"/api/runs/{run}/asks")["total"] == 0
    assert "cannot answer itself" in results(requests_of(house, run)[-1])[0]


@pytest.mark.parametrize("fields", [{}, {"type": "blocking"}, {"responseType": "boolean"}], ids=str)
def test_an_approval_that_nobody_gives_fails_the_run(house: House, fields: dict[str, Any]) -> None:
    run, ask = waiting(house, approval(**fields))
    assert (ask["default"], ask["on_timeout"]) == (None, "fail")
    house.post("/api/asks/expire", {"older_than_seconds": 0})
    assert house.ended(run)["completion_reason"] == "ask_expired"


def test_a_refusal_may_stand_as_the_default(house: House) -> None:
    run, ask = waiting(house, approval(defaultResponse=False))
    house.post("/api/asks/expire", {"older_than_seconds": 0})
    house.ended(run)
    assert house.get(f"/api/asks/{ask['id']}")["answer"]["value"] is False


@pytest.mark.parametrize("fields", [{}, {"type": "blocking"}, {"responseType": "boolean"}], ids=str)
def test_an_approver_answers_it_and_no_member(
    house: House, member: httpx.Client, approver: httpx.Client, fields: dict[str, Any]
) -> None:
    run, ask = waiting(house, approval(**fields))
    body = {"decision": "respond", "value": True}
    problem(member.post(f"/api/asks/{ask['id']}/answer", json=body), 403)
    problem(member.post(f"/api/questions/{ask['id']}/answer", json={"response": {"value": True}}), 403)
    (result,) = member.post("/api/asks/batch", json={"ids": [ask["id"]], **body}).json()["results"]
    assert result["error"]
    assert approver.post(f"/api/asks/{ask['id']}/answer", json=body).status_code == 200
    house.ended(run)


def test_a_members_message_does_not_answer_it_while_the_task_is_made_clear(house: House, member: httpx.Client) -> None:
    run = run_that(house, says("", approval()), clarify=True)
    ask = house.ask(run)
    assert member.post(f"/api/runs/{run}/messages", json={"text": "yes"}).status_code == 201
    assert house.get(f"/api/asks/{ask['id']}")["status"] == "pending"
