"""What goes over the wire to a push service, opened by the browser that it is for."""

import base64
import json
from dataclasses import replace
from typing import Any

import pytest
from py_vapid import Vapid

from signoff.channels.port import AskView, ChannelError, Choice, Fact, Message, OpenChannel, Recipient
from signoff.channels.push import vapid
from signoff.channels.push.payload import MOST_BYTES, payload
from signoff.channels.push.transport import PushTransport
from tests.channels.push.push_service import Browser, PushService

KEY = base64.urlsafe_b64encode((7).to_bytes(32, "big")).decode().rstrip("=")
CHANNEL = OpenChannel("c1", "w1", "push", "Browser push", {}, {vapid.SECRET: KEY})
ASK = AskView("a1", "approval", "d1", ("approve", "deny"), needs_sign_in=False, tool="write_file")
ASKED = Message(
    id="d1",
    kind="ask",
    title="Write report.md?",
    text="Write a text file.",
    facts=(Fact("Agent", "Writer"), Fact("Run", "The report"), Fact("Risk", "low")),
    ask=ASK,
    open_url="https://signoff.example.org/asks/a1",
    answer_url="https://signoff.example.org/a/ans_token",
    thread="r1",
)
TRANSPORT = PushTransport()


def to(**browsers: Browser) -> Recipient:
    return Recipient("ana@example.org", "Ana", "m1", tuple(each.recipient(name) for name, each in browsers.items()))


def shown(message: Message) -> dict[str, Any]:
    return json.loads(payload(message, "a1"))


def test_only_the_browser_can_open_what_is_pushed_and_it_is_what_was_meant(service: PushService) -> None:
    browser = service.browser()
    receipt = TRANSPORT.send(CHANNEL, to(s1=browser), ASKED)
    assert receipt.remote == {"tag": "a1", "digest": "d1", "sent": ["s1"], "gone": []}
    assert b"report" not in browser.arrived[0].body
    assert browser.opened() == {
        "title": "Write report.md?",
        "body": "Writer · The report\nWrite a text file.",
        "tag": "a1",
        "url": "/asks/a1",
        "actions": [{"action": "approve", "title": "Approve"}, {"action": "deny", "title": "Deny"}],
        "answer": {"url": "/a/ans_token"},
    }


def test_the_service_is_told_how_long_how_urgent_and_what_it_replaces(service: PushService) -> None:
    browser = service.browser()
    TRANSPORT.send(CHANNEL, to(s1=browser), ASKED)
    TRANSPORT.send(CHANNEL, to(s1=browser), replace(ASKED, id="d2", kind="reminder"))
    TRANSPORT.send(CHANNEL, to(s1=browser), Message(id="d3", kind="completed", title="Done", thread="r1"))
    first, again, other = (each.headers for each in browser.arrived)
    assert (first["content-encoding"], first["ttl"], first["urgency"]) == ("aes128gcm", "86400", "high")
    assert other["urgency"] == "normal"
    assert first["topic"] == again["topic"] != other["topic"]
    assert len(first["topic"]) == 32
    assert base64.urlsafe_b64decode(first["topic"])


def test_we_sign_for_the_service_alone_with_the_key_that_browsers_know(service: PushService) -> None:
    browser = service.browser()
    TRANSPORT.send(CHANNEL, to(s1=browser), ASKED)
    header = browser.arrived[0].headers["authorization"]
    token, key = header.removeprefix("vapid t=").split(",k=")
    claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
    assert Vapid.verify(header)
    assert key == vapid.public_key(KEY)
    assert (claims["aud"], claims["sub"]) == (service.origin, "https://signoff.example.org")


def test_a_server_without_an_address_of_its_own_names_nobody(service: PushService) -> None:
    header = vapid.authorization(KEY, "https://push.example.org/1", "http://127.0.0.1:8400/asks/a1")
    assert json.loads(base64.urlsafe_b64decode(header.split(".")[1] + "=="))["sub"] == "mailto:signoff@localhost"


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_named_and_the_others_get_it(service: PushService, status: int) -> None:
    gone, other = service.browser(status=status), service.browser()
    receipt = TRANSPORT.send(CHANNEL, to(s1=gone, s2=other), ASKED)
    assert (receipt.remote["gone"], receipt.remote["sent"]) == (["s1"], ["s2"])
    assert other.opened()["title"] == "Write report.md?"


def test_where_all_browsers_are_gone_no_other_try_helps(service: PushService) -> None:
    with pytest.raises(ChannelError, match="no longer subscribed") as error:
        TRANSPORT.send(CHANNEL, to(s1=service.browser(status=410)), ASKED)
    assert (error.value.permanent, error.value.gone) == (True, ("s1",))


def test_a_service_that_is_busy_is_tried_again_when_it_says(service: PushService) -> None:
    busy, gone = service.browser(status=429, headers={"Retry-After": "30"}), service.browser(status=410)
    with pytest.raises(ChannelError, match="429") as error:
        TRANSPORT.send(CHANNEL, to(s1=busy, s2=gone), ASKED)
    assert (error.value.permanent, error.value.retry_after, error.value.gone) == (False, 30.0, ("s2",))


def test_what_one_browser_has_is_not_sent_again_because_another_is_busy(service: PushService) -> None:
    receipt = TRANSPORT.send(CHANNEL, to(s1=service.browser(status=503), s2=service.browser()), ASKED)
    assert receipt.remote["sent"] == ["s2"]


def test_nobody_is_reached_who_has_no_browser() -> None:
    for who in (None, to()):
        with pytest.raises(ChannelError) as error:
            TRANSPORT.send(CHANNEL, who, ASKED)
        assert error.value.permanent


def test_an_address_inside_our_network_is_reached_only_where_that_was_allowed(service: PushService) -> None:
    browser = service.browser()
    plain = Recipient("bo@example.org", "Bo", "m2", (browser.recipient("s1", reaches_private=False),))
    with pytest.raises(ChannelError, match="private network"):
        TRANSPORT.send(CHANNEL, plain, ASKED)
    assert browser.arrived == []


def test_how_it_ended_takes_the_place_of_the_buttons_without_a_sound(service: PushService) -> None:
    browser = service.browser()
    sent = TRANSPORT.send(CHANNEL, to(s1=browser), ASKED).remote
    ended = replace(ASKED, ask=replace(ASK, decisions=()), answer_url=None, outcome="Approved by Ana")
    TRANSPORT.update(CHANNEL, {**sent, "subscriptions": [browser.recipient("s1")]}, ended)
    assert browser.opened() == {
        "title": "Write report.md?",
        "body": "Approved by Ana",
        "tag": "a1",
        "url": "/asks/a1",
        "silent": True,
    }
    assert browser.arrived[0].headers["topic"] == browser.arrived[1].headers["topic"]


def test_what_somebody_edited_loses_its_buttons_and_what_somebody_signed_keeps_them(service: PushService) -> None:
    browser = service.browser()
    sent = TRANSPORT.send(CHANNEL, to(s1=browser), ASKED).remote | {"subscriptions": [browser.recipient("s1")]}
    TRANSPORT.update(CHANNEL, sent, replace(ASKED, answer_url=None))
    assert len(browser.arrived) == 1
    TRANSPORT.update(CHANNEL, sent, replace(ASKED, answer_url=None, ask=replace(ASK, digest="d2")))
    assert (browser.opened()["silent"], "actions" in browser.opened()) == (True, False)


def test_a_digest_stays_when_one_of_its_asks_is_settled(service: PushService) -> None:
    browser = service.browser()
    gathered = Message(id="d9", kind="digest", title="2 asks wait for you", items=(ASKED, ASKED))
    sent = TRANSPORT.send(CHANNEL, to(s1=browser), gathered).remote | {"subscriptions": [browser.recipient("s1")]}
    TRANSPORT.update(CHANNEL, sent, replace(ASKED, outcome="Approved by Ana"))
    assert len(browser.arrived) == 1


def test_an_outcome_for_browsers_that_are_gone_is_no_error(service: PushService) -> None:
    ended = replace(ASKED, outcome="Approved by Ana")
    TRANSPORT.update(CHANNEL, {"tag": "a1", "sent": ["s1"], "subscriptions": []}, ended)
    gone = service.browser(status=410).recipient("s1")
    TRANSPORT.update(CHANNEL, {"tag": "a1", "sent": ["s1"], "subscriptions": [gone]}, ended)


@pytest.mark.parametrize(
    "message",
    [
        replace(ASKED, answer_url=None),
        replace(ASKED, ask=replace(ASK, needs_sign_in=True)),
        replace(ASKED, ask=replace(ASK, kind="question", decisions=("respond",), response_type="text")),
        replace(ASKED, ask=replace(ASK, decisions=())),
        replace(ASKED, ask=None),
    ],
    ids=["no link", "sign-in", "question", "only to be opened", "no ask"],
)
def test_what_a_button_cannot_decide_has_none(message: Message) -> None:
    assert {"actions", "answer"}.isdisjoint(shown(message))


@pytest.mark.parametrize("letter", ["a", "ü", "€", "🙂", '"', "\x01"])
def test_however_long_a_message_is_a_push_service_takes_it(letter: str) -> None:
    long = replace(ASKED, title=letter * 5_000, text=letter * 50_000)
    assert len(payload(long, "a1")) <= MOST_BYTES
    assert shown(long)["body"].endswith("…")


def test_what_would_come_of_it_says_more_than_what_a_tool_does() -> None:
    stated = replace(ASKED, facts=(*ASKED.facts, Fact("Impact", "Replaces 3 lines of report.md.")))
    assert shown(stated)["body"].splitlines() == ["Writer · The report", "Replaces 3 lines of report.md."]


def test_a_digest_names_what_it_gathers() -> None:
    items = tuple(replace(ASKED, id=str(number), title=f"Ask {number}") for number in range(9))
    gathered = Message(id="d9", kind="digest", title="9 asks wait for you", text="They came at once.", items=items)
    assert shown(gathered)["body"].splitlines() == ["Ask 0", "Ask 1", "Ask 2", "Ask 3"]
    assert shown(gathered)["url"] == "/inbox"


def test_yes_and_no_are_buttons_only_where_the_answer_is_a_yes_or_no() -> None:
    yes_or_no = (Choice(0, "Yes"), Choice(1, "No"))
    asked = AskView("a1", "question", None, ("respond",), needs_sign_in=False, response_type="boolean")
    asked = replace(asked, choices=yes_or_no)
    link = Message("d1", "ask", "Question: Verbose?", ask=asked, answer_url="https://s.example.org/a/ans_x")
    assert [each["title"] for each in shown(link)["actions"]] == ["Yes", "No"]
    for other in (
        replace(asked, response_type="choice"),
        replace(asked, choices=(Choice(0, "Approve"), *yes_or_no[1:])),
    ):
        assert "actions" not in shown(replace(link, ask=other))
