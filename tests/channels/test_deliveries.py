"""Deliveries are tried again, take another way, are spared when nobody needs them, and are told once."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from signoff.kit.db.database import POSTGRES_THREADS, Database
from signoff.kit.ids import new_id
from tests.channels.mailbox import Mailbox, text_of
from tests.channels.moving_clock import moving_clock
from tests.channels.people import browser_of, deliveries, someone, told
from tests.channels.receiver import Receiver
from tests.contract.ruling import put_rules, rule
from tests.contract.scenes import agent_that, problem, run_that, waiting
from tests.house import House
from tests.wire import call, says

DOWN = "421 try again later"


@pytest.fixture(autouse=True)
def in_order(mailbox: Mailbox) -> None:
    mailbox.says = lambda: None


@pytest.mark.both_databases
def test_mail_that_is_down_for_ten_minutes_is_sent_once_when_it_is_back(house: House, mailbox: Mailbox) -> None:
    ann = someone(house)
    mailbox.says = lambda: DOWN
    with moving_clock(house) as clock:
        _, ask = waiting(house)
        first = told(house, ask, target=ann.email, tries=1, status="queued")[0]
        assert "421" in first["error"]
        for _ in range(10):
            clock.move(minutes=1)
        mailbox.says = lambda: None
        clock.move(minutes=5)
        told(house, ask, target=ann.email, status="sent")
    assert len(mailbox.about(ann.email, "a.txt")) == 1
    attempts = deliveries(house, ask, target=ann.email)[0]["attempts"]
    assert [each["outcome"] for each in attempts][-1] == "sent"
    assert {each["outcome"] for each in attempts[:-1]} == {"failed"}


def test_an_address_that_is_refused_for_good_is_not_tried_again_until_somebody_says_so(
    house: House, mailbox: Mailbox
) -> None:
    ann = someone(house)
    mailbox.says = lambda: "550 no such mailbox"
    _, ask = waiting(house)
    failed = told(house, ask, target=ann.email, status="failed")[0]
    assert "550 no such mailbox" in failed["error"].replace(":", "")
    assert len(failed["attempts"]) == 1
    mailbox.says = lambda: None
    house.post(f"/api/deliveries/{failed['id']}/retry")
    assert "a.txt" in mailbox.wait_for(ann.email, "a.txt")["Subject"]
    told(house, ask, target=ann.email, status="sent")


def test_what_waits_for_its_next_try_is_sent_now_when_an_admin_says_so(house: House, mailbox: Mailbox) -> None:
    ann = someone(house)
    mailbox.says = lambda: DOWN
    _, ask = waiting(house)
    queued = told(house, ask, target=ann.email, tries=1, status="queued")[0]
    problem(ann.client.post(f"/api/deliveries/{queued['id']}/retry"), 403)
    mailbox.says = lambda: None
    assert house.post(f"/api/deliveries/{queued['id']}/retry")["tries"] == 0
    mailbox.wait_for(ann.email, "a.txt")


@contextmanager
def every_writer_busy(db: Database) -> Iterator[None]:
    """All threads that runs write in are taken."""
    taken, gate = threading.Event(), threading.Event()

    def keep() -> None:
        taken.set()
        gate.wait(60)

    async def keep_all() -> None:
        await asyncio.gather(*(db.ahop(keep) for _ in range(POSTGRES_THREADS)))

    thread = threading.Thread(target=lambda: asyncio.run(keep_all()))
    thread.start()
    taken.wait(60)
    try:
        yield
    finally:
        gate.set()
        thread.join()


def test_messages_do_not_wait_behind_runs_that_write(house: House, mailbox: Mailbox) -> None:
    ann = someone(house)
    mailbox.says = lambda: DOWN
    _, ask = waiting(house)
    queued = told(house, ask, target=ann.email, tries=1, status="queued")[0]
    mailbox.says = lambda: None
    with every_writer_busy(house.parts.db):
        house.post(f"/api/deliveries/{queued['id']}/retry")
        told(house, ask, target=ann.email, status="sent")


def test_what_tells_of_a_settled_ask_is_not_sent_again(house: House, mailbox: Mailbox) -> None:
    ann = someone(house)
    _, ask = waiting(house)
    sent = told(house, ask, target=ann.email, status="sent")[0]
    assert sent["may_retry"]
    house.answer(ask)
    problem(house.client.post(f"/api/deliveries/{sent['id']}/retry"), 409)
    after = deliveries(house, ask, target=ann.email)[0]
    assert (after["status"], after["may_retry"]) == ("sent", False)


def test_of_what_failed_only_what_somebody_still_needs_is_sent_again(house: House, mailbox: Mailbox) -> None:
    ann = someone(house)
    mailbox.says = lambda: "550 no such mailbox"
    _, settled = waiting(house)
    _, ask = waiting(house)
    told(house, ask, target=ann.email, status="failed")
    channel = told(house, settled, target=ann.email, status="failed")[0]["channel_id"]
    house.answer(settled, "deny")
    house.post(f"/api/channels/{channel}/retry-failed")
    assert deliveries(house, settled, target=ann.email)[0]["status"] == "failed"
    house.until(lambda: len(deliveries(house, ask, target=ann.email)[0]["attempts"]) == 2)


def test_a_test_to_what_is_no_address_says_so(house: House) -> None:
    mail = next(each for each in house.get("/api/channels")["items"] if each["kind"] == "email")
    tried = house.post(f"/api/channels/{mail['id']}/test", {"to": "nonsense"})
    assert tried["ok"] is False
    assert "nonsense is no address" in tried["error"]


def test_a_settled_ask_spares_those_who_were_not_told_yet(house: House, mailbox: Mailbox) -> None:
    ann = someone(house)
    mailbox.says = lambda: DOWN
    _, ask = waiting(house)
    told(house, ask, target=ann.email, tries=1, status="queued")
    house.answer(ask)
    told(house, ask, target=ann.email, status="cancelled")
    mailbox.says = lambda: None
    house.parts.deliverer.nudge()
    assert mailbox.about(ann.email, "a.txt") == []


def test_when_teams_fails_for_good_those_concerned_get_a_mail(house: House, mailbox: Mailbox) -> None:
    teams, ann = Receiver(), someone(house)
    teams.answers = lambda _: (503, b"down")
    body = {"kind": "teams", "name": "Ops room", "settings": {"webhook_url": teams.url + "/in"}, "about": []}
    house.post("/api/channels", body, 201)
    agent = agent_that(house, says("", call("write_file", {"path": "t.txt", "content": "x"})), tools=("write_file",))
    put_rules(house, rule(agent, {"approvers": [ann.email], "notification": {"channels": ["teams"]}}))
    with moving_clock(house) as clock:
        ask = house.ask(house.start(agent))
        by_teams = told(house, ask, channel="Ops room", tries=1)[0]
        held = deliveries(house, ask, target=ann.email)[0]
        assert (held["status"], held["due_at"]) == ("queued", None)
        for tries in (2, 3):
            clock.move(seconds=30)
            told(house, ask, channel="Ops room", tries=tries)
        told(house, ask, id=by_teams["id"], status="failed")
        mail = mailbox.wait_for(ann.email, "t.txt")
    assert "Ops room could not be reached" in deliveries(house, ask, target=ann.email)[0]["why"]
    assert "t.txt" in text_of(mail)
    put_rules(house)
    teams.close()


def test_a_mail_held_back_for_teams_is_not_sent_when_teams_gets_through(house: House, mailbox: Mailbox) -> None:
    teams, ann = Receiver(), someone(house)
    body = {"kind": "teams", "name": "Good room", "settings": {"webhook_url": teams.url + "/in"}, "about": []}
    house.post("/api/channels", body, 201)
    agent = agent_that(house, says("", call("write_file", {"path": "g.txt", "content": "x"})), tools=("write_file",))
    put_rules(house, rule(agent, {"approvers": [ann.email], "notification": {"channels": ["Good room"]}}))
    ask = house.ask(house.start(agent))
    teams.wait_for(1)
    told(house, ask, channel="Good room", status="sent")
    told(house, ask, target=ann.email, status="cancelled")
    assert mailbox.about(ann.email, "g.txt") == []
    put_rules(house)
    teams.close()


def test_many_at_once_are_gathered_into_one_message(house: House, mailbox: Mailbox) -> None:
    ann = someone(house)
    calls = [call("write_file", {"path": f"flood-{number}.txt", "content": "x"}) for number in range(12)]
    with moving_clock(house) as clock:
        run = run_that(house, says("", *calls))
        house.until(lambda: len(house.asks(run)) == 12)
        house.until(lambda: len(mailbox.to(ann.email)) >= 2)
        clock.move(minutes=3)
        house.until(lambda: _links(mailbox, ann.email) == 12)
        assert len(mailbox.about(ann.email, "flood")) + len(mailbox.about(ann.email, "asks wait for you")) < 8
    gathered = text_of(mailbox.about(ann.email, "asks wait for you")[0])
    assert "Risk: high" in gathered


def test_what_would_expire_while_it_is_gathered_is_sent_at_once(house: House, mailbox: Mailbox) -> None:
    ann = someone(house)
    calls = [call("write_file", {"path": f"soon-{number}.txt", "content": "x"}) for number in range(6)]
    agent = agent_that(house, says("", *calls[:5]), tools=("write_file",))
    last = agent_that(house, says("", calls[5]), tools=("write_file",))
    soon = {"timeout_seconds": 200, "on_timeout": "deny"}
    put_rules(house, rule(agent, soon), rule(last, dict(soon)))
    house.start(agent)
    house.until(lambda: _links(mailbox, ann.email) == 5)
    house.start(last)
    told_of = mailbox.wait_for(ann.email, "soon-5.txt")
    assert "Answer until" in text_of(told_of)
    put_rules(house)


def _links(mailbox: Mailbox, email: str) -> int:
    return sum(text_of(mail).count("/a/ans_") for mail in mailbox.to(email))


def test_who_wants_each_message_by_itself_gets_each(house: House, mailbox: Mailbox) -> None:
    ann = someone(house)
    ann.prefers(digest=False)
    calls = [call("write_file", {"path": f"each-{number}.txt", "content": "x"}) for number in range(7)]
    run_that(house, says("", *calls))
    house.until(lambda: len(mailbox.about(ann.email, "each-")) == 7)


def test_quiet_hours_put_a_mail_off_and_who_switched_mail_off_gets_none(house: House, mailbox: Mailbox) -> None:
    sleeper, quiet = someone(house), someone(house)
    sleeper.prefers(quiet_hours={"start": "00:00", "end": "23:59", "timezone": "UTC"})
    quiet.prefers(channels={"email": False})
    _, ask = waiting(house)
    put_off = told(house, ask, target=sleeper.email)[0]
    assert put_off["status"] == "queued"
    assert "quiet hours" in put_off["why"]
    assert deliveries(house, ask, target=quiet.email) == []


def test_who_is_outside_the_workspace_is_only_told(house: House, mailbox: Mailbox) -> None:
    agent = agent_that(house, says("", call("write_file", {"path": "o.txt", "content": "x"})), tools=("write_file",))
    put_rules(house, rule(agent, {"notification": {"recipients": ["boss@elsewhere.example"]}}))
    house.ask(house.start(agent))
    mail = mailbox.wait_for("boss@elsewhere.example", "o.txt")
    assert "/a/" not in text_of(mail)
    put_rules(house)


def test_who_is_present_is_told_only_if_they_do_not_answer(house: House, mailbox: Mailbox) -> None:
    ann = someone(house)
    with moving_clock(house) as clock:
        with browser_of(house, ann) as browser:
            here = browser.post("/api/me/presence", json={"visible": True}, headers={"Origin": house.url})
            assert here.status_code == 204
        _, ask = waiting(house)
        waits = told(house, ask, target=ann.email)[0]
        assert (waits["status"], waits["why"]) == ("queued", "the app was open")
        clock.move(seconds=61)
        assert mailbox.wait_for(ann.email, "a.txt")


def test_only_admins_see_errors_and_attempts(house: House, mailbox: Mailbox) -> None:
    ann = someone(house)
    mailbox.says = lambda: "550 secret inner workings"
    _, ask = waiting(house)
    told(house, ask, target=ann.email, status="failed")
    seen = ann.client.get("/api/deliveries", params={"ask": ask["id"]}).json()["items"]
    assert seen
    assert "inner workings" not in str(seen)
    assert all(not each["attempts"] and not each["may_retry"] for each in seen)


def test_only_admins_and_whom_it_is_about_see_mails_about_accounts(house: House, mailbox: Mailbox) -> None:
    ann, bob = someone(house), someone(house)
    house.post("/api/invitations", {"email": f"{new_id()}@example.org", "name": "New", "role": "member"}, 201)
    house.post("/api/auth/links", {"user": ann.email})
    about = {"invitation", "sign_in_link", "people"}

    def seen(client: httpx.Client) -> list[tuple[str, str]]:
        found = client.get("/api/deliveries", params={"limit": 200}).json()["items"]
        return [(each["kind"], each["target"]) for each in found if each["kind"] in about]

    house.until(lambda: {kind for kind, _ in seen(house.client)} == about)
    for person in (ann, bob):
        assert {target for _, target in seen(person.client)} == {person.email}
