"""A notice is for whom it is addressed to, and everybody reads for themselves."""

import json
from typing import Any

import httpx
import pytest

from tests.contract.ruling import Person, a_group, people, put_rules, rule, somebody
from tests.contract.scenes import WRITE, Abroad, agent_that, problem, read_until, run_that, stream, waiting
from tests.house import House
from tests.wire import call, says

LUNCH = call("send_message", {"channel": "#general", "text": "Lunch?"})


def asked_for(house: House, *recipients: str) -> dict[str, Any]:
    """An ask of which a rule notifies these."""
    agent = agent_that(house, says("", WRITE), tools=("write_file",))
    put_rules(house, rule(agent, {"notification": {"recipients": list(recipients)}}, tool="write_file"))
    return house.ask(house.start(agent, task="the secret merger"))


def told(house: House) -> str:
    """A run that tells everybody something; returns the id of the notice."""
    run = run_that(house, says("", LUNCH), tools=("send_message",), autonomy="full")
    house.ended(run)
    (notice,) = [each for each in house.get("/api/notifications", run=run)["items"] if each["kind"] == "message"]
    return notice["id"]


def notices(person: Person | httpx.Client, **query: Any) -> list[dict[str, Any]]:
    answer = person.get("/api/notifications", **(query if isinstance(person, Person) else {"params": query}))
    assert answer.status_code == 200, answer.text
    return answer.json()["items"]


def unread(person: Person) -> int:
    return person.get("/api/notifications/count").json()["unread"]


@pytest.mark.both_databases
def test_an_addressed_notice_is_seen_and_marked_by_the_addressee_alone(house: House) -> None:
    ann, bob = people(house, 2, "admin")
    ask = asked_for(house, ann.email.upper())
    (notice,) = notices(ann)
    assert (notice["ask_id"], notice["run_id"], notice["kind"]) == (ask["id"], ask["run_id"], "ask")
    assert (notices(bob), unread(ann), unread(bob)) == ([], 1, 0)
    assert bob.post("/api/notifications/read", {"ids": [notice["id"]]}).status_code == 204
    assert bob.post("/api/notifications/read").status_code == 204
    assert (unread(ann), [each["read"] for each in notices(ann)]) == (1, [False])
    assert ann.post("/api/notifications/read", {"ids": [notice["id"], notice["id"], "nobody-s"]}).status_code == 204
    assert (unread(ann), [each["read"] for each in notices(ann)]) == (0, [True])
    assert notices(ann, unread=True) == []


@pytest.mark.both_databases
def test_roles_and_groups_are_reached_as_they_are_now_and_everybody_once(house: House) -> None:
    (admin,), (inside, late) = people(house, 1, "admin"), people(house, 2, "member")
    approver = somebody(house, "approver")
    group = a_group(house, admin, inside)
    ask = asked_for(house, group, "role:admin", "admin", admin.email)
    assert [[each["ask_id"] for each in notices(one)] for one in (admin, inside)] == [[ask["id"]], [ask["id"]]]
    assert (unread(admin), unread(inside)) == (1, 1)
    assert notices(approver) == notices(late) == []
    (made,) = [each for each in house.get("/api/groups", limit=200)["items"] if f"group:{each['name']}" == group]
    change = {"members": [late.email]}
    assert house.client.patch(f"/api/groups/{made['id']}", json=change).status_code == 200
    assert (len(notices(late)), unread(late), notices(inside), unread(inside)) == (1, 1, [], 0)


@pytest.mark.both_databases
def test_everybody_reads_for_themselves(house: House) -> None:
    ann, bob = people(house, 2, "viewer")
    first, second = told(house), told(house)
    assert [each["id"] for each in notices(ann)][:2] == [second, first]
    ann.post("/api/notifications/read", {"ids": [first]})
    assert [each["id"] for each in notices(ann, unread=True)] == [second]
    assert (unread(ann), unread(bob)) == (1, 2)
    ann.post("/api/notifications/read")
    assert (unread(ann), unread(bob)) == (0, 2)
    third = told(house)
    assert [each["id"] for each in notices(ann, unread=True)] == [third]


def test_what_was_there_before_somebody_came_is_not_new_to_them(house: House) -> None:
    before = told(house)
    ann = somebody(house, "viewer")
    assert next(each["read"] for each in notices(ann) if each["id"] == before)
    assert unread(ann) == 0


def test_a_token_that_somebody_else_made_sees_what_everybody_sees_and_marks_nothing(house: House) -> None:
    ann = somebody(house, "admin")
    made = house.post("/api/tokens", {"name": "theirs", "user": ann.email}, 201)["token"]
    told(house)
    asked_for(house, ann.email, "role:viewer")
    with house.client_for(made) as service:
        assert {each["kind"] for each in notices(service)} == {"message"}
        problem(service.post("/api/notifications/read", json={}), 403)
    assert unread(ann) == 2


def test_a_token_for_less_is_not_reached_as_the_role_that_its_person_has(house: House) -> None:
    ann = somebody(house, "admin")
    small = ann.post("/api/tokens", {"name": "small", "scopes": ["viewer"]}).json()["token"]
    asked_for(house, "role:approver")
    assert unread(ann) == 1
    assert unread(Person(house.url, small, ann.email)) == 0


def test_another_workspace_sees_and_marks_none_of_it(house: House, abroad: Abroad) -> None:
    ann = somebody(house, "viewer")
    notice = told(house)
    asked_for(house, "role:admin", abroad.client.get("/api/me").json()["user"]["email"])
    assert {each["run_id"] for each in notices(abroad.client)}.isdisjoint(
        {each["run_id"] for each in house.get("/api/notifications", limit=200)["items"]}
    )
    assert notices(abroad.client, run=house.get("/api/notifications")["items"][0]["run_id"]) == []
    assert abroad.client.post("/api/notifications/read", json={"ids": [notice]}).status_code == 204
    assert unread(ann) == 1


@pytest.mark.both_databases
def test_no_stream_and_no_activity_shows_the_text_of_an_addressed_notice(house: House) -> None:
    ann = somebody(house, "viewer")
    with stream(house, "/api/events") as events:
        asked = asked_for(house, ann.email)
        seen = read_until(events, "notification.created")
        told(house)
        message = read_until(events, "notification.created")[-1]
    (notice,) = notices(ann, run=asked["run_id"])
    assert seen[-1]["data"] == {"notification": {"id": notice["id"]}}
    assert message["data"]["notification"]["text"] == "Lunch?"
    activity = house.get(f"/api/runs/{asked['run_id']}/activity", limit=200)["items"]
    (shown,) = [each["data"] for each in activity if each["type"] == "notification.created"]
    assert shown == seen[-1]["data"]
    assert ann.email not in json.dumps(shown)


def test_an_agents_question_is_for_who_started_the_run(house: House) -> None:
    ann, bob = people(house, 2, "member")
    question = call("ask_question", {"question": "Blue?", "type": "non_blocking", "responseType": "boolean"})
    agent = agent_that(house, says("", question))
    run = ann.post("/api/runs", {"agent": agent, "task": "paint"}).json()["id"]
    house.ask(run)
    assert [(each["kind"], each["text"]) for each in notices(ann, run=run) if each["ask_id"]] == [("ask", "Blue?")]
    assert notices(bob, run=run) == []


def test_whoever_is_named_in_a_message_to_a_run_hears_of_it(house: House) -> None:
    ann, bob = people(house, 2, "member")
    run, _ = waiting(house)
    text = f"@{bob.email.upper()}, have a look; and @{ann.email} @nobody@elsewhere.example x@{bob.email}"
    assert ann.post(f"/api/runs/{run}/messages", {"text": text}).status_code == 201
    (mention,) = notices(bob, run=run)
    assert (mention["kind"], mention["sender"], mention["recipients"]) == ("mention", ann.email, [bob.email])
    assert text in mention["text"]
    assert notices(ann, run=run) == []


def test_a_reminder_and_an_escalation_say_what_they_are(house: House) -> None:
    ann, boss = people(house, 2)
    agent = agent_that(house, says("", WRITE), tools=("write_file",))
    chain = {"after_seconds": 1, "escalate_to": [boss.email]}
    timing = {"timeout_seconds": 4, "remind_before_seconds": 3, "on_timeout": "deny"}
    put_rules(house, rule(agent, {"approvers": [ann.email], "escalation": chain, **timing}, tool="write_file"))
    house.ask(run := house.start(agent))
    assert [each["kind"] for each in house.until(lambda: notices(ann, run=run))] == ["reminder"]
    assert "escalation" in [each["kind"] for each in house.until(lambda: notices(boss, run=run))]


def test_a_deleted_run_takes_its_notices_along(house: House) -> None:
    ann = somebody(house, "viewer")
    run, ask = waiting(house)
    house.post(f"/api/asks/{ask['id']}/answer", {"decision": "approve"})
    house.ended(run)
    assert notices(house.client, run=run)
    told(house)
    assert house.client.delete(f"/api/runs/{run}").status_code == 204
    assert notices(house.client, run=run) == []
    assert unread(ann) == 1


@pytest.mark.both_databases
def test_what_is_answered_is_new_to_nobody_and_says_so(house: House) -> None:
    ann, bob = people(house, 2)
    ask = asked_for(house, ann.email, bob.email)
    assert (unread(ann), unread(bob)) == (1, 1)
    (told,) = notices(bob, unread=True)
    assert (told["ask_status"], told["read"]) == ("pending", False)
    ann.answer(ask)
    assert (unread(ann), unread(bob)) == (0, 0)
    assert notices(bob, unread=True) == []
    (told,) = [each for each in notices(bob) if each["ask_id"] == ask["id"]]
    assert (told["ask_status"], told["read"]) == ("approved", True)


def test_a_mention_stays_new_when_its_ask_is_settled(house: House) -> None:
    (ann,) = people(house, 1)
    _, ask = waiting(house)
    house.post(f"/api/asks/{ask['id']}/comments", {"text": f"@{ann.email} why?"}, 201)
    house.answer(ask)
    assert unread(ann) == 1
