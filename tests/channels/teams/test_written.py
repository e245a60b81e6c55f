"""What somebody writes in Teams decides only if Teams signed it and its author has linked their account."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from signoff.channels.teams.messages import command
from signoff.kit.ids import new_id
from tests.channels.teams.receiver import KEY, Teams, TeamsServer, signed, written
from tests.contract.effects.test_previews import folder_of
from tests.contract.ruling import audited, look, ruled
from tests.contract.scenes import waiting
from tests.house import House
from tests.joining import invite, signed_in
from tests.wire import call


@dataclass
class Office:
    """A house whose asks are posted in Teams, where people answer, too."""

    house: House
    teams: Teams
    channel: dict[str, Any]

    def write(self, text: str, account: str, **given: Any) -> str:
        """What Teams shows below what somebody wrote."""
        body = written(text, account, **given)
        response = self.send(body, signed(body))
        assert response.status_code == 200, response.text
        return response.json()["text"].replace("\\", "")

    def send(self, body: bytes, headers: dict[str, str]) -> httpx.Response:
        return httpx.post(f"{self.house.url}/hooks/teams", content=body, headers=headers, timeout=30)

    def code(self, person: httpx.Client) -> str:
        answer = person.post(f"/api/channels/{self.channel['id']}/link-code", json={})
        assert answer.status_code == 200, answer.text
        assert answer.json()["code"] in answer.json()["instructions"]
        return answer.json()["code"]

    def linked(self, role: str = "approver") -> tuple[str, str]:
        """A new member whose account is linked: the account and their address."""
        email, account = f"{new_id()}@example.org", new_id()
        with signed_in(self.house.url, token=invite(self.house.client, email, role)) as person:
            assert self.write(f"link {self.code(person)}", account) == f"Linked: you decide here as {email}."
        return account, email

    def told(self, ask: dict[str, Any]) -> str:
        """What an ask is called, once its card is there."""
        short = ask["id"][-8:]
        self.house.until(lambda: [each for each in self.teams.cards if f"approve {short}" in str(each)])
        return short


@pytest.fixture(scope="module")
def office(house: House) -> Iterator[Office]:
    teams = Teams()
    server = TeamsServer(teams)
    settings = {"webhook_url": teams.url, "inbound": True}
    body = {"kind": "teams", "name": "Teams", "settings": settings, "secrets": {"hmac_secret": KEY}}
    yield Office(house, teams, house.post("/api/channels", body, 201))
    server.close()


def test_a_linked_account_approves(office: Office) -> None:
    run, ask = waiting(office.house)
    account, email = office.linked()
    assert office.write(f"approve {office.told(ask)}", account).startswith("Approved by")
    assert look(office.house, ask)["settled_by"] == email
    assert office.house.ended(run)["status"] == "completed"
    linked = audited(office.house, office.channel["id"], "channel.account_linked")
    assert (linked[-1]["actor"], linked[-1]["data"]["account"]) == (email, account)


def test_a_refusal_has_its_reason(office: Office) -> None:
    _, ask = waiting(office.house)
    account, _ = office.linked()
    assert office.write(f"Deny {office.told(ask)} not &amp; never", account).startswith("Denied by")
    assert look(office.house, ask)["answer"]["note"] == "not & never"


def test_who_has_not_linked_their_account_decides_nothing(office: Office) -> None:
    _, ask = waiting(office.house)
    assert "not linked" in office.write(f"approve {office.told(ask)}", "aad-nobody")
    assert look(office.house, ask)["status"] == "pending"


def test_who_may_not_decide_in_the_app_may_not_here(office: Office) -> None:
    _, ask = waiting(office.house)
    account, _ = office.linked("viewer")
    assert "needs the role" in office.write(f"approve {office.told(ask)}", account)
    assert look(office.house, ask)["status"] == "pending"


def test_what_teams_did_not_sign_is_refused(office: Office) -> None:
    _, ask = waiting(office.house)
    account, _ = office.linked()
    text = f"approve {office.told(ask)}"
    body = written(text, account)
    old = written(text, account, at=datetime.now(UTC) - timedelta(minutes=6))
    forged = [
        (body, {}),
        (body, signed(body, "b3RoZXI=")),
        (body + b" ", signed(body)),
        (old, signed(old)),
        (b"{}", signed(b"{}")),
        (b"\xff", signed(b"\xff")),
    ]
    answers = [office.send(sent, headers) for sent, headers in forged]
    assert {each.status_code for each in answers} == {401}
    assert len({each.text for each in answers}) == 1
    assert look(office.house, ask)["status"] == "pending"


def test_a_code_is_good_once_and_only_the_last_one(office: Office) -> None:
    email = f"{new_id()}@example.org"
    with signed_in(office.house.url, token=invite(office.house.client, email, "approver")) as person:
        before, code = office.code(person), office.code(person)
    assert "not known" in office.write(f"link {before}", "aad-1")
    assert office.write(f"link {code.lower()}", "aad-2").startswith("Linked")
    assert "not known" in office.write(f"link {code}", "aad-3")


def test_only_the_person_gets_a_code_and_only_where_answers_are_taken(office: Office) -> None:
    path = f"/api/channels/{office.channel['id']}/link-code"
    with office.house.member("admin") as by_token:
        assert by_token.post(path, json={}).status_code == 403
    body = {"kind": "teams", "name": "Told only", "settings": {"webhook_url": office.teams.url}, "enabled": False}
    silent = office.house.post("/api/channels", body, 201)["id"]
    token = invite(office.house.client, f"{new_id()}@example.org", "viewer")
    with signed_in(office.house.url, token=token) as person:
        assert person.post(f"/api/channels/{silent}/link-code", json={}).status_code == 409


def test_what_somebody_edited_since_is_not_approved_unseen(office: Office) -> None:
    _, ask = ruled(office.house, {"require_approval_count": 2})
    short = office.told(ask)
    account, _ = office.linked()
    edited = {"decision": "approve", "arguments": {"path": "b.txt", "content": "two"}}
    with office.house.member("approver") as ben:
        assert ben.post(f"/api/asks/{ask['id']}/answer", json=edited).status_code == 200
    assert "was edited" in office.write(f"approve {short}", account)
    assert look(office.house, ask)["status"] == "pending"


def test_what_would_do_something_else_by_now_is_not_approved_by_a_card_that_shows_the_old(office: Office) -> None:
    run, ask = waiting(office.house)
    short = office.told(ask)
    account, _ = office.linked()
    (folder_of(office.house, run) / ask["arguments"]["path"]).write_text("somebody's")
    assert office.house.answer(ask, status=409)["code"] == "preview_changed"
    assert "different since it was asked" in office.write(f"approve {short}", account)
    assert look(office.house, ask)["status"] == "pending"
    assert office.write(f"deny {short}", account).startswith("Denied by")


def test_what_its_card_does_not_show_in_full_is_denied_here_but_not_approved(office: Office) -> None:
    account, _ = office.linked()
    for arguments in ({"path": "long.txt", "content": "x" * 700}, {"path": "dark.txt", "content": "a\u202eb"}):
        _, ask = waiting(office.house, call("write_file", arguments))
        short = ask["id"][-8:]
        office.house.until(lambda name=short: [each for each in office.teams.cards if f"deny {name}" in str(each)])
        assert not [each for each in office.teams.cards if f"approve {short}" in str(each)]
        assert "in the app" in office.write(f"approve {short}", account)
        assert look(office.house, ask)["status"] == "pending"
        assert office.write(f"deny {short} too long", account).startswith("Denied by")


def test_an_ask_that_is_over_or_was_never_told_here_has_no_name(office: Office) -> None:
    _, ask = waiting(office.house)
    account, _ = office.linked()
    short = office.told(ask)
    office.house.answer(ask)
    assert "No open ask" in office.write(f"approve {short}", account)
    assert "No open ask" in office.write("approve 00000000", account)
    assert office.write("good morning", account).startswith("Write approve or deny")


@pytest.mark.parametrize("text", ["approve", "approve 1a2b", "approve 1a2b3c4d5", "please approve 1a2b3c4d", "link x"])
def test_what_is_not_a_command_is_none(text: str) -> None:
    assert command(text) is None
