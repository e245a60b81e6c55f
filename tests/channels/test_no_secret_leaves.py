"""A secret of a channel stands nowhere in clear: no answer, event, log, prompt, error, row or file has it."""

import logging
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from signoff import main
from signoff.channels.push import vapid
from signoff.kit import jsons
from signoff.kit.ids import new_id
from signoff.secrets.models import Secret
from tests.channels.mailbox import Mailbox, link_in
from tests.channels.people import someone, told
from tests.channels.push.push_service import Browser
from tests.channels.receiver import Receiver
from tests.contract.scenes import problem, waiting
from tests.house import House
from tests.security.test_secrets_at_rest import everything_stored

MAILBOX = "mailbox-pass-2b6c8e90"
PASSWORD, BOT, SIGNING = "mail-pass-4f9a1c77", "xoxb-17-bot-9d2f", "signing-0c1d2e3f4a5b"
HOOK_PATH, CHAT_TOKEN, WEBHOOK = "teams-path-71fe", "chat-token-88ab", "whsec_" + "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0"
TELEGRAM, HEADER, DISCORD = "8123456:AAtelegram-77aa", "header-secret-55dd", "discord-bot-token-33ee"
SECRETS = (
    TELEGRAM,
    HEADER,
    DISCORD,
    PASSWORD,
    MAILBOX,
    BOT,
    SIGNING,
    HOOK_PATH,
    CHAT_TOKEN,
    WEBHOOK,
    "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0",
)
PAGES = ("channels", "deliveries", "audit", "notifications", "asks", "runs", "members", "tokens", "settings")


def channels(mailbox: Mailbox, receiver: Receiver) -> list[dict[str, Any]]:
    """One of each kind, all of them refused or unreachable but the mail."""
    url = receiver.url
    replies = {"host": "127.0.0.1", "port": 9, "security": "none", "username": "r", "authserv_id": "mx.example.org"}
    mail = {**mailbox.settings, "username": "signoff", "replies": {**replies, "address": "signoff@example.org"}}
    passwords = {"password": PASSWORD, "mailbox_password": MAILBOX}
    slack = {"channel": "#ops", "api_url": f"{url}/slack"}
    return [
        {"kind": "push", "name": "P"},
        {"kind": "email", "name": "secret mail", "settings": mail, "secrets": passwords},
        {"kind": "slack", "name": "S", "settings": slack, "secrets": {"bot_token": BOT, "signing_secret": SIGNING}},
        {"kind": "teams", "name": "T", "settings": {"webhook_url": f"{url}/{HOOK_PATH}"}},
        {"kind": "webhook", "name": "W", "settings": {"url": f"{url}/w"}, "secrets": {"secret": WEBHOOK}},
        {
            "kind": "telegram",
            "name": "G",
            "settings": {"chat_id": "-1001", "api_url": f"{url}/telegram"},
            "secrets": {"bot_token": TELEGRAM, "webhook_secret": HEADER},
        },
        {
            "kind": "discord",
            "name": "D",
            "settings": {
                "channel_id": "123456789012345678",
                "application_id": "123456789012345679",
                "public_key": "ab" * 32,
                "api_url": f"{url}/discord",
            },
            "secrets": {"bot_token": DISCORD},
        },
        {"kind": "apprise", "name": "A", "settings": {"url": f"json://user:{CHAT_TOKEN}@127.0.0.1:9/x"}},
    ]


@pytest.mark.both_databases
@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")
def test_nothing_that_a_house_says_or_keeps_has_a_channels_secret(
    house: House, mailbox: Mailbox, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in main.TALKATIVE:
        # As at every start of a server.
        caplog.set_level(logging.WARNING, name)
    receiver, ann = Receiver(), someone(house)
    receiver.answers = lambda got: (500, b"you said " + got.body[:2000] + str(got.headers).encode())
    made = [house.post("/api/channels", each, 201) for each in channels(mailbox, receiver)]
    house.post("/api/push/subscriptions", Browser(f"{receiver.url}/push").subscription, 201)
    key = house.parts.db.read(lambda s: vapid.vapid_private_key(s, house.parts.keyring))
    _, ask = waiting(house)
    token = link_in(mailbox.wait_for(ann.email, "a.txt")).removeprefix("/a/")
    told(house, ask, count=4)
    house.until(lambda: all(each["tries"] for each in told(house, ask, count=4)))
    said = [str(house.client.post(f"/api/channels/{each['id']}/test", json={}).json()) for each in made]
    said += [problem(house.client.post("/api/channels", json=each), 409)["detail"] for each in made_again(made)]
    house.answer(ask)
    for page in PAGES:
        said.append(house.client.get(f"/api/{page}", params={"limit": 200}).text)
    with house.client.stream("GET", "/api/events", params={"after": 0}) as stream:
        for line in stream.iter_lines():
            said.append(line)
            if ask["id"] in line and "ask.settled" in line:
                break
    said += [str(house.model.requests), caplog.text, everything_stored(house), *files(folder)]
    everything = "\n".join(said)
    for secret in (*SECRETS, token, key):
        assert secret not in everything, secret
    assert house.parts.db.read(lambda s: s.query(Secret).count()) >= len(made)
    receiver.close()


def made_again(made: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same names once more, with their secrets: refused."""
    return [{"kind": "webhook", "name": each["name"], "settings": {"url": "https://x.example/"}} for each in made]


def files(folder: Path) -> list[str]:
    """Every file of the house, as far as it is text."""
    return [path.read_bytes().decode("utf-8", "replace") for path in folder.rglob("*") if path.is_file()]


def test_a_sealed_secret_opens_for_its_own_row_only(house: House, mailbox: Mailbox) -> None:
    """Whoever has the database but not the key can neither read a secret nor put another row's in its place."""
    receiver = Receiver()
    first, second = (house.post("/api/channels", {**each, "name": each["name"] + "!"}, 201) for each in _two(receiver))

    def swap(session: Any) -> None:
        rows = {
            row.owner_id: row for row in session.query(Secret).filter(Secret.owner_id.in_([first["id"], second["id"]]))
        }
        rows[first["id"]].sealed, rows[second["id"]].sealed = rows[second["id"]].sealed, rows[first["id"]].sealed

    house.parts.db.write(swap)
    tried = house.client.post(f"/api/channels/{first['id']}/test", json={})
    assert tried.status_code == 500
    assert tried.json()["code"] == "secret_cannot_be_opened"
    assert receiver.requests == []
    receiver.close()


def _two(receiver: Receiver) -> list[dict[str, Any]]:
    return [{"kind": "webhook", "name": name, "settings": {"url": receiver.url}} for name in ("One", "Two")]


@pytest.mark.parametrize("as_sent", [str, quote], ids=["plain", "quoted"])
def test_a_receiver_that_repeats_what_it_was_told_makes_no_secret_known(house: House, as_sent: Any) -> None:
    token, key = "12345:AA/bot+token==", "teams-key-5d3a9b"
    receiver = Receiver()
    said_back = f"no: {as_sent(token)} {as_sent(key)} {'x' * 170} {key} {key}"
    receiver.answers = lambda _: (500, jsons.dumps({"ok": False, "description": said_back}).encode())
    secrets = {"bot_token": token, "webhook_secret": "way-back-77"}
    chat = {"kind": "telegram", "settings": {"chat_id": "-1", "api_url": receiver.url}, "secrets": secrets}
    room = {"kind": "teams", "settings": {"webhook_url": f"{receiver.url}/hooks/{key}?v=1"}}
    made = [house.post("/api/channels", {"name": new_id(), **each}, 201) for each in (chat, room)]
    said = [house.post(f"/api/channels/{each['id']}/test", {})["error"] for each in made]
    _, ask = waiting(house)
    found = house.until(lambda: [each for each in told(house, ask, count=2) if each["error"]])
    assert as_sent(token) not in said[0]
    assert "••••" in said[1]
    assert key[:8] not in said[1]
    assert key not in str([each for each in found if each["channel"] == made[1]["name"]])
    house.answer(ask)
    receiver.close()
