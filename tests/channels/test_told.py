"""What is told beside asks: how runs end, what a rule approved by itself, and who let whom in."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy.orm import Session

from signoff.channels.models import Delivery
from signoff.kit import clock, jsons
from signoff.kit.actor import Actor
from signoff.kit.ids import new_id
from signoff.workspaces.credentials import NotAccepted, issue_link
from signoff.workspaces.models import Member, User
from tests.channels.mailbox import Mailbox, text_of
from tests.channels.people import someone, told
from tests.channels.receiver import Receiver
from tests.contract.ruling import put_rules, rule
from tests.contract.scenes import agent_that, problem, waiting
from tests.house import House
from tests.joining import invite, signed_in
from tests.wire import call, fails, says


@pytest.fixture
def room(house: House) -> Iterator[Receiver]:
    """A room in Teams that is told of everything."""
    teams = Receiver()
    everything = ["asks", "failures", "completions"]
    body = {"kind": "teams", "name": "Room", "settings": {"webhook_url": teams.url + "/x"}, "about": everything}
    house.post("/api/channels", body, 201)
    yield teams
    teams.close()


def card(room: Receiver, words: str, house: House) -> str:
    """The card with these words in it, as text."""

    def look() -> str | None:
        cards = [jsons.dumps(each.json) for each in room.requests]
        return next((each for each in cards if words in each), None)

    return house.until(look)


def test_a_failure_is_told_with_agent_run_error_time_and_what_to_do(house: House, room: Receiver) -> None:
    """Seed 001, US-F1-003: the Adaptive Card about a failure."""
    agent = agent_that(house, fails(400, "Connection timeout to SQL Server (10.0.0.50:1433)" + "x" * 500))
    run = house.start(agent, title="IT: Server Health Check")
    assert house.ended(run)["status"] == "failed"
    shown = card(room, "IT: Server Health Check", house)
    assert "Failed" in shown
    for words in (agent, run, "Connection timeout", "UTC", "seconds", f"{house.url}/runs/{run}", "Retry"):
        assert words in shown, words
    error = next(each for each in _facts(jsons.loads(shown)) if each["title"] == "Error")
    assert len(error["value"]) <= 210


def _facts(value: Any) -> list[dict[str, str]]:
    if isinstance(value, dict):
        own = value.get("facts", [])
        return [*own, *(fact for each in value.values() for fact in _facts(each))]
    return [fact for each in value for fact in _facts(each)] if isinstance(value, list) else []


def test_who_started_a_run_hears_of_its_failure_by_mail(house: House, mailbox: Mailbox) -> None:
    ann = someone(house, "member")
    agent = agent_that(house, fails(400, "It broke."))
    body = {"agent": agent, "task": "do it", "title": f"Broken {new_id()}"}
    run = ann.client.post("/api/runs", json=body).json()["id"]
    mail = mailbox.wait_for(ann.email, "Failed: Broken")
    assert f"/runs/{run}" in text_of(mail)
    assert "It broke." in text_of(mail)


def test_the_mails_about_one_run_are_one_thread(house: House, mailbox: Mailbox) -> None:
    ann = someone(house, "approver")
    calls = says("", call("write_file", {"path": "thread.md", "content": "x"}))
    agent = agent_that(house, calls, fails(400, "no"), tools=("write_file",))
    run = ann.client.post("/api/runs", json={"agent": agent, "task": "x", "title": "Thread"}).json()["id"]
    asked = mailbox.wait_for(ann.email, "thread.md")
    house.answer(house.ask(run))
    failed = mailbox.wait_for(ann.email, "Failed: Thread")
    assert asked["References"] == failed["References"]
    assert run in asked["References"]


@pytest.mark.parametrize(
    ("ending", "words"),
    [("complete", "Completed"), ("reject", "Rejected"), ("timeout", "Stopped at a limit")],
)
def test_the_other_ends_are_told_too(house: House, room: Receiver, ending: str, words: str) -> None:
    title = f"End {new_id()}"
    write = says("", call("write_file", {"path": "e.md", "content": "x"}))
    limits = {"limits": {"max_iterations": 1}} if ending == "timeout" else {}
    fields = {"autonomy": "full"} if ending != "reject" else {}
    agent = agent_that(house, write, tools=("write_file",), **fields)
    run = house.start(agent, title=title, **limits)
    if ending == "reject":
        house.answer(house.ask(run), "deny", end_run=True, note="No.")
    house.ended(run)
    shown = card(room, f"{words}: {title}", house)
    assert shown.count("No.") == (1 if ending == "reject" else 0)


def test_what_a_rule_approved_says_why_and_where_to_switch_it_off(house: House, room: Receiver) -> None:
    """Seed 001, US-F2-004: the notice of an auto-approval."""
    wanted = call("write_file", {"path": "refund.md", "content": "35.00", "_confidence": 0.92})
    agent = agent_that(house, says("", wanted), tools=("write_file",))
    then = {"auto_approve": True, "notify": True, "notification_channels": ["teams"], "log_decision": True}
    small = {"name": "Auto-Approve Small Refunds", "trigger": {"agent": agent, "confidence": ">= 0.9"}, "action": then}
    put_rules(house, small)
    run = house.start(agent)
    house.ended(run)
    shown = card(room, "Auto-approved", house)
    for words in ("Auto-Approve Small Refunds", run, "92%", "high", "nothing to do", "Switch this rule off"):
        assert words in shown, words
    assert "rules?rule=Auto-Approve%20Small%20Refunds" in shown
    notices = house.get("/api/notifications", run=run)["items"]
    [listed] = [each for each in notices if each["kind"] == "auto_approved"]
    assert listed["rule"] == "Auto-Approve Small Refunds"
    assert listed["reasons"]
    put_rules(house)


def test_an_invitation_goes_by_mail_and_its_link_lets_in(house: House, mailbox: Mailbox) -> None:
    email = f"{new_id()}@example.org"
    made = house.post("/api/invitations", {"email": email, "name": "New", "role": "member"}, 201)
    assert made["mailed"] is True
    mail = mailbox.wait_for(email, "invited")
    assert made["url"] in text_of(mail)
    with httpx.Client(base_url=house.url) as browser:
        token = made["url"].partition("token=")[2]
        assert browser.post("/api/auth/sign-in", json={"token": token}).status_code == 200


def test_who_cannot_sign_in_gets_a_link_by_mail_and_strangers_learn_nothing(house: House, mailbox: Mailbox) -> None:
    ann = someone(house, "viewer")
    with httpx.Client(base_url=house.url) as browser:
        known = browser.post("/api/auth/links/mail", json={"email": ann.email.upper()})
        unknown = browser.post("/api/auth/links/mail", json={"email": "nobody@example.org"})
        assert (known.status_code, known.json()) == (unknown.status_code, unknown.json())
        text = text_of(mailbox.wait_for(ann.email, "sign-in link"))
        token = text.partition("token=")[2].split()[0]
        assert browser.post("/api/auth/sign-in", json={"token": token}).status_code == 200
        assert browser.get("/api/me").json()["user"]["email"] == ann.email
    assert mailbox.to("nobody@example.org") == []


def test_an_agent_says_where_it_is_told(house: House, room: Receiver, mailbox: Mailbox) -> None:
    ann, bob = someone(house), someone(house)
    write = says("", call("write_file", {"path": "own.md", "content": "x"}))
    wanted = {"recipients": [bob.email], "channels": ["email"]}
    agent = agent_that(house, write, tools=("write_file",), notifications=wanted)
    house.ask(house.start(agent))
    mailbox.wait_for(bob.email, "own.md")
    assert mailbox.about(ann.email, "own.md") == []
    assert not any("own.md" in jsons.dumps(each.json) for each in room.requests)


def test_an_agent_mails_whoever_started_it_when_it_is_done(house: House, mailbox: Mailbox) -> None:
    """Seed 000: `email_on_completion`."""
    ann = someone(house, "member")
    agent = agent_that(house, says("done"), notifications={"email_on_completion": True})
    ann.client.post("/api/runs", json={"agent": agent, "task": "x", "title": "Long work"})
    mailbox.wait_for(ann.email, "Completed: Long work")


def test_with_smart_routing_whoever_usually_decides_soonest_is_told_first(house: House, mailbox: Mailbox) -> None:
    ann, bob = someone(house), someone(house)
    for _ in range(3):
        assert ann.client.post(f"/api/asks/{waiting(house)[1]['id']}/answer", json={"decision": "deny"}).is_success
    house.client.patch("/api/settings", json={"smart_routing": True})
    _, ask = waiting(house, call("write_file", {"path": "smart.md", "content": "x"}))
    mailbox.wait_for(ann.email, "smart.md")
    assert told(house, ask, target=ann.email)[0]["why"] == "usually decides this soonest"
    later = told(house, ask, target=bob.email)[0]
    assert (later["status"], later["why"]) == ("queued", "somebody else usually decides this sooner")
    house.client.patch("/api/settings", json={"smart_routing": False})


def test_who_is_away_is_told_through_their_deputy(house: House, mailbox: Mailbox) -> None:
    ann, bob, password = f"{new_id()}@example.org", someone(house), "correct horse battery"
    with signed_in(house.url, token=invite(house.client, ann, "approver"), password=password):
        pass
    with signed_in(house.url, email=ann, password=password) as browser:
        handed = {"deputy": bob.email, "ends_at": (clock.now() + timedelta(days=1)).isoformat()}
        assert browser.post("/api/delegations", json=handed).status_code == 201
    agent = agent_that(house, says("", call("write_file", {"path": "away.md", "content": "x"})), tools=("write_file",))
    put_rules(house, rule(agent, {"notification": {"recipients": [ann]}}))
    ask = house.ask(house.start(agent))
    mailbox.wait_for(bob.email, "away.md")
    assert told(house, ask, target=bob.email)[0]["why"].endswith("who is away")
    assert mailbox.about(ann, "away.md") == []
    put_rules(house)


def test_an_escalation_goes_to_who_was_named_by_mail_and_by_the_rules_channels(
    house: House, room: Receiver, mailbox: Mailbox
) -> None:
    """Seed 001, US-F2-001: after so long tell the manager, who need not be a member."""
    ann = someone(house)
    silent = {"email_on_completion": False, "email_on_approval_needed": False}
    write = says("", call("write_file", {"path": "late.md", "content": "x"}))
    agent = agent_that(house, write, tools=("write_file",), notifications=silent)
    chain = {"enabled": True, "after_seconds": 1, "escalate_to": [ann.email, "manager@elsewhere.example"]}
    action = {"timeout_seconds": 600, "escalation": chain, "notification": {"channels": ["teams"]}}
    put_rules(house, {"name": "late", "trigger": {"agent": agent}, "action": action})
    house.ask(house.start(agent))
    assert "late.md" in card(room, "late.md", house)
    mailbox.wait_for(ann.email, "Escalated")
    outside = mailbox.wait_for("manager@elsewhere.example", "Escalated")
    assert "/a/" not in text_of(outside)
    put_rules(house)


@pytest.mark.parametrize("what", ["invitation", "sign_in_link"])
def test_a_mailed_link_that_somebody_else_made_is_not_made_anew(house: House, mailbox: Mailbox, what: str) -> None:
    if what == "invitation":
        email = f"{new_id()}@example.org"
        house.post("/api/invitations", {"email": email, "name": "New", "role": "member"}, 201)
    else:
        email = someone(house).email
        house.post("/api/auth/links", {"user": email})
    sent = house.until(lambda: _mailed(house, email, what))
    assert sent["may_retry"] is False
    refused = problem(house.client.post(f"/api/deliveries/{sent['id']}/retry"), 409)
    assert refused["code"] == "link_gone"
    assert "nvite again" in refused["detail"]

    def queue(session: Session) -> None:
        row = session.get_one(Delivery, sent["id"])
        row.status, row.due_at = "queued", row.created_at

    house.parts.db.write(queue)
    house.parts.deliverer.nudge()
    assert "gone" in house.until(lambda: _mailed(house, email, what, "failed"))["error"]
    assert house.post(f"/api/channels/{sent['channel_id']}/retry-failed")["queued"] == 0


def test_a_link_that_its_person_asked_for_is_sent_again_as_a_new_one(house: House, mailbox: Mailbox) -> None:
    ann = someone(house)
    assert httpx.post(f"{house.url}/api/auth/links/mail", json={"email": ann.email}).status_code == 202
    sent = house.until(lambda: _mailed(house, ann.email, "sign_in_link"))
    assert house.post(f"/api/deliveries/{sent['id']}/retry")["status"] == "queued"
    mailbox.wait_for(ann.email, "sign-in link", count=2)


def test_nobody_makes_a_sign_in_link_for_who_has_not_accepted(house: House) -> None:
    email = f"{new_id()}@example.org"
    house.post("/api/invitations", {"email": email, "name": "New", "role": "member"}, 201)

    def issue(session: Session) -> None:
        user = session.query(User).filter_by(email=email).one()
        member = session.query(Member).filter_by(user_id=user.id).one()
        issue_link(session, Actor.system(member.workspace_id), member)

    with pytest.raises(NotAccepted):
        house.parts.db.write(issue)


def _mailed(house: House, email: str, what: str, status: str = "sent") -> dict[str, Any] | None:
    found = house.get("/api/deliveries", limit=200, status=status)["items"]
    return next((each for each in found if (each["target"], each["kind"]) == (email, what)), None)
