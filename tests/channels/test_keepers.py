"""Whoever keeps a channel could read or forge what goes through it: the two never count as two people."""

import httpx

from signoff.channels.models import Channel
from tests.channels.mailbox import Mailbox, link_in
from tests.channels.people import Someone, someone
from tests.contract.ruling import put_rules, rule
from tests.contract.scenes import agent_that, problem
from tests.house import House
from tests.wire import call, says

WRITE = call("write_file", {"path": "paid.md", "content": "x"})


def keeps_mail(house: House, person: Someone) -> None:
    """Somebody changed the mail server's settings."""
    me = person.client.get("/api/me").json()["user"]["id"]

    def change(session) -> None:
        for channel in session.query(Channel).filter_by(kind="email"):
            channel.keepers = [me]

    house.parts.db.write(change)


def test_an_admin_who_keeps_the_mail_cannot_sign_by_a_colleagues_link(house: House, mailbox: Mailbox) -> None:
    admin, bob, carol = someone(house, "admin"), someone(house), someone(house)
    keeps_mail(house, admin)
    agent = agent_that(house, says("", WRITE), tools=("write_file",))
    put_rules(house, rule(agent, {"require_approval_count": 2}))
    ask = house.ask(house.start(agent))
    link = link_in(mailbox.wait_for(bob.email, "paid.md"))
    signed = admin.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"})
    assert signed.json()["status"] == "pending"
    by_mail = httpx.post(house.url + link, data={"decision": "approve"})
    assert by_mail.status_code == 403
    assert house.get(f"/api/asks/{ask['id']}")["status"] == "pending"
    last = carol.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"})
    assert last.json()["status"] == "approved", last.text
    put_rules(house)


def test_under_four_eyes_the_keepers_own_run_is_not_approved_by_a_link(house: House, mailbox: Mailbox) -> None:
    admin, bob = someone(house, "admin"), someone(house)
    keeps_mail(house, admin)
    agent = agent_that(house, says("", WRITE), tools=("write_file",))
    put_rules(house, rule(agent, {"four_eyes": True}))
    run = admin.client.post("/api/runs", json={"agent": agent, "task": "x"}).json()["id"]
    ask = house.ask(run)
    mail = mailbox.wait_for(bob.email, "paid.md")
    assert "/a/ans_" not in mail.as_string(), "who could not decide by it gets no link"
    in_person = bob.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"})
    assert in_person.json()["status"] == "approved"
    put_rules(house)


def test_only_whoever_runs_the_server_lets_a_channel_reach_private_addresses(house: House) -> None:
    admin = someone(house, "admin")
    inside = {"kind": "webhook", "name": "Inside", "settings": {"url": "http://127.0.0.1:9/"}}
    made = admin.client.post("/api/channels", json=inside).json()
    tried = admin.client.post(f"/api/channels/{made['id']}/test", json={}).json()
    assert tried["ok"] is False
    assert "private network" in tried["error"]
    chat = {"kind": "apprise", "name": "Chat", "settings": {"url": "json://127.0.0.1"}}
    problem(admin.client.post("/api/channels", json=chat), 403)
