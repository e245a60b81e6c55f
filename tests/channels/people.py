"""New people of a house, and what was told to them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from signoff.kit.ids import new_id
from tests.house import House


@dataclass(frozen=True)
class Someone:
    email: str
    client: httpx.Client

    def prefers(self, **preferences: Any) -> None:
        assert self.client.put("/api/me/preferences", json=preferences).status_code == 200


def someone(house: House, role: str = "approver") -> Someone:
    email = f"{new_id()}@example.org"
    return Someone(email, house.member(role, email))


def deliveries(house: House, ask: dict[str, Any], **wanted: Any) -> list[dict[str, Any]]:
    """What was sent or is to be sent about an ask, the first one first."""
    found = house.get("/api/deliveries", ask=ask["id"], limit=200)["items"][::-1]
    return [each for each in found if all(each[name] == value for name, value in wanted.items())]


def told(house: House, ask: dict[str, Any], count: int = 1, **wanted: Any) -> list[dict[str, Any]]:
    """Wait until there are so many."""
    return house.until(lambda: found if len(found := deliveries(house, ask, **wanted)) >= count else None)


@contextmanager
def browser_of(house: House, person: Someone) -> Iterator[httpx.Client]:
    """Signed in as this person, by a link of their own."""
    link = person.client.post("/api/auth/links", json={}).json()["url"]
    with httpx.Client(base_url=house.url) as browser:
        signed_in = browser.post("/api/auth/sign-in", json={"token": link.partition("token=")[2]})
        assert signed_in.status_code == 200
        yield browser
