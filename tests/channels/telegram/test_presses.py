"""A button pressed in Telegram decides as an answer in the app does: for the member who linked the account, and only
if Telegram shows the secret that it was given."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from tests.channels.chats.office import Office, Person
from tests.channels.chats.receiver import ReceiverServer
from tests.channels.telegram.bot import GROUP, SECRET, TOKEN, bot_api, buttons, pressed, said
from tests.contract.ruling import audited, look, ruled
from tests.contract.scenes import QUESTION, waiting
from tests.house import House
from tests.wire import call

NUMBERS = call("write_file", {"path": "numbers.txt", "content": "one\ntwo"})


@pytest.fixture(scope="module")
def office(house: House) -> Iterator[Office]:
    telegram = bot_api()
    server = ReceiverServer(telegram)
    settings = {"chat_id": str(GROUP), "api_url": telegram.url}
    secrets = {"bot_token": TOKEN, "webhook_secret": SECRET}
    body = {"kind": "telegram", "name": "Telegram", "settings": settings, "secrets": secrets}
    with ExitStack() as opened:
        yield Office(house, telegram, house.post("/api/channels", body, 201), send_code, opened)
    server.close()


def send(office: Office, update: Any, secret: str = SECRET, channel: str = "") -> httpx.Response:
    path = f"{office.house.url}/hooks/telegram/{channel or office.channel['id']}"
    return httpx.post(path, json=update, headers={"X-Telegram-Bot-Api-Secret-Token": secret}, timeout=30)


def send_code(office: Office, account: str, code: str) -> str:
    return send(office, said(f"/start {code}", account)).json()["text"]


def posted(office: Office, ask: dict[str, Any], chat: str = str(GROUP)) -> dict[str, Any]:
    """The message about an ask."""

    def found() -> dict[str, Any] | None:
        sent = (each for each in office.chat.bodies("sendMessage") if each["chat_id"] == chat)
        return next((each for each in sent if ask["id"] in str(each)), None)

    return office.house.until(found)


def data(office: Office, ask: dict[str, Any], label: str) -> str:
    return buttons(posted(office, ask))[label]["callback_data"]


def press(office: Office, ask: dict[str, Any], label: str, person: Person) -> tuple[str, bool]:
    """Press a button; returns what whoever pressed reads, and whether it is in their way."""
    response = send(office, pressed(data(office, ask, label), person.account))
    assert response.status_code == 200, response.text
    reply = response.json()
    assert (reply["method"], reply["callback_query_id"]) == ("answerCallbackQuery", "77")
    return reply["text"], reply["show_alert"]


def test_a_press_approves_in_the_name_of_the_member(office: Office) -> None:
    run, ask = waiting(office.house, NUMBERS)
    ana = office.person()
    words, is_refused = press(office, ask, "Approve", ana)
    assert words.startswith("Approved by")
    assert not is_refused
    assert office.house.ended(run)["status"] == "completed"
    assert look(office.house, ask)["settled_by"] == ana.email
    (entry,) = audited(office.house, ask["id"], "ask.answered")
    assert entry["actor"] == ana.email


def test_the_message_says_how_it_ended_and_loses_its_buttons(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    posted(office, ask)
    press(office, ask, "Deny", office.person())

    def changed() -> dict[str, Any] | None:
        # Its title names the same file each time, so look at the last one.
        found = [each for each in office.chat.bodies("editMessageText") if "Denied by" in each["text"]]
        return found[-1] if found else None

    message = office.house.until(changed)
    assert message["chat_id"] == GROUP
    assert "reply_markup" not in message
    assert look(office.house, ask)["status"] == "denied"


def test_a_wrong_secret_an_unknown_channel_and_another_kind_decide_nothing(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    update = pressed(data(office, ask, "Approve"), office.person().account)
    other = {"kind": "webhook", "name": "Other", "settings": {"url": "https://x.example/"}, "enabled": False}
    other = office.house.post("/api/channels", other, 201)["id"]
    refused = [send(office, update, "wrong"), send(office, update, ""), send(office, update, channel=ask["id"])]
    for response in [*refused, send(office, update, channel=other)]:
        assert response.status_code == 401
        assert response.json()["detail"] == "The secret token does not fit."
    assert look(office.house, ask)["status"] == "pending"


def test_a_stranger_is_told_how_to_link_and_decides_nothing(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    words, is_refused = press(office, ask, "Approve", office.stranger())
    assert "Settings" in words
    assert is_refused
    assert look(office.house, ask)["status"] == "pending"


@pytest.mark.parametrize("role", ["viewer", "member"])
def test_who_may_not_decide_in_the_app_may_not_here(office: Office, role: str) -> None:
    _, ask = waiting(office.house, NUMBERS)
    words, is_refused = press(office, ask, "Approve", office.person(role))
    assert "needs the role" in words
    assert is_refused
    assert look(office.house, ask)["status"] == "pending"


def test_the_second_press_hears_how_it_ended(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    ana, ben = office.person(), office.person()
    press(office, ask, "Approve", ana)
    words, is_refused = press(office, ask, "Deny", ben)
    assert words == f"This ask was already approved by {ana.email}."
    assert is_refused
    assert look(office.house, ask)["settled_by"] == ana.email


def test_a_member_who_left_is_a_stranger(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    ana = office.person()
    members = office.house.get("/api/members", limit=200)["items"]
    member = next(each["id"] for each in members if each["email"] == ana.email)
    assert office.house.client.delete(f"/api/members/{member}").status_code == 204
    words, is_refused = press(office, ask, "Approve", ana)
    assert "Settings" in words
    assert is_refused


def test_a_choice_is_answered_by_one_press(office: Office) -> None:
    options = [{"label": "Blue", "value": "b"}, {"label": "Red", "value": "r"}]
    given = {"question": "Which?", "type": "blocking", "responseType": "choice", "options": options}
    _, ask = waiting(office.house, call("ask_question", given))
    words, _ = press(office, ask, "Red", office.person("member"))
    assert words.startswith("Answered by")
    assert look(office.house, ask)["answer"]["value"] == "r"


def test_a_question_in_words_can_only_be_opened(office: Office) -> None:
    _, ask = waiting(office.house, QUESTION)
    assert not [each for each in buttons(posted(office, ask)).values() if "callback_data" in each]


def test_a_button_that_was_made_up_decides_no_more_than_those_that_there_are(office: Office) -> None:
    """Who has a client of their own can send any text."""
    _, ask = waiting(office.house, call("write_file", {"path": "a.txt", "content": "x" * 5_000}))
    deny, ana = data(office, ask, "Deny"), office.person()
    assert "Approve" not in buttons(posted(office, ask))
    for made_up, words in ((f"a{deny[1:]}", "only be decided in the app"), ("nonsense", "not known here")):
        reply = send(office, pressed(made_up, ana.account)).json()
        assert words in reply["text"]
    other = deny[:-1] + ("A" if deny[-1] != "A" else "Q")
    assert "changed since" in send(office, pressed(other, ana.account)).json()["text"]
    assert look(office.house, ask)["status"] == "pending"


def test_what_needs_signing_in_is_only_opened(office: Office) -> None:
    _, ask = ruled(office.house, {"require_sign_in": True}, NUMBERS)
    assert list(buttons(posted(office, ask))) in (["Open"], [])


def test_a_message_to_one_member_decides_only_for_them(office: Office) -> None:
    ana, ben = office.person(), office.person()
    assert ana.browser.put("/api/me/preferences", json={"channels": {"telegram": True}}).status_code == 200
    _, ask = waiting(office.house, NUMBERS)
    mine = buttons(posted(office, ask, ana.account))
    ana.browser.put("/api/me/preferences", json={"channels": {"telegram": False}})
    reply = send(office, pressed(mine["Approve"]["callback_data"], ben.account)).json()
    assert reply["text"] == "This message went to somebody else."
    assert look(office.house, ask)["status"] == "pending"
    send(office, pressed(mine["Approve"]["callback_data"], ana.account))
    assert look(office.house, ask)["settled_by"] == ana.email


def test_the_one_who_keeps_the_channel_is_no_second_person(office: Office) -> None:
    """Whoever knows the webhook's secret could have made the press themselves."""
    with office.house.member("admin") as admin:
        settings = {"chat_id": str(GROUP), "api_url": office.chat.url}
        path = f"/api/channels/{office.channel['id']}"
        assert admin.patch(path, json={"settings": settings}).status_code == 200
        # Set up again by whoever runs the server, it reaches this machine again.
        assert office.house.client.patch(path, json={"settings": settings}).status_code == 200
        _, ask = ruled(office.house, {"require_approval_count": 2}, NUMBERS)
        posted(office, ask)
        assert admin.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"}).status_code == 200
        press(office, ask, "Approve", office.person())
        assert look(office.house, ask)["status"] == "pending"


def test_of_several_signatures_one_comes_through_the_channel_and_the_others_elsewhere(office: Office) -> None:
    """Whoever keeps the channel could have made two presses."""
    ana, ben = office.person(), office.person()
    _, ask = ruled(office.house, {"require_approval_count": 2}, NUMBERS)
    assert press(office, ask, "Approve", ana)[0] == "Signed: 1 of 2."
    assert "may be one person" in press(office, ask, "Approve", ben)[0]
    signed = ben.browser.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"})
    assert signed.json()["status"] == "approved", signed.text


def test_a_channel_that_is_switched_off_decides_nothing(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    update = pressed(data(office, ask, "Approve"), office.person().account)
    path = f"/api/channels/{office.channel['id']}"
    assert office.house.client.patch(path, json={"enabled": False}).status_code == 200
    assert send(office, update).status_code == 401
    assert office.house.client.patch(path, json={"enabled": True}).status_code == 200
    assert look(office.house, ask)["status"] == "pending"


@pytest.mark.parametrize("update", [{}, [], {"message": {"chat": {"id": 1}}}, {"callback_query": {"id": 1}}, "x"])
def test_what_does_not_concern_us_is_passed_over(office: Office, update: Any) -> None:
    response = send(office, update)
    assert (response.status_code, response.content) == (200, b"")


def test_what_people_say_in_a_group_is_none_of_our_business(office: Office) -> None:
    ana = office.stranger()
    code = office.code(ana)["code"]
    assert send(office, said(f"/start {code}", ana.account, "supergroup")).content == b""
    assert ana.browser.get("/api/me/accounts").json() == {"items": []}


def test_a_test_message_goes_to_the_chat_or_else_to_whoever_tries_it(office: Office) -> None:
    path = f"/api/channels/{office.channel['id']}"
    assert office.house.post(f"{path}/test") == {"ok": True, "error": None}
    assert office.chat.requests[-1].body["chat_id"] == str(GROUP)
    settings = {"api_url": office.chat.url}
    secrets = {"bot_token": TOKEN, "webhook_secret": SECRET}
    body = {"kind": "telegram", "name": "Direct", "settings": settings, "secrets": secrets}
    direct = office.house.post("/api/channels", body, 201)
    assert (direct["personal"], direct["shared"]) == (True, False)
    tried = office.house.post(f"/api/channels/{direct['id']}/test")
    assert (tried["ok"], "has not linked" in tried["error"]) == (False, True)
    assert office.house.client.delete(f"/api/channels/{direct['id']}").status_code == 204
