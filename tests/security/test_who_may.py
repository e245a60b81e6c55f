"""Every route of the OpenAPI page, with every kind of credential, next to one table of who may what."""

from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from signoff.kit.settings import Settings
from tests.contract.asks.test_deputies import away
from tests.contract.asks.test_plans import plan, step
from tests.contract.scenes import (
    DELIVERABLE,
    QUESTION,
    WRITE,
    Abroad,
    a_channel,
    a_connection,
    a_document,
    a_schedule,
    agent_that,
    waiting,
)
from tests.fresh import settings_for
from tests.house import House
from tests.security.callers import PASSWORD, Caller, Door, everybody
from tests.security.who_may import BROWSER, TABLE, May
from tests.wire import says

NOT_THERE = "01a1e214-450e-7e96-b4fd-40d4bfc4e49e"
REFUSED = {401, 403}
SETTLED = {"decided", "answered", "planned"}
# Those who came by a longer way share the routes among them. In the slow run each is refused wherever the table says.
PART = 6
VERBS = {"get", "put", "post", "patch", "delete", "head", "options"}


@pytest.fixture(scope="module")
def kind() -> str:
    """Who may what is asked above the database."""
    return "sqlite"


@pytest.fixture(scope="module")
def settings(database_url: str, folder: Any) -> Settings:
    """Everybody signs in within one minute here."""
    return settings_for(database_url, folder).model_copy(update={"sign_in_tries_per_minute": 100_000})


@pytest.fixture(scope="module")
def things(house: House) -> dict[str, str]:
    """One of each, by the names that paths and the table give them."""
    run, ask = waiting(house)
    _, settled = waiting(house)
    house.answer(settled, "deny", note="Not like this.")
    _, question = waiting(house, QUESTION)
    house.answer(question, "respond", value="this")
    planned = house.start(agent_that(house, plan(step(1)), tools=("write_file",), mode="plan"))
    house.answer(house.ask(planned), "deny", end_run=True, note="no")
    made = house.start(agent_that(house, says("", DELIVERABLE, WRITE), tools=("write_file",)))
    house.answer(house.ask(made), remember="run")
    house.ended(made)
    for count in range(3):
        version = house.client.put("/api/rules", json={"yaml": f"checkpoints: [] # {count}\n"}).json()["version"]
    away(house)
    return (
        a_channel(house, house.client)
        | a_connection(house.client)
        | {
            "token": "ans_not-ours",
            "run_id": run,
            "call_id": house.calls(run)[0]["id"],
            "ask_id": ask["id"],
            "decided": settled["id"],
            "answered": question["id"],
            "planned": planned,
            "slug": house.run(run)["agent"],
            "deliverable_id": house.get(f"/api/runs/{made}/deliverables")["items"][0]["id"],
            "document_id": a_document(house.client),
            "note_id": house.post(f"/api/agents/{house.run(run)['agent']}/memory", {"text": "ours"}, 201)["id"],
            "schedule_id": a_schedule(house.client, house.run(run)["agent"]),
            "file_id": house.client.post("/api/files", files={"files": ("walk.txt", b"walk")}).json()["items"][0]["id"],
            "allowance_id": house.get("/api/rules/allowances")["items"][0]["id"],
            "lesson_id": house.until(lambda: house.get("/api/lessons")["items"])[0]["id"],
            "group_id": house.post("/api/groups", {"name": "ours"}, 201)["id"],
            "token_id": house.post("/api/tokens", {"name": "ours"}, 201)["id"],
            "member_id": house.get("/api/members")["items"][0]["id"],
            "invitation_id": house.post(
                "/api/invitations", {"email": "asked@example.org", "name": "Asked", "role": "viewer"}, 201
            )["id"],
            "delegation_id": house.get("/api/delegations")["items"][0]["id"],
            "subscription_id": house.post(
                "/api/push/subscriptions", {**BROWSER, "endpoint": "https://push.example.org/ours"}, 201
            )["id"],
            "version": str(version),
            "other": "1",
            # The known ones are the whole installation's.
            "provider": "nobody-s",
            "workspace_id": house.get("/api/me")["workspace"]["id"],
        }
    )


class Naming(dict[str, str]):
    """Whatever a path asks for, it is this."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def __missing__(self, key: str) -> str:
        return "999999" if key in ("version", "other") and self._name == NOT_THERE else self._name


def routes(house: House) -> set[tuple[str, str]]:
    paths = house.client.get("/openapi.json").json()["paths"]
    return {(verb.upper(), path) for path, verbs in paths.items() for verb in verbs if verb in VERBS}


def knock(caller: Caller, verb: str, path: str, body: Any) -> int:
    """The status. A stream is not listened to."""
    if verb == "SOCKET":
        return _socket(caller, path)
    request = caller.client.build_request(verb, path, json=body if verb not in ("GET", "DELETE") else None)
    response = caller.client.send(request, stream=True)
    try:
        if not response.headers.get("content-type", "").startswith("text/event-stream"):
            response.read()
        return response.status_code
    finally:
        response.close()


def _socket(caller: Caller, path: str) -> int:
    url = str(caller.client.base_url).rstrip("/").replace("http", "ws", 1) + path
    try:
        with connect(url, additional_headers=caller.headers, origin=None, proxy=None, close_timeout=0.1):
            return 101
    except InvalidStatus as error:
        return error.response.status_code


def walks(caller: Caller, what: May, turn: int, every_refusal: bool) -> bool:
    refused_by_the_table = caller.role is not None and not caller.may(what)
    return caller.walks_all or (every_refusal and refused_by_the_table) or turn % PART == 0


def expected(caller: Caller, what: May) -> set[str]:
    if caller.may(what):
        return {"let in"}
    if caller.role is None or what.role == "signed":
        return {"401"}
    # Whoever may not decide hears so, or that it is decided already: they see it anyway.
    return {"403", "409"} if what.on in SETTLED and caller.standing == "person" else {"403"}


def got(caller: Caller, what: May, status: int) -> str:
    refusals = REFUSED | ({409} if not caller.may(what) else set())
    return str(status) if status in refusals or status >= 500 or status == 429 else "let in"


def test_the_table_names_every_route_and_none_that_is_gone(house: House) -> None:
    assert set(TABLE) - {("SOCKET", "/api/ws")} == routes(house)


@pytest.mark.parametrize("every_refusal", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_every_credential_opens_what_the_table_says_and_nothing_else(
    house: House, door: Door, things: dict[str, str], every_refusal: bool
) -> None:
    wrong = list[str]()
    # Signing out ends the session that asks for it.
    table = sorted(TABLE.items(), key=lambda each: "sign-out" in each[0][1])
    for number, caller in enumerate(everybody(door)):
        walked = [row for place, row in enumerate(table) if walks(caller, row[1], place + number, every_refusal)]
        for (verb, path), what in walked:
            named = path.format_map(Naming(things.get(what.on, NOT_THERE)))
            status = knock(caller, verb, named, what.body)
            if got(caller, what, status) not in expected(caller, what):
                wrong.append(f"{verb} {path} by {caller.name}: {status}, expected {expected(caller, what)}")
    assert not wrong, "\n".join(wrong)
    assert (house.run(things["run_id"])["status"], house.asks(things["run_id"])[0]["approvals"]) == (
        "waiting_approval",
        [],
    )


def test_a_neighbours_admin_finds_nothing_of_ours(house: House, abroad: Abroad, things: dict[str, str]) -> None:
    neighbour = Caller("a neighbour", abroad.client, "admin")
    wrong = list[str]()
    for (verb, path), what in TABLE.items():
        # What is signed is refused to everybody alike, whatever it names.
        if "{" in path and what.role != "signed":
            named = path.format_map({**things, **({"ask_id": things[what.on]} if what.on in things else {})})
            status = knock(neighbour, verb, named, what.body)
            if status != 404:
                wrong.append(f"{verb} {path} by a neighbour: {status}, expected 404")
    assert not wrong, "\n".join(wrong)
    assert house.run(things["run_id"])["status"] == "waiting_approval"


def test_a_neighbours_admin_reaches_none_of_our_people_by_naming_them(
    house: House, door: Door, abroad: Abroad, things: dict[str, str]
) -> None:
    email, session = door.person("approver", with_password=True)
    user = session.get("/api/me").json()["user"]["id"]
    for who in (email, user):
        for path in ("/api/tokens", "/api/auth/links"):
            response = abroad.client.post(
                path, json={"name": "theirs", "user": who} if "tokens" in path else {"user": who}
            )
            assert response.status_code == 404, (path, response.text)
        ask = abroad.ids["ask_id"]
        assert abroad.client.post(f"/api/asks/{ask}/assign", json={"user": who}).status_code == 422
    group = abroad.client.post("/api/groups", json={"name": "theirs", "members": [email]})
    assert group.status_code == 422, group.text
    body = {"email": email, "name": "Theirs", "role": "viewer"}
    invited = abroad.client.post("/api/invitations", json=body)
    assert invited.status_code == 201
    with door.client(Origin=house.url) as client:
        taken = {"token": invited.json()["url"].split("token=")[1], "password": "a password of their own"}
        assert client.post("/api/auth/sign-in", json=taken).json()["user"]["id"] != user
    assert session.get("/api/me").json()["role"] == "approver"
    mine = door.sign_in(email=email, password=PASSWORD).get("/api/me").json()
    assert (mine["role"], mine["workspace"]["id"]) == ("approver", house.get("/api/me")["workspace"]["id"])


SEEDS = [
    "approvals approve",
    "approvals deny",
    "checkpoints approve",
    "checkpoints reject",
    "runs approve",
    "runs reject",
]


@pytest.mark.parametrize("way", SEEDS)
def test_the_seeds_paths_decide_for_the_same_people(house: House, door: Door, way: str) -> None:
    where, verb = way.split()
    if where == "runs":
        run = house.start(agent_that(house, plan(step(1)), tools=("write_file",), mode="plan"))
        ask = house.ask(run)
    else:
        run, ask = waiting(house)
    path = f"/api/{where}/{run if where == 'runs' else ask['id']}/{verb}"
    body = {"reason": "no"} if verb == "reject" else {}
    method = "PUT" if where == "checkpoints" else "POST"
    email, approver = door.person("approver")
    service = door.by_token(door.token(door.person("admin")[1], user=email))
    for refused in (door.person("viewer")[1], door.person("member")[1], service):
        assert refused.request(method, path, json=body).status_code == 403
    assert house.get(f"/api/asks/{ask['id']}")["status"] == "pending"
    assert approver.request(method, path, json=body).status_code == 200
    assert house.get(f"/api/asks/{ask['id']}")["settled_by"] == email
