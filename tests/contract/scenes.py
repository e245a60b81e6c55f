"""Short ways to say what happens in a house."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx

from signoff.channels.models import Delivery
from signoff.channels.push.models import PushSubscription
from signoff.kit.actor import Actor
from signoff.kit.ids import new_id
from signoff.workspaces import actions, credentials
from tests.house import House, until
from tests.wire import call, says

T = TypeVar("T")
WRITE = call("write_file", {"path": "a.txt", "content": "one"})
QUESTION = call("ask_question", {"question": "Which one?", "type": "blocking", "responseType": "text"})
DELIVERABLE = call("create_deliverable", {"name": "report.md", "type": "markdown", "content": "# One"})


def agent_that(house: House, *answers: dict[str, Any], tools: tuple[str, ...] = (), **fields: Any) -> str:
    """A new agent whose model gives these answers."""
    name = f"m{new_id()}"
    return house.agent(name, house.model.script(name, *answers), *tools, **fields)


def run_that(house: House, *answers: dict[str, Any], tools: tuple[str, ...] = ("write_file",), **fields: Any) -> str:
    """A run of a new agent whose model gives these answers; every call is free with `autonomy="full"`."""
    return house.start(agent_that(house, *answers, tools=tools, **fields))


def free_run(house: House, *answers: dict[str, Any], tools: tuple[str, ...] = ()) -> dict[str, Any]:
    """A run without approvals, after its end."""
    return house.ended(run_that(house, *answers, tools=tools, autonomy="full"))


def waiting(house: House, *calls: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A run that waits for a person, and its first ask."""
    run_id = run_that(house, says("", *(calls or (WRITE,))))
    return run_id, house.ask(run_id)


def requests_of(house: House, run_id: str) -> list[dict[str, Any]]:
    """What the model of this run was sent, in order."""
    return house.model.asked(house.run(run_id)["agent"])


def said_to_model(house: House, run_id: str) -> str:
    """All that the model heard until its last answer."""
    return json.dumps(requests_of(house, run_id)[-1]["messages"], ensure_ascii=False)


def problem(response: httpx.Response, status: int) -> dict[str, Any]:
    """The body of a clear error."""
    assert response.status_code == status, f"{response.request.url} {response.status_code} {response.text[:500]}"
    assert response.headers["content-type"].startswith("application/problem+json")
    body = response.json()
    assert {"type", "title", "status", "detail", "code"} <= set(body)
    assert body["status"] == status
    return body


def at_once(count: int, do: Callable[[int], T]) -> list[T]:
    """The same thing many times, all together."""
    gate = threading.Barrier(count)
    done: dict[int, T] = {}

    def one(index: int) -> None:
        gate.wait()
        done[index] = do(index)

    threads = [threading.Thread(target=one, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [done[index] for index in range(count)]


@contextmanager
def stream(house: House, path: str, **headers: str) -> Iterator[Iterator[dict[str, Any]]]:
    """The events at this address as they come; `position` is the SSE id."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    with house.client.stream("GET", path, headers=sent, timeout=20) as response:
        assert response.status_code == 200, response.read()
        assert response.headers["content-type"].startswith("text/event-stream")
        yield _events(response)


def _events(response: httpx.Response) -> Iterator[dict[str, Any]]:
    fields: dict[str, str] = {}
    for line in response.iter_lines():
        if line and not line.startswith(":"):
            name, _, value = line.partition(":")
            fields[name] = fields.get(name, "") + value.removeprefix(" ")
        elif not line and "data" in fields:
            yield {"position": fields.get("id"), "event": fields.get("event"), **json.loads(fields["data"])}
            fields = {}


def read_until(events: Iterator[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    """Every event up to the first of this type."""
    seen: list[dict[str, Any]] = []
    for event in events:
        seen.append(event)
        if event["type"] == kind:
            return seen
    raise AssertionError(f"the stream ended without {kind}")


@dataclass
class Abroad:
    """Another workspace's people and things."""

    client: httpx.Client
    ids: dict[str, str]


def abroad_of(house: House) -> Abroad:
    admin = house.parts.db.write(lambda s: actions.found(s, "Other", f"{new_id()}@example.org", "Other").id)
    workspace, secret = house.parts.db.write(lambda s: _token(s, admin))
    assert workspace
    client = house.client_for(secret)
    name = f"m{new_id()}"
    agent = {"slug": name, "name": name, "tools": ["write_file"]}
    agent["model"] = house.model.script(name, says("", DELIVERABLE, WRITE))
    assert client.post("/api/agents", json=agent).status_code == 201
    run = client.post("/api/runs", json={"agent": name, "task": "abroad"}).json()["id"]
    ask = until(lambda: client.get(f"/api/runs/{run}/asks").json()["items"])[0]["id"]
    deliverable = client.get(f"/api/runs/{run}/deliverables").json()["items"][0]["id"]
    token = client.get("/api/tokens").json()["items"][0]["id"]
    member = client.get("/api/members").json()["items"][0]["id"]
    guest = {"email": f"{new_id()}@example.org", "name": "Guest", "role": "viewer"}
    invitation = client.post("/api/invitations", json=guest).json()["id"]
    ids = {"invitation_id": invitation, "slug": name, "run_id": run, "ask_id": ask, "deliverable_id": deliverable}
    here = client.get("/api/me").json()["workspace"]["id"]
    # Providers are the whole installation's; delegations are tried where every route is walked.
    ids |= {"workspace_id": here, "token_id": token, "member_id": member, "provider": "nobody-s", "delegation_id": "x"}
    ids |= {"other": "1"}
    ids |= {"subscription_id": a_browser(house, here, member), "document_id": a_document(client)}
    ids |= {"note_id": client.post(f"/api/agents/{name}/memory", json={"text": "abroad"}).json()["id"]}
    ids |= {"schedule_id": a_schedule(client, name)}
    given = client.post("/api/files", files={"files": ("a.txt", b"abroad")}).json()["items"]
    calls = client.get(f"/api/runs/{run}/calls").json()["items"]
    ids |= {"file_id": given[0]["id"], "call_id": calls[0]["id"]}
    return Abroad(client, {**ids, **_policy_abroad(client, name), **a_channel(house, client), **a_connection(client)})


def a_schedule(client: httpx.Client, agent: str) -> str:
    """One that is off, so that no clock starts it."""
    body = {"agent": agent, "task": "walk", "cron": "@daily", "enabled": False}
    return client.post("/api/schedules", json=body).json()["id"]


def a_connection(client: httpx.Client) -> dict[str, str]:
    """With a server that nobody can reach."""
    settings = {"transport": "http", "url": "http://127.0.0.1:9/mcp"}
    made = client.post("/api/connections", json={"slug": "nowhere", "kind": "mcp", "settings": settings})
    assert made.status_code == 201, made.text
    return {"connection_id": made.json()["id"], "tool": "walk"}


def a_channel(house: House, client: httpx.Client) -> dict[str, str]:
    """A channel that is off, and something that would go out by it."""
    hook = {"kind": "webhook", "name": new_id(), "settings": {"url": "https://hooks.example.org/x"}, "enabled": False}
    made = client.post("/api/channels", json=hook)
    assert made.status_code == 201, made.text
    here, channel = client.get("/api/me").json()["workspace"]["id"], made.json()["id"]
    row = Delivery(
        id=new_id(), workspace_id=here, channel_id=channel, kind="test", target="x", key="x", status="failed"
    )
    house.parts.db.write(lambda session: session.add(row))
    return {"channel_id": channel, "delivery_id": row.id}


def a_document(client: httpx.Client) -> str:
    """Something in the knowledge base."""
    made = client.post("/api/documents", files={"files": ("a.txt", b"Something to know.")})
    assert made.status_code == 201, made.text
    return made.json()["items"][0]["document"]["id"]


def a_browser(house: House, workspace_id: str, member_id: str) -> str:
    """A browser of this member that push goes to."""
    endpoint = f"https://push.example.org/{new_id()}"
    row = PushSubscription(id=new_id(), workspace_id=workspace_id, member_id=member_id, endpoint=endpoint)
    row.p256dh = row.auth = "x"
    house.parts.db.write(lambda session: session.add(row))
    return row.id


def _policy_abroad(client: httpx.Client, agent: str) -> dict[str, str]:
    """A group, a version of the rules, a lesson and an allowance."""
    for answer in ({"decision": "deny", "note": "Not like this."}, {"decision": "approve", "remember": "run"}):
        run = client.post("/api/runs", json={"agent": agent, "task": "abroad again"}).json()["id"]
        ask = until(lambda run=run: client.get(f"/api/runs/{run}/asks").json()["items"])[0]["id"]
        assert client.post(f"/api/asks/{ask}/answer", json=answer).status_code == 200
        until(lambda run=run: client.get(f"/api/runs/{run}").json()["status"] == "completed")
    group = client.post("/api/groups", json={"name": "abroad"}).json()["id"]
    version = client.put("/api/rules", json={"yaml": "checkpoints: []\n"}).json()["version"]
    lesson = client.get("/api/lessons").json()["items"][0]["id"]
    allowance = client.get("/api/rules/allowances").json()["items"][0]["id"]
    return {"group_id": group, "version": str(version), "lesson_id": lesson, "allowance_id": allowance}


def _token(session: Any, member_id: str) -> tuple[str, str]:
    from signoff.workspaces.models import Member

    member = session.get_one(Member, member_id)
    actor = Actor.system(member.workspace_id)
    return member.workspace_id, credentials.issue_token(session, actor, member, "abroad", [], None)[1]
