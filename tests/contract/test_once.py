"""The same request twice, or twenty people at once: one effect."""

from collections.abc import Callable

import httpx
import pytest

from tests.contract.scenes import QUESTION, agent_that, at_once, problem, waiting
from tests.house import House

pytestmark = pytest.mark.both_databases


def answer(house: House, ask: str, body: dict[str, object], key: str) -> httpx.Response:
    return house.client.post(f"/api/asks/{ask}/answer", json=body, headers={"Idempotency-Key": key})


def entries(house: House, subject: str, action: str) -> int:
    return house.get("/api/audit", subject=subject, action=action)["total"]


def test_the_same_start_with_the_same_key_starts_one_run(house: House) -> None:
    agent = agent_that(house)
    body = {"agent": agent, "task": "once"}
    first, second = (
        house.client.post("/api/runs", json=body, headers={"Idempotency-Key": f"start-{agent}"}) for _ in range(2)
    )
    assert (first.status_code, first.json()) == (second.status_code, second.json())
    assert house.get("/api/runs", agent=agent)["total"] == 1


def test_the_same_answer_with_the_same_key_gets_the_same_response(house: House) -> None:
    _, ask = waiting(house)
    first, second = (answer(house, ask["id"], {"decision": "approve"}, ask["id"]) for _ in range(2))
    assert first.status_code == second.status_code == 200
    assert first.json() == second.json()
    assert entries(house, ask["id"], "ask.answered") == 1


def test_an_error_with_a_key_may_be_mended(house: House) -> None:
    _, ask = waiting(house)
    problem(answer(house, ask["id"], {"decision": "perhaps"}, f"mend-{ask['id']}"), 422)
    assert answer(house, ask["id"], {"decision": "approve"}, f"mended-{ask['id']}").status_code == 200


def test_the_same_key_with_another_body_is_invalid(house: House) -> None:
    _, ask = waiting(house)
    assert answer(house, ask["id"], {"decision": "approve"}, ask["id"]).status_code == 200
    problem(answer(house, ask["id"], {"decision": "deny", "note": "no"}, ask["id"]), 422)


def test_the_same_key_at_another_address_is_no_replay(house: House) -> None:
    (_, one), (_, two) = waiting(house), waiting(house)
    assert answer(house, one["id"], {"decision": "approve"}, one["id"]).status_code == 200
    response = answer(house, two["id"], {"decision": "approve"}, one["id"])
    assert problem(response, 422)["code"] == "idempotency_key_reused"
    assert house.get(f"/api/asks/{two['id']}")["status"] == "pending"


def test_a_key_belongs_to_one_person(house: House, member: httpx.Client) -> None:
    agent = agent_that(house)
    body = {"agent": agent, "task": "mine"}
    runs = [
        client.post("/api/runs", json=body, headers={"Idempotency-Key": f"own-{agent}"}).json()["id"]
        for client in (house.client, member)
    ]
    assert runs[0] != runs[1]


def test_a_key_does_not_show_another_persons_token(house: House, member: httpx.Client) -> None:
    mine = house.client.post("/api/tokens", json={"name": "k"}, headers={"Idempotency-Key": "token-key"}).json()
    theirs = member.post("/api/tokens", json={"name": "k"}, headers={"Idempotency-Key": "token-key"}).json()
    assert mine["token"] != theirs.get("token")


@pytest.mark.parametrize("count", [8])
def test_the_same_key_at_once_starts_one_run(house: House, count: int) -> None:
    agent = agent_that(house)
    body = {"agent": agent, "task": "once"}
    responses = at_once(
        count, lambda _: house.client.post("/api/runs", json=body, headers={"Idempotency-Key": f"race-{agent}"})
    )
    assert {response.status_code for response in responses} <= {201, 409}
    assert len({response.json()["id"] for response in responses if response.status_code == 201}) == 1
    assert house.get("/api/runs", agent=agent)["total"] == 1


def test_without_a_key_two_starts_are_two_runs(house: House) -> None:
    agent = agent_that(house)
    assert house.start(agent) != house.start(agent)


@pytest.mark.parametrize(
    ("key", "status"), [("a" * 1000, 422), ("schlüssel".encode("latin-1"), 201), (b"k\xc3\xa4y", 201)], ids=str
)
def test_a_strange_key_is_no_crash(house: House, key: str, status: int) -> None:
    agent = agent_that(house)
    house.post("/api/runs", {"agent": agent, "task": "x"}, status, **{"Idempotency-Key": key})


@pytest.mark.parametrize("path", ["/api/agents", "/api/members"])
def test_other_creations_take_a_key_too(house: House, path: str) -> None:
    bodies = {
        "/api/agents": {"slug": "keyed", "name": "Keyed", "model": "openai-chat:x"},
        "/api/members": {"email": "keyed@example.org", "name": "Keyed", "role": "viewer"},
    }
    first, second = (
        house.client.post(path, json=bodies[path], headers={"Idempotency-Key": f"key-of-{path}"}) for _ in range(2)
    )
    assert (first.status_code, first.json()) == (201, second.json())
    assert second.status_code == 201


def test_twenty_people_answer_at_once_and_one_wins(house: House, person: Callable[[str], httpx.Client]) -> None:
    run, ask = waiting(house)
    people = [person("approver") for _ in range(20)]
    bodies = [{"decision": "approve"}, {"decision": "deny", "note": "no"}]
    responses = at_once(
        20, lambda who: people[who].post(f"/api/asks/{ask['id']}/answer", json=bodies[who % 2], timeout=30)
    )
    assert sorted(response.status_code for response in responses) == [200] + [409] * 19
    outcome = next(response.json()["status"] for response in responses if response.status_code == 200)
    assert all(outcome in response.text for response in responses)
    assert house.get(f"/api/asks/{ask['id']}")["status"] == outcome
    assert entries(house, ask["id"], "ask.answered") == 1
    assert house.get("/api/audit/verify")["ok"]
    assert house.ended(run)["status"] == "completed"


def test_a_late_answer_conflicts_and_carries_the_outcome(house: House) -> None:
    _, ask = waiting(house)
    house.answer(ask, "deny", note="no")
    late = problem(house.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"}), 409)
    assert "denied" in str(late)


def test_a_question_is_answered_once(house: House) -> None:
    run, ask = waiting(house, QUESTION)
    responses = at_once(
        6,
        lambda who: house.client.post(
            f"/api/asks/{ask['id']}/answer", json={"decision": "respond", "value": f"value {who}"}
        ),
    )
    assert sorted(response.status_code for response in responses) == [200] + [409] * 5
    won = next(response.json()["answer"]["value"] for response in responses if response.status_code == 200)
    house.ended(run)
    assert next(call for call in house.calls(run) if call["tool"] == "ask_question")["result"] == won


def test_cancel_and_answer_at_once_have_one_outcome(house: House) -> None:
    run, ask = waiting(house)
    paths = [f"/api/runs/{run}/cancel", f"/api/asks/{ask['id']}/answer"]
    responses = at_once(2, lambda who: house.client.post(paths[who], json=[None, {"decision": "approve"}][who]))
    cancelled, answered = (response.status_code for response in responses)
    # Whoever comes second hears of a conflict, unless the answer came first: a run that works on can be cancelled.
    assert (cancelled, answered) in {(200, 200), (200, 409), (409, 200)}
    ended = house.ended(run)
    settled = house.get(f"/api/asks/{ask['id']}")["status"]
    assert ended["open_asks"] == 0
    assert settled == ("approved" if answered == 200 else "cancelled")
    assert house.get("/api/audit/verify")["ok"]


def test_many_people_write_and_the_chain_holds(house: House) -> None:
    asks = [waiting(house)[1] for _ in range(8)]
    responses = at_once(
        8, lambda who: house.client.post(f"/api/asks/{asks[who]['id']}/answer", json={"decision": "approve"})
    )
    assert {response.status_code for response in responses} == {200}
    assert house.get("/api/audit/verify")["ok"]
