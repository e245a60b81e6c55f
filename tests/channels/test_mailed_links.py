"""Whoever keeps the mail may have read a mailed sign-in link: its session is never a second person."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from tests.channels.mailbox import Mailbox, text_of
from tests.channels.people import Someone, someone
from tests.channels.test_keepers import keeps_mail
from tests.contract.ruling import put_rules, rule
from tests.contract.scenes import agent_that, problem
from tests.house import House
from tests.wire import call, says

WRITE = call("write_file", {"path": "mailed.md", "content": "x"})


@contextmanager
def signed_in_by_mail(house: House, mailbox: Mailbox, person: Someone) -> Iterator[httpx.Client]:
    """Whoever reads the mail comes in as this person."""
    with httpx.Client(base_url=house.url, headers={"Origin": house.url}) as browser:
        assert browser.post("/api/auth/links/mail", json={"email": person.email}).status_code == 202
        token = text_of(mailbox.wait_for(person.email, "sign-in link")).partition("token=")[2].split()[0]
        assert browser.post("/api/auth/sign-in", json={"token": token}).status_code == 200
        yield browser


def test_a_keeper_who_comes_in_by_a_mailed_link_is_not_the_other_pair_of_eyes(house: House, mailbox: Mailbox) -> None:
    keeper, victim = someone(house, "admin"), someone(house)
    keeps_mail(house, keeper)
    agent = agent_that(house, says("", WRITE), tools=("write_file",))
    put_rules(house, rule(agent, {"four_eyes": True}))
    with signed_in_by_mail(house, mailbox, victim) as browser:
        ask = house.ask(keeper.client.post("/api/runs", json={"agent": agent, "task": "x"}).json()["id"])
        body: dict[str, Any] = {"decision": "approve"}
        assert problem(browser.post(f"/api/asks/{ask['id']}/answer", json=body), 403)["code"] == "four_eyes"
        made = browser.post("/api/tokens", json={"name": "mine"}).json()["token"]
        by_token = house.client_for(made).post(f"/api/asks/{ask['id']}/answer", json=body)
        assert problem(by_token, 403)["code"] == "four_eyes"
    assert victim.client.post(f"/api/asks/{ask['id']}/answer", json=body).json()["status"] == "approved"
    put_rules(house)


def test_a_session_by_a_mailed_link_sets_no_password(house: House, mailbox: Mailbox) -> None:
    keeper, victim = someone(house, "admin"), someone(house)
    keeps_mail(house, keeper)
    with signed_in_by_mail(house, mailbox, victim) as browser:
        problem(browser.post("/api/auth/password", json={"password": "a-new-and-long-password"}), 403)


def test_an_invitation_stays_good_when_a_keeper_has_left(house: House, mailbox: Mailbox) -> None:
    keeper = someone(house, "admin")
    keeps_mail(house, keeper)
    me = next(each for each in house.get("/api/members", limit=200)["items"] if each["email"] == keeper.email)
    house.client.delete(f"/api/members/{me['id']}")
    invited = someone(house)
    assert invited.client.get("/api/me").json()["standing"] == "person"


def test_links_of_invitations_and_tests_lead_where_the_channel_says(house: House, mailbox: Mailbox) -> None:
    mail = next(each for each in house.get("/api/channels")["items"] if each["name"] == "Mail")
    place, elsewhere = f"/api/channels/{mail['id']}", "https://signoff.example.org/here"
    assert house.get("/api/settings")["base_url"] == house.url, "where others lead"
    settings = mailbox.settings | {"base_url": f"{elsewhere}/"}
    assert house.client.patch(place, json={"settings": settings}).status_code == 200
    invited = house.post("/api/invitations", {"email": "ina@example.org", "name": "Ina", "role": "viewer"}, 201)
    secret = invited["url"].partition("token=")[2]
    assert f"{elsewhere}/sign-in?token={secret}" in text_of(mailbox.wait_for("ina@example.org", "invited"))
    assert house.post(f"{place}/test", {"to": "tom@example.org"}) == {"ok": True, "error": None}
    assert f"{elsewhere}/settings" in text_of(mailbox.wait_for("tom@example.org", "reach"))
    house.client.patch(place, json={"settings": mailbox.settings})
