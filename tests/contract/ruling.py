"""Short ways to say who decides by which rule."""

import ssl
from dataclasses import dataclass
from typing import Any

import httpx
import yaml
from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.kit.ids import new_id
from signoff.notifications.models import Notification
from signoff.notifications.schemas import NotificationOut
from tests.contract.scenes import WRITE, agent_that
from tests.house import House
from tests.joining import join
from tests.wire import says

# Made once: it takes longer than a request.
TRUST = ssl.create_default_context()


@dataclass
class Person:
    """A member who signs by a token, over a connection of their own each time."""

    url: str
    token: str
    email: str

    def get(self, path: str, **params: Any) -> httpx.Response:
        return self._send("GET", path, params=params)

    def post(self, path: str, body: Any = None) -> httpx.Response:
        return self._send("POST", path, json=body or {})

    def answer(self, ask: dict[str, Any], decision: str = "approve", **fields: Any) -> httpx.Response:
        return self.post(f"/api/asks/{ask['id']}/answer", {"decision": decision, **fields})

    def reads_and_answers(self, ask: dict[str, Any], decision: str = "approve", **fields: Any) -> httpx.Response:
        """Answer what stands there now, whoever edited it."""
        seen = self.get(f"/api/asks/{ask['id']}").json()["digest"]
        return self.answer(ask, decision, digest=seen, **fields)

    def _send(self, method: str, path: str, **fields: Any) -> httpx.Response:
        given = {"Authorization": f"Bearer {self.token}"}
        return httpx.request(method, self.url + path, headers=given, timeout=30, verify=TRUST, **fields)


def somebody(house: House, role: str = "approver") -> Person:
    email = f"{role}-{new_id()}@example.org"
    return Person(house.url, join(house.client, email, role), email)


def people(house: House, count: int, role: str = "approver") -> list[Person]:
    return [somebody(house, role) for _ in range(count)]


def sees(person: Person, ask: dict[str, Any]) -> list[str]:
    """The views in which somebody finds an ask."""
    views: dict[str, dict[str, str]] = {
        "open": {},
        "waiting": {},
        "decided": {},
        "mine": {"view": "decided", "by": "me"},
    }
    found = {
        name: person.get("/api/asks", **({"view": name, "limit": 200} | more)).json() for name, more in views.items()
    }
    return [name for name, page in found.items() if any(each["id"] == ask["id"] for each in page["items"])]


def a_group(house: House, *members: Person) -> str:
    """What a rule calls a new group."""
    name = f"g{new_id()}"
    house.post("/api/groups", {"name": name, "members": [person.email for person in members]}, 201)
    return f"group:{name}"


def rule(agent: str, action: Any, name: str = "", **trigger: Any) -> dict[str, Any]:
    """A rule about one agent's calls."""
    return {"name": name or f"rule {new_id()}", "trigger": {"agent": agent, **trigger}, "action": action}


def text_of(*checkpoints: dict[str, Any], auto: list[dict[str, Any]] | None = None) -> str:
    given = {"checkpoints": list(checkpoints)} | ({"auto_approval": {"rules": auto}} if auto else {})
    return yaml.safe_dump(given, sort_keys=False)


def put_rules(house: House, *checkpoints: dict[str, Any], auto: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """Put these rules, and no others, in force."""
    response = house.client.put("/api/rules", json={"yaml": text_of(*checkpoints, auto=auto)})
    assert response.status_code == 200, response.text
    return response.json()


def ruled_agent(house: House, action: Any, *answers: dict[str, Any], name: str = "", **fields: Any) -> str:
    """An agent whose every `write_file` meets one rule."""
    agent = agent_that(house, *(answers or (says("", WRITE),)), tools=("write_file", "read_file"), **fields)
    put_rules(house, rule(agent, action, name, tool="write_file"))
    return agent


def ruled(house: House, action: Any, *calls: dict[str, Any], name: str = "", **fields: Any) -> Any:
    """A run that waits by a rule, and its first ask."""
    run = house.start(ruled_agent(house, action, says("", *(calls or (WRITE,))), name=name, **fields))
    return run, house.ask(run)


def look(house: House, ask: dict[str, Any]) -> dict[str, Any]:
    return house.get(f"/api/asks/{ask['id']}")


def settled(house: House, ask: dict[str, Any]) -> dict[str, Any]:
    """Wait until an ask is decided, by whomever."""
    return house.until(lambda: found if (found := look(house, ask))["status"] != "pending" else None)


def still(ask: dict[str, Any]) -> dict[str, Any]:
    """An ask without what moves by itself."""
    return {name: value for name, value in ask.items() if name not in {"waiting_seconds", "similar"}}


def audited(house: House, subject: str, action: str = "") -> list[dict[str, Any]]:
    """What the record holds of this, oldest first."""
    narrowed = {"action": action} if action else {}
    return house.get("/api/audit", subject=subject, limit=200, **narrowed)["items"][::-1]


def notices_to(house: House, ask: dict[str, Any], email: str) -> list[dict[str, Any]]:
    """What somebody was told about an ask, oldest first: by the rows, since nobody else sees it in their list."""
    query = select(Notification).where(Notification.ask_id == ask["id"]).order_by(Notification.id)

    def look(session: Session) -> list[dict[str, Any]]:
        rows = [row for row in session.scalars(query) if email in row.recipients]
        return [NotificationOut.of(row, read=False).model_dump(mode="json") for row in rows]

    return house.parts.db.read(look)
