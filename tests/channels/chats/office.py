"""People who are in Signoff and in a chat."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import httpx

from signoff.kit.ids import new_id
from tests.channels.chats.receiver import Receiver
from tests.house import House
from tests.joining import invite, signed_in

_ACCOUNTS = count(1_000)


@dataclass(frozen=True)
class Person:
    email: str
    # Who they are in the chat.
    account: str
    # Their own browser, in which they are signed in.
    browser: httpx.Client


@dataclass
class Office:
    """A house whose asks are posted in a chat."""

    house: House
    chat: Receiver
    channel: dict[str, Any]
    # Sends a code as somebody with an account would, and returns what they read.
    send_code: Callable[["Office", str, str], str]
    opened: ExitStack = field(default_factory=ExitStack)

    def stranger(self, role: str = "approver") -> Person:
        """A member whose account nobody knows."""
        email = f"{new_id()}@example.org"
        secret = invite(self.house.client, email, role)
        browser = self.opened.enter_context(signed_in(self.house.url, token=secret))
        return Person(email, str(next(_ACCOUNTS)), browser)

    def person(self, role: str = "approver") -> Person:
        """A member who has linked their account."""
        person = self.stranger(role)
        assert self.link(person).startswith("Linked: ")
        return person

    def code(self, person: Person) -> dict[str, Any]:
        response = person.browser.post(f"/api/channels/{self.channel['id']}/link-code")
        assert response.status_code == 200, response.text
        return response.json()

    def link(self, person: Person) -> str:
        return self.send_code(self, person.account, self.code(person)["code"])
