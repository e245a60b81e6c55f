"""People talk about an ask: before it is decided and after."""

from typing import Any

import httpx
import pytest

from tests.contract.ruling import Person, audited, look, notices_to, people, somebody
from tests.contract.scenes import Abroad, problem, read_until, stream, waiting
from tests.contract.test_lists import keys, walk
from tests.house import House
from tests.joining import invite


def path_of(ask: dict[str, Any]) -> str:
    return f"/api/asks/{ask['id']}/comments"


def says_about(person: Person, ask: dict[str, Any], text: str, **fields: Any) -> dict[str, Any]:
    response = person.post(path_of(ask), {"text": text, **fields})
    assert response.status_code == 201, response.text
    return response.json()


def test_a_comment_is_seen_by_a_colleague_and_decides_nothing(house: House) -> None:
    run, ask = waiting(house)
    ann, bob = somebody(house, "member"), somebody(house, "viewer")
    made = says_about(ann, ask, "  Is this the right file?  ")
    (seen,) = bob.get(path_of(ask)).json()["items"]
    assert seen == made
    assert (seen["author"], seen["author_name"], seen["kind"]) == (ann.email, "member", "person")
    assert (seen["text"], seen["state"], seen["to_agent"]) == ("Is this the right file?", None, False)
    assert look(house, ask)["status"] == "pending"
    assert house.run(run)["status"] == "waiting_approval"
    assert ann.email not in str(house.messages(run))


def test_a_settled_ask_can_still_be_talked_about(house: House) -> None:
    _, ask = waiting(house)
    house.answer(ask, "deny", note="no")
    says_about(somebody(house, "member"), ask, "Why not?")
    assert house.get(path_of(ask))["total"] == 1


def test_a_viewer_reads_and_does_not_write(house: House) -> None:
    _, ask = waiting(house)
    problem(somebody(house, "viewer").post(path_of(ask), {"text": "hello"}), 403)
    assert house.get(path_of(ask))["items"] == []


def test_a_token_that_somebody_else_made_writes_nothing_in_its_members_name(house: House) -> None:
    _, ask = waiting(house)
    ann = somebody(house)
    made = house.post("/api/tokens", {"name": "bot", "user": ann.email}, 201)["token"]
    with house.client_for(made) as bot:
        assert problem(bot.post(path_of(ask), json={"text": "I looked, it is fine"}), 403)["code"] == "answers_nothing"


def test_another_workspace_neither_sees_nor_adds_comments(house: House, abroad: Abroad) -> None:
    _, ask = waiting(house)
    problem(abroad.client.get(path_of(ask)), 404)
    problem(abroad.client.post(path_of(ask), json={"text": "hello"}), 404)
    problem(house.client.get(path_of({"id": abroad.ids["ask_id"]})), 404)


@pytest.mark.parametrize("text", ["", " \n ", "\x00", "a" * 4_001, None, 5])
def test_a_comment_has_words_but_not_too_many(house: House, text: Any) -> None:
    _, ask = waiting(house)
    body = problem(house.client.post(path_of(ask), json={"text": text}), 422)
    assert [error["path"] for error in body["errors"]] == ["text"]


@pytest.mark.both_databases
def test_the_conversation_is_walked_oldest_first(house: House) -> None:
    _, ask = waiting(house)
    for number in range(7):
        house.post(path_of(ask), {"text": str(number)}, 201)
    found = walk(house, path_of(ask), limit=3)
    assert [each["text"] for each in found] == list("0123456")
    assert len(set(keys(found))) == house.get(path_of(ask), limit=1)["total"] == 7


def test_a_mention_tells_members_of_this_workspace_and_nobody_else(house: House, abroad: Abroad) -> None:
    _, ask = waiting(house)
    ann, bob = people(house, 2)
    foreign = abroad.client.get("/api/me").json()["user"]["email"]
    invited = f"invited-{ann.email}"
    invite(house.client, invited, "member")
    text = f"@{bob.email}, and @{foreign}, @{invited} and @{ann.email}: look. mail@{bob.email} is no mention."
    assert says_about(ann, ask, text)["mentions"] == [bob.email, ann.email]
    (notice,) = notices_to(house, ask, bob.email)
    # Who writes knows already.
    assert (notice["recipients"], notice["sender"]) == ([bob.email], ann.email)
    assert notice["kind"] == "mention"
    assert notice["text"].startswith(f"{ask['title']}\n@approver, and @{foreign}, @{invited} and @approver: look.")
    assert notices_to(house, ask, ann.email) == []
    told = abroad.client.get("/api/notifications").json()["items"]
    assert [each for each in told if each["kind"] == "mention"] == []


def test_a_comment_is_on_the_record_without_its_words(house: House) -> None:
    _, ask = waiting(house)
    ann = somebody(house)
    made = says_about(ann, ask, "between us")
    (entry,) = audited(house, ask["id"], "ask.commented")
    assert (entry["actor"], entry["data"]["comment"]) == (ann.email, made["id"])
    assert "between us" not in str(entry)


def test_open_pages_hear_of_a_new_comment(house: House) -> None:
    run, ask = waiting(house)
    last = house.get(f"/api/runs/{run}/activity", limit=200)["items"][-1]["id"]
    house.post(path_of(ask), {"text": "hello"}, 201)
    with stream(house, f"/api/runs/{run}/events?after={last}") as events:
        assert read_until(events, "ask.updated")[-1]["data"]["ask"]["id"] == ask["id"]


def test_a_comment_sent_twice_with_one_key_is_said_once(house: House) -> None:
    _, ask = waiting(house)
    both: list[httpx.Response] = [
        house.client.post(path_of(ask), json={"text": "once"}, headers={"Idempotency-Key": ask["id"]}) for _ in range(2)
    ]
    assert both[0].json() == both[1].json()
    assert house.get(path_of(ask))["total"] == 1
