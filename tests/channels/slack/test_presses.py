"""A button pressed in Slack decides as an answer in the app does: for the member whose address Slack knows, and only
if Slack signed it."""

import time
from typing import Any

import pytest

from signoff.kit.ids import new_id
from tests.channels.slack.office import NUMBERS, Office
from tests.channels.slack.receiver import buttons, form, press, signed, words
from tests.contract.ruling import audited, look, ruled
from tests.contract.scenes import run_that, waiting
from tests.wire import call, says


def test_a_signed_press_approves_in_the_name_of_the_member(office: Office) -> None:
    run, ask = waiting(office.house, NUMBERS)
    ana = office.person()
    assert office.press(ask, "approve", ana).startswith("Approved by")
    assert office.house.ended(run)["status"] == "completed"
    assert look(office.house, ask)["settled_by"] == office.email(ana)
    (entry,) = audited(office.house, ask["id"], "ask.answered")
    assert entry["actor"] == office.email(ana)


def test_an_agent_may_have_its_own_conversation(office: Office) -> None:
    """Seed 000: `slack_channel_id`."""
    own = run_that(office.house, says("", NUMBERS), notifications={"slack_channel_id": "C024BE91L"})
    assert office.posted(office.house.ask(own))["channel"] == "C024BE91L"


def test_the_message_says_how_it_ended_and_loses_its_buttons(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    message = office.posted(ask)
    office.press(ask, "approve", office.person())

    def changed() -> dict[str, Any] | None:
        found = [each for each in office.slack.of("chat.update") if "numbers.txt" in words(each["blocks"])]
        return next((each for each in found if each["text"].endswith(message["text"])), None)

    update = office.house.until(changed)
    assert "Approved by" in words(update["blocks"])
    assert not buttons(update["blocks"])


def test_what_slack_did_not_sign_decides_nothing(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    ana, approve = office.person(), office.button(ask, "approve")
    body = press(approve, ana)
    asked = len(office.slack.calls)
    forged = [
        (body, signed(body, "another secret")),
        (body, signed(body, at=time.time() - 301)),
        (body, signed(body) | {"x-slack-request-timestamp": "soon"}),
        (body, {"content-type": "application/x-www-form-urlencoded"}),
        (press(approve, office.person()), signed(body)),
        (press(approve | {"value": '{"d":"not-there"}'}, ana), None),
        (press(approve | {"value": "[]"}, ana), None),
        (b"payload=%7B", None),
        (b"\xff\xfe", {"x-slack-signature": "v0=0", "x-slack-request-timestamp": "1"}),
        (form({"type": "shortcut"}), None),
    ]
    answers = [office.send(sent, headers) for sent, headers in forged]
    assert {each.status_code for each in answers} == {401}
    assert len({each.text for each in answers}) == 1
    assert look(office.house, ask)["status"] == "pending"
    assert len(office.slack.calls) == asked, "nobody is looked up for a stranger"


def test_a_body_with_a_whole_message_in_it_is_taken(office: Office) -> None:
    """Slack sends the message along, so what comes back is larger than a stranger's request may be."""
    _, ask = waiting(office.house, NUMBERS)
    body = press(office.button(ask, "approve"), office.person()) + b"&more=" + b"x" * 60_000
    assert office.send(body).status_code == 200
    assert look(office.house, ask)["status"] == "approved"


STRANGERS: list[dict[str, Any]] = [
    {},
    {"profile": {}},
    {"team_id": "T2"},
    {"is_stranger": True},
    {"deleted": True},
    {"is_bot": True},
    {"is_email_confirmed": False},
]


@pytest.mark.parametrize("fields", STRANGERS, ids=lambda each: next(iter(each), "no member"))
def test_a_stranger_gets_a_hint_and_decides_nothing(office: Office, fields: dict[str, Any]) -> None:
    _, ask = waiting(office.house, NUMBERS)
    user = office.person(**fields) if fields else office.slack.person("stranger@example.org")
    told = office.press(ask, "approve", user)
    assert fields or told == "Your Slack address stranger@example.org is not a member here: ask an admin to invite it."
    assert look(office.house, ask)["status"] == "pending"


def test_nobody_is_the_server_s_own_token_by_an_address(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    told = office.press(ask, "approve", office.slack.person("signoff-token@localhost"))
    assert "not a member" in told
    assert look(office.house, ask)["status"] == "pending"


def test_who_may_not_decide_hears_so(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    for role in ("viewer", "member"):
        user = office.person(role)
        for action in ("approve", "deny", "edit"):
            assert "This needs the role" in office.press(ask, action, user)
    assert look(office.house, ask)["status"] == "pending"


def test_who_has_not_accepted_their_invitation_is_a_stranger(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    email = f"{new_id()}@example.org"
    body = {"email": email, "name": "Invited", "role": "approver"}
    office.house.post("/api/invitations", body, 201)
    assert "not a member" in office.press(ask, "approve", office.slack.person(email))


def test_the_second_press_hears_how_it_ended(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    ana, ben = office.person(), office.person()
    office.press(ask, "approve", ana)
    for action in ("approve", "deny", "edit", "respond"):
        assert office.press(ask, action, ben) == f"This ask was already approved by {office.email(ana)}."
    assert look(office.house, ask)["settled_by"] == office.email(ana)


def test_a_press_on_what_was_edited_since_is_refused(office: Office) -> None:
    _, ask = ruled(office.house, {"require_approval_count": 2}, NUMBERS)
    button, ana = office.button(ask, "approve"), office.person()
    edited = {"path": "numbers.txt", "content": "three"}
    with office.house.member("approver") as ben:
        answer = ben.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve", "arguments": edited})
        assert answer.status_code == 200, answer.text
    before = len(office.slack.of("chat.postEphemeral"))
    assert office.send(press(button, ana)).status_code == 200
    assert "changed" in office.slack.next_of("chat.postEphemeral", before)["text"]
    assert look(office.house, ask)["status"] == "pending"


def test_one_of_two_signatures_says_how_many_are_missing(office: Office) -> None:
    _, ask = ruled(office.house, {"require_approval_count": 2}, NUMBERS)
    assert office.press(ask, "approve", office.person()) == "Signed: 1 of 2."
    assert look(office.house, ask)["status"] == "pending"


def test_what_its_rule_wants_signed_in_has_no_buttons_and_a_press_decides_nothing(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    approve, ana = office.button(ask, "approve"), office.person()
    _, critical = ruled(office.house, {"require_sign_in": True}, NUMBERS)
    assert set(buttons(office.posted(critical)["blocks"])) == {"link:1"}
    value = buttons(office.posted(critical)["blocks"])["link:1"]["value"]
    before = len(office.slack.of("chat.postEphemeral"))
    assert office.send(press(approve | {"value": value}, ana)).status_code == 200
    assert "in the app" in office.slack.next_of("chat.postEphemeral", before)["text"]
    assert look(office.house, critical)["status"] == "pending"


def test_a_link_is_acknowledged_and_nothing_else_happens(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    asked = len(office.slack.of("users.info"))
    assert office.send(press(office.button(ask, "link:1"), "U-anybody")).content == b""
    assert len(office.slack.of("users.info")) == asked


def test_a_direct_message_decides_only_for_whom_it_went_to(office: Office) -> None:
    email = f"{new_id()}@example.org"
    ana, ben = office.slack.person(email), office.person()
    with office.house.member("approver", email) as client:
        assert client.put("/api/me/preferences", json={"channels": {"slack": True}}).status_code == 200
        _, ask = waiting(office.house, NUMBERS)

        def direct() -> dict[str, Any] | None:
            sent = [each for each in office.slack.of("chat.postMessage") if each["channel"] == f"D{ana}"]
            return sent[0] if sent else None

        message = office.house.until(direct)
        client.put("/api/me/preferences", json={"channels": {"slack": False}})
    mine = buttons(message["blocks"])
    assert any("/a/" in each.get("url", "") for each in mine.values())
    before = len(office.slack.of("chat.postEphemeral"))
    office.send(press(mine["approve"], ben))
    assert office.slack.next_of("chat.postEphemeral", before)["text"] == "This message went to somebody else."
    assert look(office.house, ask)["status"] == "pending"
    office.send(press(mine["approve"], ana))
    assert look(office.house, ask)["settled_by"] == email


def test_a_channel_that_is_switched_off_decides_nothing(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    body = press(office.button(ask, "approve"), office.person())
    path = f"/api/channels/{office.channel['id']}"
    assert office.house.client.patch(path, json={"enabled": False}).status_code == 200
    assert office.send(body).status_code == 401
    assert office.house.client.patch(path, json={"enabled": True}).status_code == 200
    assert look(office.house, ask)["status"] == "pending"


def test_the_one_who_keeps_the_channel_is_no_second_person(office: Office) -> None:
    """Whoever knows the signing secret could have made the press themselves."""
    with office.house.member("admin") as admin:
        settings = {"channel": "#approvals", "api_url": office.slack.url}
        path = f"/api/channels/{office.channel['id']}"
        assert admin.patch(path, json={"settings": settings}).status_code == 200
        # Set up again by whoever runs the server, it reaches this machine again.
        assert office.house.client.patch(path, json={"settings": settings}).status_code == 200
        _, ask = ruled(office.house, {"require_approval_count": 2}, NUMBERS)
        office.posted(ask)
        assert admin.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"}).status_code == 200
        office.press(ask, "approve", office.person())
        assert look(office.house, ask)["status"] == "pending"


def test_slack_hears_its_challenge_only_with_a_known_signature(office: Office) -> None:
    body = b'{"type":"url_verification","challenge":"abc\\u0021"}'
    answer = office.send(body, signed(body) | {"content-type": "application/json"})
    assert (answer.status_code, answer.text) == (200, "abc!")
    assert office.send(body, signed(body, "another")).status_code == 401
    other = b'{"type":"event_callback","challenge":"abc"}'
    assert office.send(other).status_code == 401


def test_what_its_message_does_not_show_in_full_is_not_approved_by_a_made_up_press(office: Office) -> None:
    _, ask = waiting(office.house, call("write_file", {"path": "numbers.txt", "content": "x" * 700}))
    deny = office.button(ask, "deny")
    assert "approve" not in buttons(office.posted(ask)["blocks"])
    office.send(press(deny | {"action_id": "approve"}, office.person()))
    office.send(press(deny | {"action_id": "edit"}, office.person()))
    assert look(office.house, ask)["status"] == "pending"
