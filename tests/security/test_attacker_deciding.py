"""Ways for one person to be two, and for what runs to differ from what was signed. None leads anywhere."""

from typing import Any

import httpx
import pytest

from tests.contract.ruling import look, ruled, ruled_agent
from tests.contract.scenes import WRITE, agent_that, problem
from tests.house import House
from tests.security.callers import PASSWORD, Door
from tests.wire import call, fails, says

TWO = {"require_approval_count": 2}
FOUR_EYES = {"four_eyes": True}
EDITED = {"path": "a.txt", "content": "edited"}


@pytest.fixture(scope="module")
def kind() -> str:
    """Nothing here is about the database."""
    return "sqlite"


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
        assert answer(each, ask).status_code == 409, each.headers
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


def test_nobody_lets_open_asks_through_with_a_token_made_for_another(house: House, door: Door) -> None:
    _, admin = door.person("admin")
    email, other = door.person("admin")
    made = door.token(admin, user=email)
    body = {"ids": ["none"], "digests": {}}
    assert other.post("/api/rules/open-asks/apply", json=body).status_code == 200
    for each in (door.by_token(made), door.sign_in(token=made)):
        refused = problem(each.post("/api/rules/open-asks/apply", json=body), 403)
        assert "made by someone else" in refused["detail"]


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


@pytest.mark.parametrize("first", ["the admin", "the other"])
@pytest.mark.parametrize("way", ["session", "token", "own link"])
def test_what_a_link_opened_stays_its_makers_hand_on_later_asks(house: House, door: Door, way: str, first: str) -> None:
    _, admin = door.person("admin")
    email, _ = door.person("approver", with_password=True)
    linked = door.sign_in(token=door.link(admin, user=email))
    if way == "token":
        linked = door.by_token(door.token(linked))
    if way == "own link":
        linked = door.sign_in(token=door.link(linked))
    _, ask = ruled(house, TWO)
    one, two = (admin, linked) if first == "the admin" else (linked, admin)
    assert answer(one, ask).status_code == 200
    assert problem(answer(two, ask), 403)["code"] == "one_hand"
    assert signed(house, ask) == ("pending", 1)


def test_who_signs_in_by_themselves_is_two_with_whoever_made_them_a_link_before(house: House, door: Door) -> None:
    _, admin = door.person("admin")
    email, _ = door.person("approver", with_password=True)
    door.sign_in(token=door.link(admin, user=email))
    _, ask = ruled(house, TWO)
    assert answer(admin, ask).status_code == 200
    assert answer(door.sign_in(email=email, password=PASSWORD), ask).json()["status"] == "approved"


def test_whoever_started_a_run_is_not_its_other_eye_by_an_earlier_link(house: House, door: Door) -> None:
    _, admin = door.person("admin")
    email, _ = door.person("approver")
    linked = door.sign_in(token=door.link(admin, user=email))
    agent = ruled_agent(house, FOUR_EYES)
    started = admin.post("/api/runs", json={"agent": agent, "task": "mine"})
    assert problem(answer(linked, house.ask(started.json()["id"])), 403)["code"] == "four_eyes"


def test_whoever_steers_in_anothers_session_is_a_party_themselves(house: House, door: Door) -> None:
    _, admin = door.person("admin")
    email, _ = door.person("approver")
    linked = door.sign_in(token=door.link(admin, user=email))
    run, ask = ruled(house, FOUR_EYES)
    assert linked.post(f"/api/runs/{run}/messages", json={"text": "pay them more"}).status_code < 300
    assert problem(answer(admin, ask), 403)["code"] == "four_eyes"
    assert signed(house, ask) == ("pending", 0)


@pytest.mark.parametrize("when", ["before", "after"])
def test_the_servers_own_token_is_not_two_by_links_for_two(house: House, door: Door, when: str) -> None:
    ask = ruled(house, TWO)[1] if when == "after" else {}
    two = [door.sign_in(token=door.link(house.client, user=door.person("approver")[0])) for _ in range(2)]
    ask = ask or ruled(house, TWO)[1]
    assert answer(two[0], ask).status_code == 200
    assert problem(answer(two[1], ask), 403)["code"] == "one_hand"


def invited_by(door: Door, admin: httpx.Client, role: str) -> httpx.Client:
    return door.sign_in(token=door.invite(role, admin)[1])


def linked_by(door: Door, admin: httpx.Client, role: str) -> httpx.Client:
    return door.sign_in(token=door.link(admin, user=door.person(role)[0]))


@pytest.mark.parametrize("lets_in", [invited_by, linked_by])
@pytest.mark.parametrize("action", [TWO, FOUR_EYES], ids=["quorum", "four eyes"])
def test_an_admin_is_not_two_by_way_of_another_admin(house: House, door: Door, lets_in: Any, action: Any) -> None:
    _, admin = door.person("admin")
    agent = ruled_agent(house, action)
    ask = house.ask(admin.post("/api/runs", json={"agent": agent, "task": "mine"}).json()["id"])
    between = lets_in(door, admin, "admin")
    last = lets_in(door, between, "approver")
    answers = [answer(each, ask).status_code for each in (admin, between, last)]
    assert answers == ([200, 403, 403] if action is TWO else [403, 403, 403])
    assert signed(house, ask)[0] == "pending"


@pytest.mark.parametrize("which", ["first", "between"])
def test_a_chain_of_links_stays_the_hand_of_everybody_in_it(house: House, door: Door, which: str) -> None:
    first_email, first = door.person("admin", with_password=True)
    email, _ = door.person("admin", with_password=True)
    last = linked_by(door, door.sign_in(token=door.link(first, user=email)), "approver")
    _, ask = ruled(house, TWO)
    one = door.sign_in(email=first_email if which == "first" else email, password=PASSWORD)
    assert answer(one, ask).status_code == 200
    assert problem(answer(last, ask), 403)["code"] == "one_hand"


@pytest.mark.parametrize("names", ["the rule", "an assignment"])
def test_a_token_for_a_member_approves_nothing_whoever_is_named(house: House, door: Door, names: str) -> None:
    email, admin = door.person("admin")
    _, ask = ruled(house, {"approvers": [email]} if names == "the rule" else {"require_approval_count": 1})
    if names == "an assignment":
        assert house.client.post(f"/api/asks/{ask['id']}/assign", json={"user": email}).status_code == 200
    for scope in ("viewer", "member"):
        problem(answer(door.by_token(door.token(admin, scopes=[scope])), ask), 403)
    assert answer(door.by_token(door.token(admin, scopes=["approver"])), ask).json()["status"] == "approved"


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
        assert response.status_code == 409, response.text
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
