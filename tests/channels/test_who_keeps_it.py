"""Who keeps a channel: whoever set it up or changed its settings or secrets, and nobody else."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.channels.mailbox import Mailbox, link_in
from tests.channels.people import Someone, someone
from tests.contract.ruling import put_rules, rule
from tests.contract.scenes import WRITE, agent_that
from tests.house import House
from tests.wire import says

Ask = dict[str, Any]


@pytest.fixture
def phone(house: House) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=house.url) as phone:
        yield phone


@pytest.fixture
def keeper(house: House, mailbox: Mailbox) -> Iterator[Someone]:
    """An admin who set up the only mail channel that is on."""
    keeper = someone(house, "admin")
    keeper.prefers(channels={"email": False})
    member = next(each for each in house.get("/api/members", limit=200)["items"] if each["email"] == keeper.email)
    # Else no channel of theirs leads to a server on this machine.
    house.client.patch(f"/api/members/{member['id']}", json={"installation_admin": True})
    usual = [each["id"] for each in house.get("/api/channels")["items"]]
    for each in usual:
        house.client.patch(f"/api/channels/{each}", json={"enabled": False})
    made = {"kind": "email", "name": "Kept", "settings": mailbox.settings}
    assert keeper.client.post("/api/channels", json=made).status_code == 201
    yield keeper
    put_rules(house)
    for each in usual:
        house.client.patch(f"/api/channels/{each}", json={"enabled": True})


def asked(house: House, by: httpx.Client, action: dict[str, Any]) -> Ask:
    agent = agent_that(house, says("", WRITE), tools=("write_file",))
    put_rules(house, rule(agent, action))
    started = by.post("/api/runs", json={"agent": agent, "task": "do it"})
    assert started.status_code == 201, started.text
    return house.ask(started.json()["id"])


def by_mail(mailbox: Mailbox, phone: httpx.Client, person: Someone, ask: Ask) -> httpx.Response:
    """Approve by the link in the last mail about it."""
    link = link_in(mailbox.wait_for(person.email, ask["title"][:60]))
    return phone.post(link, data={"decision": "approve"})


def in_app(person: Someone, ask: Ask) -> httpx.Response:
    return person.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"})


def test_one_signature_by_mail_is_enough_where_one_is_wanted(
    house: House, mailbox: Mailbox, phone: httpx.Client, keeper: Someone
) -> None:
    ann = someone(house)
    ask = asked(house, keeper.client, {"require_approval_count": 1})
    assert by_mail(mailbox, phone, ann, ask).status_code == 200
    assert house.get(f"/api/asks/{ask['id']}")["settled_by"] == ann.email


def test_two_who_sign_through_it_are_one_signature(
    house: House, mailbox: Mailbox, phone: httpx.Client, keeper: Someone
) -> None:
    ann, bob = someone(house), someone(house)
    ask = asked(house, house.client, {"require_approval_count": 2})
    assert by_mail(mailbox, phone, ann, ask).status_code == 200
    assert by_mail(mailbox, phone, bob, ask).status_code == 403
    assert in_app(keeper, ask).json()["code"] == "one_hand"
    assert in_app(bob, ask).json()["status"] == "approved"


def test_who_only_switches_a_channel_keeps_nothing(
    house: House, mailbox: Mailbox, phone: httpx.Client, keeper: Someone
) -> None:
    ann, other = someone(house), someone(house, "admin")
    other.prefers(channels={"email": False})
    kept = next(each for each in house.get("/api/channels")["items"] if each["name"] == "Kept")
    for change in ({"enabled": False}, {"enabled": True}, {"name": "Post"}, {"about": ["asks"]}):
        assert other.client.patch(f"/api/channels/{kept['id']}", json=change).status_code == 200
    ask = asked(house, house.client, {"require_approval_count": 2})
    assert by_mail(mailbox, phone, ann, ask).status_code == 200
    assert in_app(other, ask).json()["status"] == "approved"


def test_who_changes_its_secrets_keeps_it_from_then_on(
    house: House, mailbox: Mailbox, phone: httpx.Client, keeper: Someone
) -> None:
    ann, other = someone(house), someone(house, "admin")
    other.prefers(channels={"email": False})
    ask = asked(house, house.client, {"require_approval_count": 2})
    link = link_in(mailbox.wait_for(ann.email, ask["title"][:60]))
    kept = next(each for each in house.get("/api/channels")["items"] if each["name"] == "Kept")
    changed = other.client.patch(f"/api/channels/{kept['id']}", json={"secrets": {"password": "theirs"}})
    assert changed.status_code == 200, changed.text
    assert in_app(other, ask).status_code == 200
    assert phone.post(link, data={"decision": "approve"}).status_code == 403
