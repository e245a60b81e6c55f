"""Every kind of ask: shown with all that is needed to decide, and answered."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.axe import check_light_and_dark
from tests.e2e.flows import ask_card
from tests.e2e.scripted import REPORT, Scripted, question, write
from tests.house import until
from tests.wire import says

Answering = Callable[[Locator], None]
TOGETHER = """\
version: "1.0"
checkpoints:
  - name: "Together"
    trigger: {tool: write_file}
    action: {require_approval_count: 1, batch_alike: true}
"""


def press(name: str) -> Answering:
    return lambda card: card.get_by_role("button", name=name).click()


def say(text: str) -> Answering:
    def answer(card: Locator) -> None:
        card.get_by_role("textbox", name="Your answer").fill(text)
        card.get_by_role("button", name="Send answer").click()

    return answer


def choose(label: str) -> Answering:
    def answer(card: Locator) -> None:
        card.get_by_role("radio", name=re.compile(label)).click()
        card.get_by_role("button", name="Send answer").click()

    return answer


def some_steps(card: Locator) -> None:
    for step in ("write_file", "move_file", "delete_file"):
        expect(card.get_by_text(step)).to_be_visible()
    expect(card.get_by_role("button", name="Approve all 3 steps")).to_be_visible()
    card.get_by_role("checkbox", name="Step 3: Remove the old one").uncheck()
    card.get_by_role("button", name="Edit step 1").click()
    card.get_by_role("textbox", name="Path").fill("")
    card.get_by_role("button", name="Keep this change").click()
    expect(card.locator("#edit-errors li")).to_contain_text("path")
    card.get_by_role("textbox", name="Path").fill("letter.md")
    card.get_by_role("button", name="Keep this change").click()
    expect(card.get_by_text("Changed", exact=True)).to_be_visible()
    card.get_by_role("button", name="Approve 2 of 3 steps").click()


def less_budget(card: Locator) -> None:
    card.get_by_role("spinbutton", name="Hours to add").fill("25")
    expect(card.get_by_text("at most 24")).to_be_visible()
    expect(card.get_by_role("button", name="Approve this amount")).to_be_disabled()
    card.get_by_role("spinbutton", name="Hours to add").fill("")
    card.get_by_role("spinbutton", name="Credits to add").fill("20")
    card.get_by_role("button", name="Approve this amount").click()


def fill_form(card: Locator) -> None:
    card.get_by_role("textbox", name="Copies").fill("0")
    card.get_by_role("button", name="Send answer").click()
    expect(card.locator("#edit-errors li")).to_have_count(2)
    card.get_by_role("textbox", name="Name").fill("Ana")
    card.get_by_role("textbox", name="Copies").fill("2")
    card.get_by_role("button", name="Send answer").click()


def edited_steps(answer: dict[str, Any]) -> bool:
    one, two = answer["steps"]
    return (one["id"], one["arguments"]["path"], one["edited"], two["id"]) == ("1", "letter.md", True, "2")


KINDS: dict[str, tuple[Answering, str, Callable[[dict[str, Any]], bool]]] = {
    "approval": (press("Approve"), "approved", lambda answer: answer["decision"] == "approve"),
    "text": (say("Ana"), "answered", lambda answer: answer["value"] == "Ana"),
    "choice": (choose("Fast"), "answered", lambda answer: answer["value"] == "fast"),
    "boolean": (press("No"), "answered", lambda answer: answer["value"] is False),
    "yes_or_no": (press("Approve"), "answered", lambda answer: answer["value"] is True),
    "number": (say("12.5"), "answered", lambda answer: answer["value"] == 12.5),
    "form": (fill_form, "answered", lambda answer: answer["value"] == {"name": "Ana", "copies": 2}),
    "clarification": (say("Europe"), "answered", lambda answer: answer["value"] == "Europe"),
    "plan": (some_steps, "approved", edited_steps),
    "milestone": (press("Approve and continue"), "approved", lambda answer: answer["decision"] == "approve"),
    "budget": (less_budget, "approved", lambda answer: answer["value"] == {"credits": 20, "iterations": 7}),
    "recovery": (choose("Cheap"), "answered", lambda answer: answer["value"] == "cheap"),
}
NUMBERS = {"number"}


# What is answered like another kind, but for its field.
LIKE_OTHERS = {
    name: pytest.param(name, marks=pytest.mark.slow)
    for name in ("text", "choice", "clarification", "boolean", "number", "yes_or_no", "recovery", "milestone", "budget")
}


@pytest.mark.parametrize("kind", [LIKE_OTHERS.get(name, name) for name in KINDS])
def test_every_kind_is_shown_and_answered(page: Page, scripted: Scripted, kind: str):
    ask = scripted.asking(kind)
    answer, status, fits = KINDS[kind]
    page.goto(f"/asks/{ask['id']}")
    card = ask_card(page, ask)
    expect(card.get_by_role("heading", name=ask["title"])).to_be_visible()
    expect(card.locator("[aria-label=Loading]")).to_have_count(0)
    check_light_and_dark(page)
    if kind in NUMBERS:
        card.get_by_role("spinbutton", name="Your answer").fill("12.5")
        card.get_by_role("button", name="Send answer").click()
    else:
        answer(card)
    page.get_by_role("button", name="Send now").first.click()
    settled = scripted.settled(ask)
    assert settled["status"] == status
    assert fits(settled["answer"]), settled["answer"]
    page.goto(f"/asks/{ask['id']}")
    expect(ask_card(page, ask).get_by_role("status").first).to_contain_text(re.compile("by "))


def test_an_edit_is_checked_shown_and_run_exactly(page: Page, scripted: Scripted):
    ask = scripted.asking("approval")
    page.goto(f"/asks/{ask['id']}")
    expect(ask_card(page, ask)).to_be_visible()
    page.keyboard.press("e")
    approve = page.get_by_role("button", name="Approve with changes")
    path = page.get_by_role("textbox", name="Path")
    path.fill("")
    expect(page.locator("#edit-errors li").first).to_be_visible()
    expect(approve).to_be_disabled()
    path.fill("final.md")
    expect(page.get_by_text("Your changes")).to_be_visible()
    page.get_by_text("JSON", exact=True).click()
    editor = page.get_by_role("textbox", name="Arguments of write_file")
    expect(editor).to_contain_text("final.md")
    editor.fill('{"path": ')
    expect(page.locator("#edit-errors")).to_contain_text("Not valid JSON at line 1")
    expect(approve).to_be_disabled()
    page.get_by_text("YAML", exact=True).click()
    yaml = page.get_by_role("textbox", name="Arguments of write_file")
    yaml.fill("path: final.md\ncontent: Short.")
    expect(approve).to_be_enabled()
    check_light_and_dark(page)
    approve.click()
    page.get_by_role("button", name="Send now").first.click()
    settled = scripted.settled(ask)
    assert settled["answer"]["arguments"] == {"path": "final.md", "content": "Short."}


@pytest.mark.slow
def test_a_change_to_a_file_is_shown_against_the_one_that_is_there(page: Page, scripted: Scripted):
    longer = f"{REPORT}- Delta is gone\n"
    run = scripted.start(says("", write("report.md")), says("", write("report.md", content=longer)))
    scripted.post(f"/api/asks/{scripted.ask(run)['id']}/answer", {"decision": "approve"})
    ask = scripted.ask(run)
    page.goto(f"/asks/{ask['id']}")
    card = ask_card(page, ask)
    change = card.get_by_role("region", name="What it would change")
    expect(change.get_by_text("+ - Delta is gone")).to_be_visible()


@pytest.mark.slow
def test_calls_of_a_batch_can_be_left_out(page: Page, scripted: Scripted):
    with scripted.under_rules(TOGETHER):
        run = scripted.start(says("", *(write(f"{name}.md") for name in ("one", "two", "three"))))
        ask = scripted.ask(run)
    page.goto(f"/asks/{ask['id']}")
    card = ask_card(page, ask)
    expect(card.get_by_role("button", name="Approve all 3")).to_be_visible()
    card.get_by_role("checkbox", name="Call 2").uncheck()
    check_light_and_dark(page)
    card.get_by_role("button", name="Edit").click()
    expect(page.get_by_text("1 change: calls changed")).to_be_visible()
    page.get_by_role("button", name="Discard changes").click()
    card.get_by_role("checkbox", name="Call 2").uncheck()
    card.get_by_role("button", name="Approve 2 of 3").click()
    page.get_by_role("button", name="Send now").first.click()
    calls = scripted.settled(ask)["answer"]["arguments"]["calls"]
    assert [each and each["path"] for each in calls] == ["one.md", None, "three.md"]


@pytest.mark.slow
def test_an_edit_is_left_with_escape_and_survives_a_reload(page: Page, scripted: Scripted):
    ask = scripted.ask(scripted.start(says("", write("as-proposed.md"))))
    page.goto(f"/asks/{ask['id']}")
    expect(ask_card(page, ask)).to_be_visible()
    page.keyboard.press("e")
    path = page.get_by_role("textbox", name="Path")
    expect(path).to_be_focused()
    page.keyboard.press("Escape")
    expect(path).to_have_count(0)
    page.keyboard.press("e")
    path.fill("edited.md")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Keep editing")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(path).to_have_value("edited.md")
    page.reload()
    expect(path).to_have_value("edited.md")
    path.press("Escape")
    page.get_by_role("button", name="Discard", exact=True).click()
    expect(path).to_have_count(0)
    expect(ask_card(page, ask).get_by_role("button", name="Approve")).to_be_visible()


@pytest.mark.slow
def test_a_long_text_is_typed_over_without_losing_the_field(page: Page, scripted: Scripted):
    ask = scripted.ask(scripted.start(says("", write("long.md", content="As proposed.\n" * 20))))
    page.goto(f"/asks/{ask['id']}")
    ask_card(page, ask).get_by_role("button", name="Edit").click()
    field = page.get_by_role("textbox", name="Content")
    field.click()
    page.keyboard.press("Control+a")
    # Each of these letters is a key of the page, too, where no field has the focus.
    page.keyboard.type("a d x e j", delay=20)
    expect(field).to_be_focused()
    expect(field).to_have_value("a d x e j")
    page.get_by_role("button", name="Approve with changes").click()
    page.get_by_role("button", name="Send now").first.click()
    assert scripted.settled(ask)["answer"]["arguments"]["content"] == "a d x e j"


@pytest.mark.slow
def test_the_usual_answer_is_marked(page: Page, scripted: Scripted):
    ask_again = says("", question("Which paper?", "choice", options=["white", "grey"]))
    first = scripted.ask(scripted.start(ask_again))
    scripted.post(f"/api/asks/{first['id']}/answer", {"decision": "respond", "value": "grey"})
    second = scripted.ask(scripted.start(ask_again))
    page.goto(f"/asks/{second['id']}")
    expect(ask_card(page, second).get_by_text("usual answer, 1 of 1 times")).to_be_visible()
    expect(ask_card(page, second).get_by_role("radio", name=re.compile("grey"))).to_be_checked()


@pytest.mark.slow
def test_what_is_remembered_is_said_in_a_sentence(page: Page, scripted: Scripted):
    run = scripted.start(says("", write("one.md")), says("", write("two.md")))
    ask = scripted.ask(run)
    page.goto(f"/asks/{ask['id']}")
    card = ask_card(page, ask)
    card.get_by_role("button", name="Don't ask again").click()
    dialog = page.get_by_role("dialog", name="Don't ask again")
    expect(dialog.get_by_text("may use write_file if path is in the run's own folder (.md files).")).to_be_visible()
    expect(dialog.get_by_role("radio", name="The same kind")).to_be_checked()
    dialog.get_by_text("This run", exact=True).click()
    check_light_and_dark(page)
    dialog.get_by_role("button", name="Approve and don't ask again").click()
    page.get_by_role("button", name="Send now").first.click()
    assert scripted.settled(ask)["answer"]["remember"] == "run"


@pytest.mark.slow
def test_escape_closes_what_stands_over_the_editor_first(page: Page, scripted: Scripted):
    ask = scripted.asking("approval")
    page.goto(f"/asks/{ask['id']}")
    ask_card(page, ask).get_by_role("button", name="Edit").click()
    page.get_by_text("JSON", exact=True).click()
    editor = page.get_by_role("textbox", name="Arguments of write_file")
    editor.click()
    page.keyboard.press("Control+f")
    expect(page.locator(".cm-search")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".cm-search")).to_have_count(0)
    expect(editor).to_be_visible()
    page.keyboard.press("Escape")
    expect(editor).to_have_count(0)


@pytest.mark.slow
def test_clarification_can_be_skipped(page: Page, scripted: Scripted):
    ask = scripted.asking("clarification")
    page.goto(f"/asks/{ask['id']}")
    ask_card(page, ask).get_by_role("button", name="Skip, start anyway").click()
    assert scripted.settled(ask)["status"] == "cancelled"


@pytest.mark.slow
def test_an_ask_says_who_was_told_of_it_outside_and_why_then(page: Page, scripted: Scripted):
    nowhere = {"host": "127.0.0.1", "port": 9, "security": "none", "from": "signoff@example.org"}
    channel = scripted.post("/api/channels", {"kind": "email", "name": "Mail", "settings": nowhere})
    with page.expect_response("**/api/me/presence"):
        page.goto("/inbox")
    ask = scripted.asking("approval")
    until(lambda: scripted.get("/api/deliveries", ask=ask["id"])["items"])
    page.goto(f"/asks/{ask['id']}")
    told = page.get_by_role("region", name="Told outside")
    expect(told).to_contain_text(re.compile(r"Admin by mail queued for .+ \(.*the app was open\)"))
    scripted.client.delete(f"/api/channels/{channel['id']}")
