"""A button pressed in Discord decides as an answer in the app does: for the member who linked the account, and only
if Discord signed it a moment ago."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.channels.chats.office import Office, Person
from tests.channels.chats.receiver import ReceiverServer
from tests.channels.discord.server import (
    APPLICATION,
    PLACE,
    PUBLIC_KEY,
    TOKEN,
    buttons,
    discord_api,
    encoded,
    pressed,
    signed,
    submitted,
)
from tests.contract.ruling import audited, look, ruled
from tests.contract.scenes import QUESTION, waiting
from tests.house import House
from tests.wire import call

NUMBERS = call("write_file", {"path": "numbers.txt", "content": "one\ntwo"})
SAY, CHANGE, OPEN_MODAL = 4, 7, 9


@pytest.fixture(scope="module")
def office(house: House) -> Iterator[Office]:
    discord = discord_api()
    server = ReceiverServer(discord)
    settings = {"channel_id": PLACE, "application_id": APPLICATION, "public_key": PUBLIC_KEY, "api_url": discord.url}
    body = {"kind": "discord", "name": "Discord", "settings": settings, "secrets": {"bot_token": TOKEN}}
    with ExitStack() as opened:
        yield Office(house, discord, house.post("/api/channels", body, 201), send_code, opened)
    server.close()


def send(office: Office, interaction: Any, headers: dict[str, str] | None = None) -> httpx.Response:
    body = encoded(interaction)
    path = f"{office.house.url}/hooks/discord/{office.channel['id']}"
    return httpx.post(path, content=body, headers=headers or signed(body), timeout=30)


def answer(office: Office, interaction: Any) -> dict[str, Any]:
    response = send(office, interaction)
    assert response.status_code == 200, response.text
    return response.json()


def send_code(office: Office, account: str, code: str) -> str:
    modal = answer(office, pressed("link", account))
    assert modal["type"] == OPEN_MODAL
    return told(answer(office, submitted(modal, account, code)))


def told(reply: dict[str, Any]) -> str:
    """What only whoever pressed reads."""
    assert (reply["type"], reply["data"]["flags"]) == (SAY, 64)
    assert reply["data"]["allowed_mentions"] == {"parse": []}
    return reply["data"]["content"].replace("\\", "")


def posted(office: Office, ask: dict[str, Any], place: str = PLACE) -> dict[str, Any]:
    """The message about an ask."""

    def found() -> dict[str, Any] | None:
        sent = office.chat.bodies(f"/channels/{place}/messages")
        return next((each for each in sent if ask["id"] in str(each).replace("\\", "")), None)

    return office.house.until(found)


def custom_id(office: Office, ask: dict[str, Any], label: str) -> str:
    return buttons(posted(office, ask))[label]["custom_id"]


def press(office: Office, ask: dict[str, Any], label: str, person: Person) -> dict[str, Any]:
    return answer(office, pressed(custom_id(office, ask, label), person.account))


def test_discord_is_greeted_if_it_signed(office: Office) -> None:
    ping = {"type": 1, "application_id": APPLICATION, "user": None}
    assert answer(office, ping) == {"type": 1}
    assert send(office, ping, signed(b"something else")).status_code == 401
    assert send(office, ping | {"application_id": "999"}).status_code == 401


def test_a_signed_press_approves_in_the_name_of_the_member(office: Office) -> None:
    run, ask = waiting(office.house, NUMBERS)
    ana = office.person()
    reply = press(office, ask, "Approve", ana)
    assert (reply["type"], reply["data"]["components"]) == (CHANGE, [])
    assert reply["data"]["content"].startswith("**Title**\n**Approved by ")
    assert office.house.ended(run)["status"] == "completed"
    assert look(office.house, ask)["settled_by"] == ana.email
    (entry,) = audited(office.house, ask["id"], "ask.answered")
    assert entry["actor"] == ana.email


def test_the_message_says_how_it_ended_and_loses_its_buttons(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    posted(office, ask)
    before = len(office.chat.bodies("/messages/", "PATCH"))
    press(office, ask, "Approve", office.person())
    changed = office.house.until(lambda: office.chat.bodies("/messages/", "PATCH")[before:])[0]
    assert "Approved by" in changed["content"]
    assert changed["components"] == []


def test_a_wrong_signature_and_an_old_one_decide_nothing(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    interaction = pressed(custom_id(office, ask, "Approve"), office.person().account)
    body = encoded(interaction)
    wrong = [signed(body, Ed25519PrivateKey.generate()), signed(body + b" "), signed(body, at=time.time() - 400)]
    for headers in [*wrong, {"content-type": "application/json"}]:
        response = send(office, interaction, headers)
        assert (response.status_code, response.json()["detail"]) == (401, "The signature does not fit.")
    path = f"{office.house.url}/hooks/discord/{ask['id']}"
    assert httpx.post(path, content=body, headers=signed(body)).status_code == 401
    assert look(office.house, ask)["status"] == "pending"


def test_a_body_is_verified_as_it_came(office: Office) -> None:
    """Escapes in it are not mended before."""
    ping = {"type": 1, "application_id": APPLICATION, "note": "é \ud83d 😀"}
    assert answer(office, ping) == {"type": 1}


@pytest.mark.parametrize("interaction", [{}, [], {"type": 3}, {"type": 3, "application_id": APPLICATION}, "x"])
def test_what_discord_does_not_send_is_refused_though_it_is_signed(office: Office, interaction: Any) -> None:
    assert send(office, interaction).status_code == 401


def test_a_stranger_is_offered_to_link_and_decides_nothing(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    ana = office.stranger()
    for label in ("Approve", "Deny"):
        reply = press(office, ask, label, ana)
        assert "Settings" in told(reply)
        assert list(buttons(reply["data"])) == ["Link account"]
    assert look(office.house, ask)["status"] == "pending"
    assert office.link(ana).startswith("Linked: ")
    assert press(office, ask, "Approve", ana)["type"] == CHANGE


def test_somebody_elses_code_links_nobody(office: Office) -> None:
    ana, ben = office.stranger(), office.stranger()
    code = office.code(ana)["code"]
    assert send_code(office, ana.account, code).startswith("Linked: ")
    assert "not known, was used" in send_code(office, ben.account, code)
    assert "not known" in send_code(office, ben.account, "please")
    _, ask = waiting(office.house, NUMBERS)
    assert "Settings" in told(press(office, ask, "Approve", ben))


@pytest.mark.parametrize("role", ["viewer", "member"])
def test_who_may_not_decide_in_the_app_may_not_here(office: Office, role: str) -> None:
    _, ask = waiting(office.house, NUMBERS)
    person = office.person(role)
    for label in ("Approve", "Deny"):
        assert "needs the role" in told(press(office, ask, label, person))
    assert look(office.house, ask)["status"] == "pending"


def test_a_refusal_has_its_reason_from_a_modal(office: Office) -> None:
    run, ask = waiting(office.house, NUMBERS)
    ana = office.person()
    modal = press(office, ask, "Deny", ana)
    assert (modal["type"], modal["data"]["title"]) == (OPEN_MODAL, "Deny")
    assert look(office.house, ask)["status"] == "pending"
    reply = answer(office, submitted(modal, ana.account, "Not today."))
    assert reply["type"] == CHANGE
    decided = look(office.house, ask)
    assert (decided["status"], decided["answer"]["note"]) == ("denied", "Not today.")
    assert office.house.ended(run)["status"] == "completed"


def test_a_refusal_needs_no_reason(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    ana = office.person()
    modal = press(office, ask, "Deny", ana)
    assert told(answer(office, submitted(modal, ana.account, "", content=None))).startswith("Denied by")
    assert look(office.house, ask)["answer"].get("note") is None


def test_a_modal_is_sent_by_whoever_may(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    modal = press(office, ask, "Deny", office.person())
    stranger, viewer = office.stranger(), office.person("viewer")
    assert "Settings" in told(answer(office, submitted(modal, stranger.account, "no")))
    assert "needs the role" in told(answer(office, submitted(modal, viewer.account, "no")))
    assert look(office.house, ask)["status"] == "pending"


def test_the_second_press_hears_how_it_ended(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    ana, ben = office.person(), office.person()
    modal = press(office, ask, "Deny", ben)
    press(office, ask, "Approve", ana)
    ended = f"This ask was already approved by {ana.email}."
    assert told(press(office, ask, "Approve", ben)) == ended
    assert told(press(office, ask, "Deny", ben)) == ended
    assert told(answer(office, submitted(modal, ben.account, "late"))) == ended
    assert look(office.house, ask)["settled_by"] == ana.email


def test_a_question_is_answered_in_words(office: Office) -> None:
    _, ask = waiting(office.house, QUESTION)
    member = office.person("member")
    modal = press(office, ask, "Answer", member)
    assert modal["data"]["components"][0]["components"][0]["required"]
    assert answer(office, submitted(modal, member.account, "The blue one."))["type"] == CHANGE
    assert look(office.house, ask)["answer"]["value"] == "The blue one."


def test_a_choice_is_answered_by_one_press(office: Office) -> None:
    given = {"question": "Sure?", "type": "blocking", "responseType": "boolean"}
    _, ask = waiting(office.house, call("ask_question", given))
    press(office, ask, "No", office.person("member"))
    assert look(office.house, ask)["answer"]["value"] is False


def test_of_several_signatures_the_first_leaves_the_buttons(office: Office) -> None:
    ana = office.person()
    _, ask = ruled(office.house, {"require_approval_count": 2}, NUMBERS)
    assert told(press(office, ask, "Approve", ana)) == "Signed: 1 of 2."
    assert look(office.house, ask)["status"] == "pending"


def test_what_needs_signing_in_is_not_decided_here(office: Office) -> None:
    _, ask = ruled(office.house, {"require_sign_in": True}, NUMBERS)
    assert not [each for each in buttons(posted(office, ask)).values() if "custom_id" in each]


def test_a_direct_message_decides_only_for_whom_it_went_to(office: Office) -> None:
    ana, ben = office.person(), office.person()
    assert ana.browser.put("/api/me/preferences", json={"channels": {"discord": True}}).status_code == 200
    _, ask = waiting(office.house, NUMBERS)
    mine = buttons(posted(office, ask, f"9{ana.account}"))["Approve"]["custom_id"]
    ana.browser.put("/api/me/preferences", json={"channels": {"discord": False}})
    assert told(answer(office, pressed(mine, ben.account))) == "This message went to somebody else."
    assert look(office.house, ask)["status"] == "pending"
    assert answer(office, pressed(mine, ana.account, in_server=False))["type"] == CHANGE
    assert look(office.house, ask)["settled_by"] == ana.email


def test_a_command_that_we_do_not_have_is_answered(office: Office) -> None:
    command = pressed("x", office.person().account) | {"type": 2}
    assert "not known" in told(answer(office, command))


def test_the_token_is_shown_nowhere(office: Office) -> None:
    discord = discord_api()
    server = ReceiverServer(discord)
    body = {"kind": "discord", "name": "Another", "settings": office.channel["settings"] | {"api_url": discord.url}}
    made = office.house.post("/api/channels", {**body, "secrets": {"bot_token": TOKEN}, "about": []}, 201)
    assert (made["secrets"], TOKEN in str(made)) == (["bot_token"], False)
    discord.instead = [(403, {"message": f"Bot {TOKEN} is not welcome", "code": 1})]
    tried = office.house.post(f"/api/channels/{made['id']}/test")
    assert not tried["ok"]
    assert TOKEN not in str(tried)
    server.close()
