"""`/a/{token}`: shows without deciding, decides once, and only what its message was about, for whom it was sent."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest

from signoff.channels.answer_links.models import AnswerLink
from signoff.kit import clock, crypto
from tests.channels.mailbox import Mailbox, link_in, text_of
from tests.channels.people import Someone, someone
from tests.contract.ruling import put_rules, rule
from tests.contract.scenes import agent_that, run_that
from tests.house import House
from tests.wire import call, says

Ask = dict[str, Any]
WRITE = call("write_file", {"path": "report.md", "content": "All good."})


@pytest.fixture
def ann(house: House) -> Someone:
    return someone(house)


@pytest.fixture
def phone(house: House) -> Iterator[httpx.Client]:
    """A browser that has never seen the app."""
    with httpx.Client(base_url=house.url) as phone:
        yield phone


@pytest.fixture
def mailed(house: House, mailbox: Mailbox, ann: Someone) -> Callable[..., tuple[str, Ask, str]]:
    """A run that asks, its ask, and the link that Ann got."""

    def mailed(*calls: dict[str, Any], **fields: Any) -> tuple[str, Ask, str]:
        run = run_that(house, says("", *(calls or (WRITE,))), **fields)
        ask = house.ask(run)
        mail = house.until(lambda: _about(mailbox, ann.email, ask["title"]))
        return run, ask, link_in(mail)

    return mailed


def _about(mailbox: Mailbox, email: str, title: str) -> Any:
    found = mailbox.about(email, " ".join(title.split())[:60])
    return found[-1] if found else None


Mailed = Callable[..., tuple[str, Ask, str]]


def test_a_scanner_that_follows_every_link_decides_nothing(house: House, mailed: Mailed, phone: httpx.Client) -> None:
    run, ask, link = mailed()
    for _ in range(3):
        for verb in ("GET", "HEAD", "OPTIONS"):
            phone.request(verb, link)
            phone.request(verb, link, params={"decision": "approve"})
    assert [each["id"] for each in house.asks(run)] == [ask["id"]]
    assert phone.post(link, data={"decision": "approve"}).status_code == 200


def test_the_page_shows_everything_and_nobody_keeps_it(mailed: Mailed, phone: httpx.Client) -> None:
    long = "x" * 5_000 + " the end"
    given = {"path": "long.md", "content": long, "_reasoning": "They asked for it.", "_confidence": 0.42}
    given |= {"_alternatives": "I write a mail.", "_supporting_data": {"asked on": "Monday"}}
    _, _, link = mailed(call("write_file", given))
    page = phone.get(link)
    for words in (long, "They asked for it.", "42%", "I write a mail.", "Monday"):
        assert words in page.text
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["referrer-policy"] == "no-referrer"
    assert "script-src" not in page.headers["content-security-policy"]
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "<script" not in page.text


def test_what_an_agent_writes_is_text_on_the_page(mailed: Mailed, phone: httpx.Client) -> None:
    evil = '</textarea><script>alert(1)</script><form action="https://evil.example"> \u202etxt.exe {{ 7 * 7 }}'
    _, _, link = mailed(call("write_file", {"path": "evil.md", "content": evil}))
    page = phone.get(link).text
    assert "<script" not in page
    assert "<form action" not in page
    assert "\u202e" not in page.replace("&#8238;", "").split("<textarea")[0]
    assert "49" not in page.split("evil.md")[1][:400]


def test_a_link_works_once_and_then_says_what_became_of_it(house: House, mailed: Mailed, phone: httpx.Client) -> None:
    run, _, link = mailed()
    first = phone.post(link, data={"decision": "approve"})
    second = phone.post(link, data={"decision": "deny"})
    assert (first.status_code, second.status_code) == (200, 409)
    assert "Approved" in first.text
    assert "Approved" in phone.get(link).text
    house.ended(run)
    assert house.calls(run)[0]["status"] == "succeeded"


def test_two_presses_at_once_decide_once(house: House, mailed: Mailed) -> None:
    from concurrent.futures import ThreadPoolExecutor

    run, ask, link = mailed()
    with ThreadPoolExecutor(6) as threads:
        posts = [threads.submit(httpx.post, house.url + link, data={"decision": "approve"}) for _ in range(6)]
        statuses = sorted(each.result().status_code for each in posts)
    assert statuses == [200, 409, 409, 409, 409, 409]
    house.ended(run)
    entries = house.get("/api/audit", subject=ask["id"], action="ask.answered")["items"]
    assert len(entries) == 1


def test_the_record_says_who_and_by_which_way(house: House, mailed: Mailed, phone: httpx.Client, ann: Someone) -> None:
    _, ask, link = mailed()
    phone.post(link, data={"decision": "deny", "note": "Not now."})
    settled = house.get(f"/api/asks/{ask['id']}")
    assert (settled["status"], settled["settled_by"], settled["answer"]["note"]) == ("denied", ann.email, "Not now.")
    entry = house.get("/api/audit", subject=ask["id"], action="ask.answered")["items"][0]
    assert entry["actor"] == ann.email
    assert "email" in str(entry)


def test_a_link_is_dead_when_somebody_else_decided(house: House, mailed: Mailed, phone: httpx.Client) -> None:
    _, ask, link = mailed()
    house.answer(ask, "deny")
    assert "Denied" in phone.get(link).text
    late = phone.post(link, data={"decision": "approve"})
    assert late.status_code == 409
    assert house.get(f"/api/asks/{ask['id']}")["status"] == "denied"


def test_a_link_expires(house: House, mailed: Mailed, phone: httpx.Client) -> None:
    run, _, link = mailed()

    def age(session: Any) -> None:
        row = session.get_one(AnswerLink, crypto.hash_secret(link.removeprefix("/a/")))
        row.expires_at = clock.now() - timedelta(seconds=1)

    house.parts.db.write(age)
    assert "expired" in phone.get(link).text
    assert phone.post(link, data={"decision": "approve"}).status_code == 409
    assert house.asks(run)


def test_a_link_is_about_what_the_message_showed(house: House, mailbox: Mailbox, phone: httpx.Client) -> None:
    """Of two signers the first edits: the second one's older mail must not sign what they have not seen."""
    ann, bob = someone(house), someone(house)
    agent = agent_that(house, says("", WRITE), tools=("write_file",))
    put_rules(house, rule(agent, {"require_approval_count": 2}))
    run = house.start(agent)
    ask = house.ask(run)
    link = link_in(mailbox.wait_for(ann.email, "report.md"))
    edited = {"decision": "approve", "arguments": {"path": "report.md", "content": "Else."}, "digest": ask["digest"]}
    assert bob.client.post(f"/api/asks/{ask['id']}/answer", json=edited).status_code == 200
    assert "changed" in phone.get(link).text
    assert phone.post(link, data={"decision": "approve"}).status_code == 409
    assert house.get(f"/api/asks/{ask['id']}")["status"] == "pending"
    put_rules(house)


@pytest.mark.parametrize("token", ["", "x", "ans_" + "A" * 43, "ans_" + "é" * 10, "a" * 3000])
def test_an_unknown_link_is_not_found(phone: httpx.Client, token: str) -> None:
    for answer in (phone.get(f"/a/{token}"), phone.post(f"/a/{token}", data={"decision": "approve"})):
        assert answer.status_code in (404, 405), answer.text


def test_who_is_no_longer_allowed_decides_nothing(
    house: House, mailed: Mailed, phone: httpx.Client, ann: Someone
) -> None:
    run, _, link = mailed()
    member = next(each for each in house.get("/api/members", limit=200)["items"] if each["email"] == ann.email)
    house.client.patch(f"/api/members/{member['id']}", json={"role": "viewer"})
    assert "no longer decide" in phone.get(link).text
    assert phone.post(link, data={"decision": "approve"}).status_code == 403
    house.client.delete(f"/api/members/{member['id']}")
    assert phone.post(link, data={"decision": "approve"}).status_code == 404
    assert house.asks(run)


def test_arguments_are_edited_reviewed_and_approved(house: House, mailed: Mailed, phone: httpx.Client) -> None:
    run, ask, link = mailed()
    fields = {"edited": "1", "step": "review", "arg.path": "report.md", "arg.content": "Better.\r\nTwo lines."}
    review = phone.post(link, data=fields)
    assert "All good." in review.text
    assert "Better." in review.text
    assert house.asks(run), "a review decides nothing"
    kept = '{"path": "report.md", "content": "Better.\\nTwo lines."}'
    assert phone.post(link, data={"decision": "approve", "arguments": kept}).status_code == 200
    house.ended(run)
    assert house.calls(run)[0]["arguments"]["content"] == "Better.\nTwo lines."
    assert house.get(f"/api/asks/{ask['id']}")["answer"]["arguments"]["content"] == "Better.\nTwo lines."


@pytest.mark.parametrize("wrong", ['{"path": 1}', "[]", "{nonsense", '{"path": "a", "content": "b", "more": 1}'])
def test_wrong_arguments_are_said_on_the_page_and_spend_nothing(
    house: House, mailed: Mailed, phone: httpx.Client, wrong: str
) -> None:
    run, _, link = mailed()
    answer = phone.post(link, data={"decision": "approve", "arguments": wrong})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert house.asks(run)
    assert phone.post(link, data={"decision": "approve"}).status_code == 200


@pytest.mark.parametrize(
    ("question", "sent", "value"),
    [
        ({"responseType": "text"}, {"value": "Blue.\r\nAnd red."}, "Blue.\nAnd red."),
        ({"responseType": "number"}, {"value": "12.5"}, 12.5),
        ({"responseType": "boolean"}, {"value": "true"}, True),
        (
            {"responseType": "choice", "options": [{"label": "A", "value": "a"}, {"label": "B", "value": "b"}]},
            {"value": '"b"'},
            "b",
        ),
        (
            {
                "responseType": "form",
                "schema": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string"},
                        "count": {"type": "integer"},
                        "sure": {"type": "boolean"},
                    },
                    "required": ["name"],
                },
            },
            {"field.name": "Ann", "field.count": "3", "field.sure": "true"},
            {"name": "Ann", "count": 3, "sure": True},
        ),
    ],
)
def test_every_kind_of_question_is_answered_on_the_page(
    house: House, mailed: Mailed, phone: httpx.Client, question: Any, sent: dict[str, str], value: Any
) -> None:
    wanted = {"question": f"Which of these {question['responseType']}?", "type": "blocking", **question}
    run, ask, link = mailed(call("ask_question", wanted))
    assert phone.get(link).status_code == 200
    assert phone.post(link, data={"decision": "approve"}).status_code == 422
    answer = phone.post(link, data={"decision": "respond", **sent})
    assert answer.status_code == 200, answer.text
    assert house.get(f"/api/asks/{ask['id']}")["answer"]["value"] == value
    house.ended(run)


def test_a_plan_is_approved_in_part(house: House, mailed: Mailed, phone: httpx.Client) -> None:
    steps = [
        {
            "id": each,
            "tool": "write_file",
            "arguments": {"path": f"{each}.md", "content": each},
            "purpose": f"Write {each}",
        }
        for each in ("one", "two")
    ]
    run, _, link = mailed(call("propose_plan", {"steps": steps}), mode="plan")
    page = phone.get(link).text
    assert "Write one" in page
    assert "Write two" in page
    assert phone.post(link, data={"decision": "approve", "steps_shown": "1", "step.two": "on"}).status_code == 200
    house.ended(run)
    assert [each["arguments"]["path"] for each in house.calls(run) if each["tool"] == "write_file"] == ["two.md"]


def test_denying_can_end_the_run_and_then_needs_a_reason(house: House, mailed: Mailed, phone: httpx.Client) -> None:
    run, _, link = mailed()
    assert phone.post(link, data={"decision": "deny", "end_run": "on"}).status_code == 422
    assert phone.post(link, data={"decision": "deny", "end_run": "on", "note": "Stop."}).status_code == 200
    assert house.ended(run)["completion_reason"] == "rejected"


def test_what_needs_a_sign_in_comes_without_a_link(house: House, mailbox: Mailbox) -> None:
    ann = someone(house)
    agent = agent_that(house, says("", WRITE), tools=("write_file",))
    put_rules(house, rule(agent, {"require_sign_in": True}))
    house.ask(house.start(agent))
    by_rule = mailbox.wait_for(ann.email, "report.md")
    assert "/a/ans_" not in text_of(by_rule)
    assert "/asks/" in text_of(by_rule)
    put_rules(house)


def test_a_link_sent_before_the_ask_needed_a_sign_in_decides_nothing(
    house: House, mailed: Mailed, phone: httpx.Client
) -> None:
    from signoff.asks.models import Ask as AskRow

    run, ask, link = mailed()
    house.parts.db.write(lambda s: setattr(s.get_one(AskRow, ask["id"]), "risk_level", "critical"))
    assert "sign in" in phone.get(link).text
    assert phone.post(link, data={"decision": "approve"}).status_code == 403
    assert house.asks(run)


def test_programs_get_a_line_of_json(mailed: Mailed, phone: httpx.Client) -> None:
    _, _, link = mailed()
    as_json = {"Accept": "application/json"}
    done = phone.post(link, data={"decision": "approve"}, headers=as_json)
    assert done.json()["ok"] is True
    again = phone.post(link, data={"decision": "approve"}, headers=as_json)
    assert (again.status_code, again.json()["ok"]) == (409, False)


def test_one_click_stops_the_mails_and_a_scanner_does_not(
    house: House, mailbox: Mailbox, phone: httpx.Client, ann: Someone
) -> None:
    run_that(house, says("", WRITE))
    mail = mailbox.wait_for(ann.email, "report.md")
    stop = mail["List-Unsubscribe"].strip("<>")
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    path = stop.removeprefix(house.url)
    asked = phone.get(path)
    which = (
        f"no more mails about asks and runs in {ann.client.get('/api/me').json()['workspace']['name']} to {ann.email}"
    )
    assert (asked.status_code, which in asked.text) == (200, True)
    assert "Settings, Notifications" in asked.text
    assert ann.client.get("/api/me/preferences").json()["channels"] == {}
    done = phone.post(path, data={"List-Unsubscribe": "One-Click"})
    assert (done.status_code, which in done.text) == (200, True)
    assert 'href="/settings?section=notifications"' in done.text
    assert ann.client.get("/api/me/preferences").json()["channels"] == {"email": False}


def test_who_has_no_valid_token_learns_of_no_messages(phone: httpx.Client) -> None:
    for refused in (phone.get("/a/stop/v1.nonsense.AAAA"), phone.post("/a/stop/v1.nonsense.AAAA")):
        assert refused.status_code == 404
        assert "@" not in refused.text.partition("<main")[2]
        assert "<form" not in refused.text


def test_one_click_also_stops_a_channel_that_was_chosen_by_its_name(
    house: House, mailbox: Mailbox, phone: httpx.Client, ann: Someone
) -> None:
    ann.prefers(channels={"Mail": True, "slack": True})
    run_that(house, says("", WRITE))
    stop = mailbox.wait_for(ann.email, "report.md")["List-Unsubscribe"].strip("<>")
    assert phone.post(stop.removeprefix(house.url)).status_code == 200
    assert ann.client.get("/api/me/preferences").json()["channels"] == {"slack": True, "email": False}


def test_a_link_decides_nothing_while_its_channel_is_switched_off(
    house: House, mailed: Mailed, phone: httpx.Client
) -> None:
    run, _, link = mailed()
    mail = next(each for each in house.get("/api/channels")["items"] if each["name"] == "Mail")
    house.client.patch(f"/api/channels/{mail['id']}", json={"enabled": False})
    try:
        assert "switched off" in phone.get(link).text
        assert phone.post(link, data={"decision": "approve"}).status_code == 403
        assert house.asks(run)
    finally:
        house.client.patch(f"/api/channels/{mail['id']}", json={"enabled": True})
    assert phone.post(link, data={"decision": "approve"}).status_code == 200


def test_a_change_in_the_fields_is_shown_before_approve_takes_it(
    house: House, mailed: Mailed, phone: httpx.Client
) -> None:
    """Whoever changes a field and presses Approve must not approve what was proposed."""
    run, _, link = mailed()
    fields = {"edited": "1", "arg.path": "report.md", "arg.content": "Mine.", "decision": "approve", "note": "Why not."}
    review = phone.post(link, data=fields)
    assert "Mine." in review.text
    assert "Why not." in review.text
    assert house.asks(run), "nothing was approved yet"
    back = phone.post(
        link, data={"step": "back", "arguments": '{"path": "report.md", "content": "Mine."}', "note": "Hm."}
    )
    assert "Mine." in back.text
    assert "Hm." in back.text
    same = phone.post(
        link, data={"edited": "1", "arg.path": "report.md", "arg.content": "All good.", "decision": "approve"}
    )
    assert "Approved" in same.text
    house.ended(run)
    assert house.calls(run)[0]["arguments"]["content"] == "All good."


def test_what_was_ticked_and_written_is_there_again_after_a_mistake(mailed: Mailed, phone: httpx.Client) -> None:
    steps = [
        {
            "id": each,
            "tool": "write_file",
            "arguments": {"path": f"{each}.md", "content": each},
            "purpose": f"Do {each}",
        }
        for each in ("one", "two")
    ]
    _, _, link = mailed(call("propose_plan", {"steps": steps}), mode="plan")
    wrong = phone.post(link, data={"decision": "approve", "steps_shown": "1", "note": "None of it."})
    assert wrong.status_code == 422
    assert "None of it." in wrong.text
    assert 'name="step.one" checked' not in wrong.text
    assert 'name="step.one" checked' in phone.get(link).text
