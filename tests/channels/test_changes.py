"""Who changes a channel learns none of its secrets by that, and the record says what changed without saying it all."""

from typing import Any

import pytest

from signoff.kit.ids import new_id
from signoff.kit.text.secret_values import TOO_SHORT
from tests.channels.mailbox import Mailbox
from tests.channels.people import someone
from tests.contract.scenes import problem
from tests.house import House

REPLIES = {"host": "imap.example.org", "username": "u", "address": "s@example.org", "authserv_id": "mx"}
MAIL = {"host": "smtp.example.org", "username": "u", "from": "s@example.org", "replies": REPLIES}
BOTH = {"bot_token": "xoxb-first-token", "signing_secret": "signing-first"}
CHAT = {"bot_token": "first-token", "webhook_secret": "way-back"}
BOT = {"application_id": "1", "public_key": "a" * 64, "channel_id": "2"}
ELSEWHERE = "https://evil.example.org"


def made(house: House, kind: str, settings: dict[str, Any], secrets: dict[str, str]) -> str:
    body = {"kind": kind, "name": new_id(), "settings": settings, "secrets": secrets, "enabled": False}
    return house.post("/api/channels", body, 201)["id"]


@pytest.mark.parametrize(
    ("sort", "given", "secrets", "change", "asked"),
    [
        ("slack", {"channel": "#ops"}, BOTH, {"api_url": ELSEWHERE}, "bot_token"),
        ("telegram", {"chat_id": "1"}, CHAT, {"api_url": ELSEWHERE}, "bot_token"),
        ("discord", BOT, {"bot_token": "t0ken-t0ken"}, {"api_url": ELSEWHERE}, "bot_token"),
        ("email", MAIL, {"password": "mail-pass"}, {"host": "evil.example.org"}, "password"),
        ("email", MAIL, {"password": "mail-pass"}, {"port": 25}, "password"),
        ("email", MAIL, {"password": "mail-pass"}, {"security": "none"}, "password"),
        ("email", MAIL, {"mailbox_password": "box-pass"}, {"replies": {**REPLIES, "host": "evil"}}, "mailbox_password"),
    ],
)
def test_who_changes_where_a_channel_connects_gives_its_secret_again(
    house: House, sort: str, given: dict[str, Any], secrets: dict[str, str], change: dict[str, Any], asked: str
) -> None:
    path = f"/api/channels/{made(house, sort, given, secrets)}"
    before = house.get(path)
    moved = {**given, **change}
    refused = problem(house.client.patch(path, json={"settings": moved}), 422)
    message = "enter it again, since the address changed"
    assert refused["errors"] == [{"path": f"secrets.{asked}", "message": message}]
    assert house.get(path) == before
    assert house.client.patch(path, json={"settings": given, "about": []}).is_success
    assert house.client.patch(path, json={"settings": moved, "secrets": {asked: "another-one"}}).is_success


def test_a_secret_too_short_to_be_hidden_is_refused(house: House) -> None:
    body = {"kind": "email", "name": new_id(), "settings": MAIL, "enabled": False}
    body["secrets"] = {"password": "p4ss!", "mailbox_password": "box-pass"}
    refused = problem(house.client.post("/api/channels", json=body), 422)
    assert refused["errors"] == [{"path": "secrets.password", "message": TOO_SHORT}]
    path = f"/api/channels/{made(house, 'email', MAIL, {'password': 'mail-pass', 'mailbox_password': 'box-pass'})}"
    problem(house.client.patch(path, json={"secrets": {"password": "p4ss!"}}), 422)
    assert house.client.patch(path, json={"secrets": {"password": ""}}).is_success


def test_a_mailboxs_password_is_forgotten_with_its_mailbox(house: House) -> None:
    path = f"/api/channels/{made(house, 'email', MAIL, {'password': 'mail-pass', 'mailbox_password': 'box-pass'})}"
    assert house.client.patch(path, json={"settings": {**MAIL, "replies": None}}).json()["secrets"] == ["password"]


def test_the_record_names_what_changed_and_no_address(house: House, mailbox: Mailbox) -> None:
    url = {"url": "https://hooks.example.org/in?key=k3y-in-an-address"}
    hook = house.post("/api/channels", {"kind": "webhook", "name": new_id(), "settings": url}, 201)["id"]
    mail = made(house, "email", MAIL, {"password": "mail-pass"})
    moved = {"settings": {**MAIL, "host": "inner.example.org"}, "secrets": {"password": "another"}}
    assert house.client.patch(f"/api/channels/{mail}", json=moved).is_success
    read = someone(house, "viewer").client.get("/api/audit", params={"limit": 200}).json()["items"]
    entries = {(each["subject"], each["action"]): each for each in read}
    by_hook, by_mail = entries[(hook, "channel.created")], entries[(mail, "channel.changed")]
    assert by_hook["data"]["settings"] == ["url"]
    assert by_hook["data"]["hosts"] == {"url": "hooks.example.org"}
    assert (by_mail["data"]["settings"], by_mail["data"]["sealed"]) == (["host"], ["password"])
    for secret in ("k3y-in-an-address", "smtp.example.org", "inner.example.org", "imap.example.org"):
        assert secret not in str(read)


def test_preferences_name_channels_that_are_there(house: House) -> None:
    ann = someone(house)
    ann.prefers(channels={"email": False, "Mail": True})
    body = problem(ann.client.put("/api/me/preferences", json={"channels": {"emial": False}}), 422)
    assert body["errors"][0]["path"] == "channels.emial"
    assert "email" in body["detail"]
    assert "Mail" in body["detail"]
    assert ann.client.get("/api/me/preferences").json()["channels"] == {"email": False, "Mail": True}
    # What was chosen of a channel that has gone since is no reason to refuse the rest.
    webhook = {"kind": "teams", "name": "Gone", "settings": {"webhook_url": "https://example.org/x"}}
    gone = house.post("/api/channels", webhook, 201)["id"]
    ann.prefers(channels={"Gone": True})
    house.client.delete(f"/api/channels/{gone}")
    ann.prefers(channels={"Gone": True}, digest=False)


def test_an_agent_that_names_a_channel_that_is_not_on_is_saved_with_a_warning(house: House) -> None:
    body = {"slug": new_id(), "name": "Clerk", "model": "demo:clerk", "notifications": {"channels": ["Mail", "emial"]}}
    made = house.post("/api/agents", body, 201)
    assert made["warnings"] == ["Notifications: no channel named `emial` is on; did you mean `email`?"]
    fixed = house.client.patch(f"/api/agents/{made['slug']}", json={"notifications": {"channels": ["email"]}}).json()
    assert fixed["warnings"] == []
