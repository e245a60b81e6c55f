"""Ways for one person to be two, and for what runs to differ from what was signed. None leads anywhere."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.contract.ruling import look, ruled
from tests.contract.scenes import WRITE, agent_that, problem
from tests.house import House
from tests.security.callers import Door, door_of
from tests.wire import call, fails, says

TWO = {"require_approval_count": 2}
FOUR_EYES = {"four_eyes": True}
EDITED = {"path": "a.txt", "content": "edited"}


@pytest.fixture(scope="module")
def kind() -> str:
    """Nothing here is about the database."""
    return "sqlite"


@pytest.fixture(scope="module")
def door(house: House) -> Iterator[Door]:
    with door_of(house) as door:
        yield door


def approvers(door: Door, count: int) -> list[httpx.Client]:
    """People who accepted, each in their own session."""
    return [door.person("approver")[1] for _ in range(count)]


def answer(who: httpx.Client, ask: dict[str, Any], **fields: Any) -> httpx.Response:
    return who.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve", **fields})


def signed(house: House, ask: dict[str, Any]) -> tuple[str, int]:
    shown = look(house, ask)
    return shown["status"], len(shown["approvals"])


def content(house: House, run: str) -> list[str]:
    house.ended(run)
    written = [each for each in house.calls(run) if each["tool"] == "write_file" and each["status"] == "succeeded"]
    return [each["arguments"]["content"] for each in written]


# One person, two signatures


def test_one_person_signs_once_however_many_credentials_they_have(house: House, door: Door) -> None:
    _, ask = ruled(house, TWO)
    (ann,) = approvers(door, 1)
    token = door.by_token(door.token(ann))
    again = [token, door.sign_in(token=door.link(ann)), door.sign_in(token=door.token(ann)), ann]
    assert answer(ann, ask).status_code == 200
    for each in again:
        assert answer(each, ask).status_code in (403, 409), each.headers
    assert signed(house, ask) == ("pending", 1)


def test_an_admin_signs_with_no_token_made_for_another(house: House, door: Door) -> None:
    _, ask = ruled(house, TWO)
    _, admin = door.person("admin")
    for _ in range(2):
        email, _ = door.person("approver")
        token = door.by_token(door.token(admin, user=email))
        for each in (token, door.sign_in(token=door.token(admin, user=email)), door.sign_in(token=door.link(token))):
            problem(answer(each, ask), 403)
            (result,) = each.post("/api/asks/batch", json={"ids": [ask["id"]], "decision": "approve"}).json()["results"]
            assert result["error"]
    assert signed(house, ask) == ("pending", 0)


@pytest.mark.parametrize("first", ["the admin", "the other"])
def test_an_admin_and_whoever_they_made_a_link_for_are_one_signature(house: House, door: Door, first: str) -> None:
    _, ask = ruled(house, TWO)
    _, admin = door.person("admin")
    email, _ = door.person("approver")
    linked = door.sign_in(token=door.link(admin, user=email))
    for each in (admin, linked) if first == "the admin" else (linked, admin):
        answer(each, ask)
    assert signed(house, ask)[0] == "pending"


def test_an_admin_is_not_two_by_links_for_two(house: House, door: Door) -> None:
    _, ask = ruled(house, TWO)
    _, admin = door.person("admin")
    for _ in range(2):
        email, _ = door.person("approver")
        answer(door.sign_in(token=door.link(admin, user=email)), ask)
    assert signed(house, ask)[0] == "pending"


def test_an_admin_is_not_two_by_links_that_they_made_before_and_used_after(house: House, door: Door) -> None:
    _, admin = door.person("admin")
    secrets = [door.link(admin, user=door.person("approver")[0]) for _ in range(2)]
    _, ask = ruled(house, TWO)
    for secret in secrets:
        answer(door.sign_in(token=secret), ask)
    assert signed(house, ask)[0] == "pending"


def test_an_admin_who_opens_the_invitation_themselves_is_not_two(house: House, door: Door) -> None:
    _, ask = ruled(house, TWO)
    _, admin = door.person("admin")
    _, secret = door.invite("approver", admin)
    answer(door.sign_in(token=secret), ask)
    answer(admin, ask)
    assert signed(house, ask)[0] == "pending"


def test_an_admin_who_adds_a_member_by_hand_has_not_added_a_signature(house: House, door: Door) -> None:
    _, ask = ruled(house, TWO)
    _, admin = door.person("admin")
    email = f"shadow-{ask['id']}@example.org"
    admin.post("/api/members", json={"email": email, "name": "Shadow", "role": "approver"})
    shadow = door.by_token(door.token(admin, user=email))
    problem(answer(shadow, ask), 403)
    answer(admin, ask)
    assert signed(house, ask) == ("pending", 1)


@pytest.mark.parametrize("action", [TWO, FOUR_EYES], ids=["quorum", "four eyes"])
def test_the_servers_own_token_is_nobodys_second_eye(house: House, door: Door, action: Any) -> None:
    _, ask = ruled(house, action)
    root = door.by_token(house.settings.token)
    problem(answer(root, ask), 403)
    problem(answer(door.sign_in(token=house.settings.token), ask), 403)
    assert signed(house, ask) == ("pending", 0)


def test_the_servers_own_token_decides_alone(house: House) -> None:
    agent = agent_that(house, says("", WRITE), tools=("write_file",))
    assert house.answer(house.ask(house.start(agent)))["status"] == "approved"


def test_the_signature_of_somebody_who_left_does_not_count(house: House, door: Door) -> None:
    run, ask = ruled(house, TWO)
    email, ann = door.person("approver")
    bob, cy = approvers(door, 2)
    assert answer(ann, ask).json()["status"] == "pending"
    house.client.delete(f"/api/members/{door.member_id(email)}")
    assert answer(bob, ask).json()["status"] == "pending"
    assert answer(cy, ask).json()["status"] == "approved"
    assert content(house, run) == ["one"]


def test_the_signature_of_somebody_who_was_demoted_does_not_count(house: House, door: Door) -> None:
    _, ask = ruled(house, TWO)
    email, ann = door.person("approver")
    (bob,) = approvers(door, 1)
    assert answer(ann, ask).json()["status"] == "pending"
    house.client.patch(f"/api/members/{door.member_id(email)}", json={"role": "viewer"})
    assert answer(bob, ask).json()["status"] == "pending"


def test_whoever_edits_under_four_eyes_is_not_the_eye_that_decides(house: House, door: Door) -> None:
    run, ask = ruled(house, FOUR_EYES)
    ann, bob = approvers(door, 2)
    assert answer(ann, ask, arguments=EDITED, digest=ask["digest"]).json()["status"] == "pending"
    edited = look(house, ask)
    assert edited["arguments"] == EDITED
    problem(answer(ann, edited, digest=edited["digest"]), 403)
    assert answer(bob, edited, digest=edited["digest"]).json()["status"] == "approved"
    assert content(house, run) == ["edited"]


def test_whoever_steers_under_four_eyes_is_not_the_eye_that_decides(house: House, door: Door) -> None:
    run, ask = ruled(house, FOUR_EYES)
    ann, bob = approvers(door, 2)
    assert ann.post(f"/api/runs/{run}/messages", json={"text": "pay them more"}).status_code < 300
    problem(answer(ann, ask), 403)
    assert answer(bob, ask).json()["status"] == "approved"


def test_a_lone_user_edits_and_approves_where_no_rule_wants_more(house: House, door: Door) -> None:
    run = house.start(agent_that(house, says("", WRITE), tools=("write_file",)))
    (ann,) = approvers(door, 1)
    assert answer(ann, house.ask(run), arguments=EDITED).json()["status"] == "approved"
    assert content(house, run) == ["edited"]


# Something else than what was seen


def edited_ask(house: House, door: Door) -> tuple[dict[str, Any], dict[str, Any], httpx.Client]:
    """An ask before and after somebody edited it, and somebody else who may sign."""
    _, ask = ruled(house, FOUR_EYES)
    ann, bob = approvers(door, 2)
    assert answer(ann, ask, arguments=EDITED, digest=ask["digest"]).status_code == 200
    return ask, look(house, ask), bob


@pytest.mark.parametrize(
    "way", ["answer", "stale", "batch", "stale batch", "approvals", "approvals batch", "checkpoints"]
)
def test_no_way_signs_what_was_edited_since_without_its_digest(house: House, door: Door, way: str) -> None:
    ask, edited, bob = edited_ask(house, door)
    batch = {"ids": [ask["id"]], "decision": "approve"}
    stale = {"digests": {ask["id"]: ask["digest"]}}
    response = {
        "answer": lambda: answer(bob, ask),
        "stale": lambda: answer(bob, ask, digest=ask["digest"]),
        "batch": lambda: bob.post("/api/asks/batch", json=batch),
        "stale batch": lambda: bob.post("/api/asks/batch", json=batch | stale),
        "approvals": lambda: bob.post(f"/api/approvals/{ask['id']}/approve", json={}),
        "approvals batch": lambda: bob.post(
            "/api/approvals/batch", json={"approval_ids": [ask["id"]], "decision": "approved"}
        ),
        "checkpoints": lambda: bob.put(f"/api/checkpoints/{ask['id']}/approve", json={}),
    }[way]()
    if response.status_code == 200:
        (result,) = response.json()["results"]
        assert result["error"], response.text
    else:
        assert response.status_code in (409, 422), response.text
    assert signed(house, ask)[0] == "pending"
    assert answer(bob, edited, digest=edited["digest"]).json()["status"] == "approved"


def test_a_batch_with_the_digest_that_was_seen_signs(house: House, door: Door) -> None:
    ask, edited, bob = edited_ask(house, door)
    body = {"ids": [ask["id"]], "decision": "approve", "digests": {ask["id"]: edited["digest"]}}
    (result,) = bob.post("/api/asks/batch", json=body).json()["results"]
    assert (result["status"], result.get("error")) == ("approved", None)


def test_an_answer_after_removal_is_nobodys(house: House, door: Door) -> None:
    _, ask = ruled(house, {"approvers": ["role:approver"]})
    email, ann = door.person("approver")
    token = door.by_token(door.token(ann))
    house.client.delete(f"/api/members/{door.member_id(email)}")
    assert [answer(each, ask).status_code for each in (ann, token)] == [401, 401]
    assert signed(house, ask) == ("pending", 0)


@pytest.mark.parametrize("start", ["last_good", "start"])
def test_an_approval_covers_nothing_in_another_run(house: House, door: Door, start: str) -> None:
    fails_always = says("", call("write_file", {"path": ".", "content": "x"}))
    agent = agent_that(house, fails_always, fails(400, "broken"), tools=("write_file",))
    run = house.start(agent)
    (ann,) = approvers(door, 1)
    assert answer(ann, house.ask(run)).json()["status"] == "approved"
    assert house.ended(run)["status"] == "failed"
    house.model.script(agent, fails_always, fails_always)
    again = house.post(f"/api/runs/{run}/retry", {"from": start}, 201)["id"]
    assert house.ask(again)["tool"] == "write_file"
