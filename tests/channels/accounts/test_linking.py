"""An account is linked by who has it and by who is signed in, together: by a code of minutes that is good once."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from signoff.channels.accounts.linking import MOST_WRONG_CODES
from tests.channels.chats.office import Office
from tests.channels.chats.receiver import ReceiverServer
from tests.channels.moving_clock import moving_clock
from tests.channels.telegram.bot import GROUP, SECRET, TOKEN, bot_api, said
from tests.contract.ruling import audited
from tests.contract.scenes import at_once
from tests.house import House
from tests.joining import secret_in, signed_in
from tests.security.test_secrets_at_rest import everything_stored

pytestmark = pytest.mark.both_databases


@pytest.fixture(scope="module")
def office(house: House) -> Iterator[Office]:
    telegram = bot_api()
    server = ReceiverServer(telegram)
    settings = {"chat_id": str(GROUP), "api_url": telegram.url}
    secrets = {"bot_token": TOKEN, "webhook_secret": SECRET}
    body = {"kind": "telegram", "name": "Telegram", "settings": settings, "secrets": secrets, "about": []}
    with ExitStack() as opened:
        yield Office(house, telegram, house.post("/api/channels", body, 201), send_code, opened)
    server.close()


def send(office: Office, text: str, account: str) -> str:
    response = httpx.post(
        f"{office.house.url}/hooks/telegram/{office.channel['id']}",
        json=said(text, account),
        headers={"X-Telegram-Bot-Api-Secret-Token": SECRET},
        timeout=30,
    )
    assert response.status_code == 200, response.text
    reply = response.json()
    assert (reply["method"], reply["chat_id"]) == ("sendMessage", int(account))
    return reply["text"]


def send_code(office: Office, account: str, code: str) -> str:
    return send(office, f"/start {code}", account)


def accounts(person: Any) -> list[str]:
    return [each["account"] for each in person.browser.get("/api/me/accounts").json()["items"]]


def test_a_code_links_the_account_that_sends_it(office: Office) -> None:
    ana = office.stranger()
    made = office.code(ana)
    assert made["instructions"].endswith(f"/start {made['code']}")
    assert send(office, f"/start {made['code']}", ana.account).startswith("Linked: ")
    assert accounts(ana) == [ana.account]
    entry = audited(office.house, office.channel["id"], "channel.account_linked")[-1]
    assert (entry["actor"], entry["data"]["account"]) == (ana.email, ana.account)
    assert made["code"] not in str(entry)


def test_everybody_sees_which_channels_want_a_code(office: Office) -> None:
    ana = office.stranger()
    hook = {"kind": "webhook", "name": "Ledger", "settings": {"url": "https://ledger.example.org"}}
    office.house.post("/api/channels", hook, 201)
    shown = {each["name"]: each["takes_link_codes"] for each in ana.browser.get("/api/channels").json()["items"]}
    assert (shown["Telegram"], shown["Ledger"]) == (True, False)


def test_a_code_may_be_sent_alone_and_in_small_letters(office: Office) -> None:
    ana = office.stranger()
    assert send(office, office.code(ana)["code"].lower(), ana.account).startswith("Linked: ")


def test_a_used_code_links_no_second_account(office: Office) -> None:
    ana = office.stranger()
    code = office.code(ana)["code"]
    send_code(office, ana.account, code)
    assert "not known, was used" in send_code(office, "999001", code)
    assert "not known, was used" in send_code(office, ana.account, code)
    assert accounts(ana) == [ana.account]


def test_of_two_who_send_the_same_code_at_once_one_is_linked(office: Office) -> None:
    ana = office.stranger()
    code = office.code(ana)["code"]
    told = at_once(4, lambda number: send_code(office, f"9991{number}", code))
    assert sum(each.startswith("Linked: ") for each in told) == 1
    assert len(accounts(ana)) == 1


def test_a_new_account_takes_the_place_of_the_one_before(office: Office) -> None:
    ana = office.person()
    send_code(office, "999003", office.code(ana)["code"])
    assert accounts(ana) == ["999003"]


def test_an_account_speaks_for_one_member(office: Office) -> None:
    ana, ben = office.person(), office.stranger()
    send_code(office, ana.account, office.code(ben)["code"])
    assert (accounts(ana), accounts(ben)) == ([], [ana.account])


def test_whoever_unlinks_is_not_linked_again_by_the_code_of_before(office: Office) -> None:
    """Perhaps somebody else had sent it."""
    ana = office.stranger()
    code = office.code(ana)["code"]
    send_code(office, "999004", code)
    assert ana.browser.delete(f"/api/channels/{office.channel['id']}/account").status_code == 204
    assert accounts(ana) == []
    assert audited(office.house, office.channel["id"], "channel.account_unlinked")[-1]["actor"] == ana.email
    assert "not known, was used" in send_code(office, "999004", code)
    assert ana.browser.delete(f"/api/channels/{office.channel['id']}/account").status_code == 204
    assert office.link(ana).startswith("Linked: ")


def test_a_code_is_for_its_own_channel(office: Office) -> None:
    settings, secrets = {"api_url": office.chat.url}, {"bot_token": TOKEN, "webhook_secret": SECRET}
    body = {"kind": "telegram", "name": "Second", "settings": settings, "secrets": secrets}
    second = office.house.post("/api/channels", body, 201)
    ana = office.stranger()
    code = ana.browser.post(f"/api/channels/{second['id']}/link-code").json()["code"]
    assert "not known, was used" in send_code(office, ana.account, code)
    assert office.house.client.delete(f"/api/channels/{second['id']}").status_code == 204


def test_who_tries_many_codes_is_stopped_and_others_are_not(office: Office) -> None:
    ana, ben = office.stranger(), office.stranger()
    for _ in range(MOST_WRONG_CODES):
        assert "not known" in send_code(office, "999005", "AAAAAAAAAA")
    assert "Too many" in send_code(office, "999005", office.code(ana)["code"])
    assert office.link(ben).startswith("Linked: ")


def test_words_that_are_no_code_are_answered_with_help(office: Office) -> None:
    assert "/start CODE" in send(office, "hello?", "999006")
    assert "/start CODE" in send(office, "/start", "999006")


def test_a_token_gets_no_code_since_an_account_outlives_it(office: Office) -> None:
    path = f"/api/channels/{office.channel['id']}/link-code"
    with office.house.member("approver") as client:
        response = client.post(path)
        assert (response.status_code, response.json()["code"]) == (403, "not_your_own_session")
    assert office.house.client.post(path).status_code == 403


def test_a_session_by_somebody_elses_link_gets_no_code(office: Office) -> None:
    ana = office.stranger()
    url = office.house.post("/api/auth/links", {"user": ana.email})["url"]
    with signed_in(office.house.url, token=secret_in(url)) as browser:
        response = browser.post(f"/api/channels/{office.channel['id']}/link-code")
    assert (response.status_code, response.json()["code"]) == (403, "not_your_own_session")


def test_a_channel_that_knows_people_by_address_links_nothing(office: Office) -> None:
    body = {"kind": "webhook", "name": "Hook", "settings": {"url": "https://x.example/"}, "enabled": False}
    hook = office.house.post("/api/channels", body, 201)["id"]
    response = office.stranger().browser.post(f"/api/channels/{hook}/link-code")
    assert (response.status_code, response.json()["code"]) == (409, "channel_takes_no_answers")


def test_a_code_is_kept_sealed_and_in_no_answer_that_is_repeated(office: Office) -> None:
    ana, path = office.stranger(), f"/api/channels/{office.channel['id']}"
    once = {"Idempotency-Key": "a code, once"}
    code = ana.browser.post(f"{path}/link-code", headers=once).json()["code"]
    assert code not in everything_stored(office.house)
    assert ana.browser.post(f"{path}/link-code", headers=once).status_code == 409
    assert office.house.get(path)["secrets"] == ["bot_token", "webhook_secret"]
    assert office.house.client.patch(path, json={"name": "Telegram"}).status_code == 200


def test_a_new_code_ends_the_one_before_and_time_ends_it(office: Office) -> None:
    ana = office.stranger()
    before, code = office.code(ana)["code"], office.code(ana)["code"]
    assert "not known, was used" in send_code(office, ana.account, before)
    with moving_clock(office.house) as clock:
        clock.move(minutes=10)
        assert "not known, was used" in send_code(office, ana.account, code)
