"""A house whose asks are posted in Slack, and the people who answer there."""

from dataclasses import dataclass
from typing import Any

import httpx

from signoff.kit.ids import new_id
from tests.channels.slack.receiver import Slack, buttons, press, signed, submission, words
from tests.house import House
from tests.wire import call

NUMBERS = call("write_file", {"path": "numbers.txt", "content": "one\ntwo"})


@dataclass
class Office:
    """A house whose asks are posted in Slack."""

    house: House
    slack: Slack
    channel: dict[str, Any]

    def person(self, role: str = "approver", **fields: Any) -> str:
        """A new member who is in Slack, too; their id there."""
        email = f"{new_id()}@example.org"
        self.house.member(role, email).close()
        return self.slack.person(email, **fields)

    def email(self, user: str) -> str:
        return self.slack.users[user]["profile"]["email"]

    def posted(self, ask: dict[str, Any]) -> dict[str, Any]:
        """The message about an ask."""
        url = f"/asks/{ask['id']}"

        def found() -> dict[str, Any] | None:
            sent = self.slack.of("chat.postMessage")
            return next((each for each in sent if url in words(each["blocks"])), None)

        return self.house.until(found)

    def button(self, ask: dict[str, Any], action: str) -> dict[str, Any]:
        return buttons(self.posted(ask)["blocks"])[action]

    def send(self, body: bytes, headers: dict[str, str] | None = None) -> httpx.Response:
        return httpx.post(f"{self.house.url}/hooks/slack", content=body, headers=headers or signed(body), timeout=30)

    def press(self, ask: dict[str, Any], action: str, user: str) -> str:
        """Press a button; returns what only whoever pressed reads."""
        before = len(self.slack.of("chat.postEphemeral"))
        body = press(self.button(ask, action), user)
        assert self.send(body).status_code == 200
        told = self.slack.next_of("chat.postEphemeral", before)
        assert (told["user"], told["channel"]) == (user, "C1")
        return told["text"]

    def open(self, ask: dict[str, Any], action: str, user: str) -> dict[str, Any]:
        """Press a button that opens a modal; returns the modal."""
        before = len(self.slack.of("views.open"))
        assert self.send(press(self.button(ask, action), user)).status_code == 200
        return self.slack.next_of("views.open", before)["view"]

    def submit(self, view: dict[str, Any], user: str, **values: Any) -> Any:
        """Send a modal; returns what Slack hears."""
        response = self.send(submission(view, user, **values))
        assert response.status_code == 200, response.text
        return response.json() if response.content else None
