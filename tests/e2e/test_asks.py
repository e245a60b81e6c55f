"""Every kind of ask: shown with all that is needed to decide, and answered."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import APIRequestContext, Browser, Locator, Page, expect

from tests.e2e.axe import check_light_and_dark
from tests.e2e.conftest import TOKEN, Server, guarded, signed_in
from tests.e2e.flows import ask_card
from tests.e2e.people import PASSWORD, signed_in_as
from tests.e2e.scripted import ASKING, REPORT, Scripted, question, write
from tests.wire import call, says

Answering = Callable[[Locator], None]
TOGETHER = """\
version: "1.0"
checkpoints:
  - name: "Together"
    trigger: {tool: write_file}
    action: {require_approval_count: 1, batch_alike: true}
"""


STAGES = """\
version: "1.0"
checkpoints:
  - name: "Two people"
    trigger: {tool: write_file}
    action:
      stages:
        - {name: lead, approvers: ["approver@example.com"]}
        - {name: boss, approvers: "role:admin"}
"""
SHOWN_NOTIFICATIONS = """
window.notified = [];
window.Notification = class {
  static permission = "granted";
  constructor(title, options) {
    this.title = title;
    this.options = options;
    window.notified.push(this);
  }
};
navigator.serviceWorker.getRegistration = async () => undefined;
"""
FIRST_NOTIFICATION = """
new Promise((found) => {
  const look = () => (window.notified.length > 0 ? found(window.notified[0].title) : setTimeout(look, 50));
  look();
})
"""
HIDE = """
Object.defineProperty(document, "hidden", { value: true, configurable: true });
document.dispatchEvent(new Event("visibilitychange"));
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
    "milestone": (press("Approve and go on"), "approved", lambda answer: answer["decision"] == "approve"),
    "budget": (less_budget, "approved", lambda answer: answer["value"] == {"credits": 20, "iterations": 7}),
    "recovery": (choose("Cheap"), "answered", lambda answer: answer["value"] == "cheap"),
}
NUMBERS = {"number"}


@pytest.mark.parametrize("kind", KINDS)
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
    expect(page.get_by_text("What you changed")).to_be_visible()
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


def test_a_change_to_a_file_is_shown_against_the_one_that_is_there(page: Page, scripted: Scripted):
    longer = f"{REPORT}- Delta is gone\n"
    run = scripted.start(says("", write("report.md")), says("", write("report.md", content=longer)))
    scripted.post(f"/api/asks/{scripted.ask(run)['id']}/answer", {"decision": "approve"})
    ask = scripted.ask(run)
    page.goto(f"/asks/{ask['id']}")
    card = ask_card(page, ask)
    expect(card.get_by_text("Changes to the file that is there")).to_be_visible()
    expect(card.locator("pre").get_by_text("+ - Delta is gone")).to_be_visible()


def test_a_decision_can_be_taken_back(page: Page, scripted: Scripted):
    ask = scripted.asking("approval")
    page.add_init_script("localStorage.setItem('signoff.undo-seconds', '2')")
    page.goto(f"/asks/{ask['id']}")
    ask_card(page, ask).get_by_role("button", name="Approve").click()
    going = page.get_by_role("region", name="Decisions on their way")
    # What ticks is not read out each second.
    expect(going.get_by_role("status").first).to_have_text(f"Approved: {ask['title']}")
    going.get_by_role("button", name="Undo").first.click()
    expect(ask_card(page, ask).get_by_role("button", name="Approve")).to_be_visible()
    page.wait_for_timeout(2_500)
    assert scripted.get(f"/api/asks/{ask['id']}")["status"] == "pending"


def test_a_decision_is_sent_when_the_page_closes(page: Page, scripted: Scripted):
    ask = scripted.asking("approval")
    page.goto(f"/asks/{ask['id']}")
    ask_card(page, ask).get_by_role("button", name="Approve").click()
    page.close(run_before_unload=True)
    assert scripted.settled(ask)["status"] == "approved"


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


def test_who_comes_too_late_is_told_who_was_faster(browser: Browser, server: Server, scripted: Scripted):
    ask = scripted.asking("approval")
    with guarded(browser, server) as (context, guard), guarded(browser, server) as (other, _):
        guard.allowed.append("409")
        slow, fast = signed_in(context), signed_in(other)
        for page in (slow, fast):
            page.goto(f"/asks/{ask['id']}")
            expect(ask_card(page, ask).get_by_role("button", name="Approve")).to_be_visible()
        ask_card(slow, ask).get_by_role("button", name="Approve").click()
        fast.keyboard.press("d")
        fast.get_by_role("textbox", name="Why?").fill("Not today")
        fast.get_by_role("button", name="Deny", exact=True).click()
        fast.get_by_role("button", name="Send now").first.click()
        assert scripted.settled(ask)["status"] == "denied"
        slow.get_by_role("button", name="Send now").first.click()
        late = slow.get_by_role("alert").filter(has_text="Too late")
        expect(late).to_contain_text("It was denied by")
        expect(late).to_contain_text("Not today")
        late.get_by_role("link", name="Show it").click()
        expect(ask_card(slow, ask).get_by_text(re.compile("^Denied by "))).to_be_visible()


def test_the_usual_answer_is_marked(page: Page, scripted: Scripted):
    ask_again = says("", question("Which paper?", "choice", options=["white", "grey"]))
    first = scripted.ask(scripted.start(ask_again))
    scripted.post(f"/api/asks/{first['id']}/answer", {"decision": "respond", "value": "grey"})
    second = scripted.ask(scripted.start(ask_again))
    page.goto(f"/asks/{second['id']}")
    expect(ask_card(page, second).get_by_text("usual answer, 1 of 1 times")).to_be_visible()
    expect(ask_card(page, second).get_by_role("radio", name=re.compile("grey"))).to_be_checked()


def test_what_is_remembered_is_said_in_a_sentence(page: Page, scripted: Scripted):
    run = scripted.start(says("", write("one.md")), says("", write("two.md")))
    ask = scripted.ask(run)
    page.goto(f"/asks/{ask['id']}")
    card = ask_card(page, ask)
    card.get_by_role("button", name="Remember").click()
    expect(card.get_by_text("may use write_file up to high risk without asking, until this run ends")).to_be_visible()
    card.get_by_role("radio", name="For the rest of this run").check()
    check_light_and_dark(page)
    card.get_by_role("button", name="Approve").click()
    page.get_by_role("button", name="Send now").first.click()
    assert scripted.settled(ask)["answer"]["remember"] == "run"


def test_others_who_look_are_named(browser: Browser, server: Server, scripted: Scripted):
    ask = scripted.asking("approval")
    scripted.client.post("/api/members", json={"email": "ana@example.org", "name": "Ana", "role": "approver"})
    token = scripted.post("/api/tokens", {"name": "ana", "user": "ana@example.org"})["token"]
    with guarded(browser, server) as (context, _):
        page = signed_in(context)
        page.goto(f"/asks/{ask['id']}")
        expect(ask_card(page, ask)).to_be_visible()
        expect(page.get_by_role("status").get_by_text("Live").first).to_be_visible()
        headers = {"Authorization": f"Bearer {token}"}
        other = context.browser.new_context(base_url=server.url, extra_http_headers=headers)  # type: ignore[union-attr]
        assert other.request.post(f"/api/asks/{ask['id']}/viewing").ok
        expect(ask_card(page, ask)).to_contain_text(re.compile("ana.*looks at this too", re.IGNORECASE))
        other.close()


def test_a_blocking_ask_of_the_run_on_screen_opens_over_it(page: Page, scripted: Scripted):
    run = scripted.start(says("", question("Which colour?", "text")), says("", *ASKING["boolean"]))
    page.goto(f"/runs/{run}")
    first = scripted.ask(run)
    expect(page.get_by_role("status").get_by_text("Live").first).to_be_visible()
    scripted.post(f"/api/asks/{first['id']}/answer", {"decision": "respond", "value": "blue"})
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Include the figures of last year?")).to_be_visible()
    check_light_and_dark(page)
    dialog.get_by_role("button", name="Yes").click()
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Send now").first.click()


def test_elsewhere_a_new_ask_comes_as_a_toast(page: Page, scripted: Scripted):
    page.goto("/agents")
    expect(page.get_by_role("status").get_by_text("Live").first).to_be_visible()
    ask = scripted.ask(scripted.start(says("", call("request_review", {"phase": "print", "summary": "Done."}))))
    toast = page.get_by_role("alert").filter(has_text="Review: print")
    toast.get_by_role("button", name="Open").click()
    expect(ask_card(page, ask)).to_be_visible()


def test_two_people_sign_one_after_the_other(
    browser: Browser, server: Server, api: APIRequestContext, scripted: Scripted
):
    with guarded(browser, server) as (first, _), guarded(browser, server) as (second, _):
        lead, boss = signed_in_as(first, api, "approver"), signed_in(second)
        with scripted.under_rules(STAGES):
            ask = scripted.ask(scripted.start(says("", write("letter.md")), says("Done.")))
        for page in (lead, boss):
            page.goto(f"/asks/{ask['id']}")
        signing = ask_card(lead, ask)
        expect(signing.get_by_role("region", name="Signatures")).to_contain_text("0 of 2 signed")
        expect(ask_card(boss, ask)).to_contain_text("This needs one of: approver@example.com.")
        expect(ask_card(boss, ask).get_by_role("button", name="Assign")).to_have_count(0)
        check_light_and_dark(lead)
        signing.get_by_role("button", name="Sign (1 of 2)").click()
        lead.get_by_role("button", name="Send now").first.click()
        expect(lead.get_by_role("alert").filter(has_text="Signed. 1 more must sign")).to_be_visible()
        lead.goto(f"/asks/{ask['id']}")
        expect(ask_card(lead, ask)).to_contain_text("You have signed. It waits for somebody else.")
        expect(ask_card(lead, ask)).to_contain_text("next: boss, any admin")
        # The second, whose page was open all the time, sees it come.
        expect(ask_card(boss, ask).get_by_role("region", name="Signatures")).to_contain_text("1 of 2 signed")
        ask_card(boss, ask).get_by_role("button", name="Approve", exact=False).first.click()
        boss.get_by_role("button", name="Send now").first.click()
        settled = scripted.settled(ask)
        assert settled["status"] == "approved"
        assert [each["stage"] for each in settled["approvals"]] == ["lead", "boss"]
        expect(ask_card(lead, ask).get_by_text(re.compile("^Approved by "))).to_be_visible()


def test_whoever_signed_one_of_several_can_still_refuse(page: Page, scripted: Scripted):
    with scripted.under_rules(
        TOGETHER.replace("require_approval_count: 1, batch_alike: true", "require_approval_count: 2")
    ):
        ask = scripted.ask(scripted.start(says("", write("letter.md"))))
    page.goto(f"/asks/{ask['id']}")
    card = ask_card(page, ask)
    card.get_by_role("button", name="Sign (1 of 2)").click()
    page.get_by_role("button", name="Send now").first.click()
    expect(page.get_by_role("alert").filter(has_text="Signed.")).to_be_visible()
    page.goto(f"/asks/{ask['id']}")
    expect(card).to_contain_text("You have signed. It waits for somebody else; you can still refuse it.")
    expect(card.get_by_role("button", name=re.compile("^Sign"))).to_have_count(0)
    card.get_by_role("button", name="Deny").click()
    card.get_by_role("button", name="Deny", exact=True).click()
    page.get_by_role("button", name="Send now").first.click()
    assert scripted.settled(ask)["status"] == "denied"


def test_a_change_by_another_signer_is_said_and_the_note_is_kept(
    page: Page, api: APIRequestContext, scripted: Scripted
):
    with scripted.under_rules(
        TOGETHER.replace("require_approval_count: 1, batch_alike: true", "require_approval_count: 2")
    ):
        ask = scripted.ask(scripted.start(says("", write("letter.md"))))
    other = person(scripted, "bo@example.org")
    page.goto(f"/asks/{ask['id']}")
    card = ask_card(page, ask)
    card.get_by_role("button", name="Note").click()
    card.get_by_role("textbox", name="Note").fill("Looks right")
    changed = {"path": "other.md", "content": "Short."}
    answer = {"decision": "approve", "arguments": changed}
    assert api.post(f"/api/asks/{ask['id']}/answer", data=answer, headers=other).ok
    expect(card).to_contain_text("Changed by bo@example.org meanwhile; look again.")
    expect(card.get_by_role("textbox", name="Note")).to_have_value("Looks right")
    expect(card).to_contain_text("other.md")


def person(scripted: Scripted, email: str) -> dict[str, str]:
    """What a script sends to be somebody else, who approves."""
    scripted.client.post("/api/members", json={"email": email, "name": email, "role": "approver"})
    token = scripted.post("/api/tokens", {"name": email, "user": email})["token"]
    return {"Authorization": f"Bearer {token}"}


def test_in_the_background_a_new_ask_comes_as_a_notification_that_leads_to_it(page: Page, scripted: Scripted):
    before = scripted.get("/api/me/preferences")
    scripted.client.put("/api/me/preferences", json=before | {"browser_notifications": True})
    page.add_init_script(SHOWN_NOTIFICATIONS)
    page.goto("/agents")
    expect(page.get_by_role("status").get_by_text("Live").first).to_be_visible()
    page.evaluate(HIDE)
    ask = scripted.asking("approval")
    assert page.evaluate(FIRST_NOTIFICATION) == ask["title"]
    page.evaluate("window.notified[0].onclick()")
    page.wait_for_url(f"**/asks/{ask['id']}")
    expect(ask_card(page, ask)).to_be_visible()


def test_a_decision_is_sent_when_the_page_goes_out_of_sight(page: Page, scripted: Scripted):
    ask = scripted.asking("approval")
    page.add_init_script("localStorage.setItem('signoff.undo-seconds', '60')")
    page.goto(f"/asks/{ask['id']}")
    ask_card(page, ask).get_by_role("button", name="Approve").click()
    page.evaluate(HIDE)
    assert scripted.settled(ask)["status"] == "approved"


def test_undo_brings_back_what_was_written(page: Page, scripted: Scripted):
    ask = scripted.asking("approval")
    page.goto(f"/asks/{ask['id']}")
    card = ask_card(page, ask)
    card.get_by_role("button", name="Deny").click()
    card.get_by_role("textbox", name="Why?").fill("Wrong month")
    card.get_by_role("button", name="Deny", exact=True).click()
    page.get_by_role("region", name="Decisions on their way").get_by_role("button", name="Undo").first.click()
    expect(card.get_by_role("textbox", name="Why?")).to_have_value("Wrong month")
    card.get_by_role("button", name="Back").click()
    card.get_by_role("button", name="Edit").click()
    page.get_by_role("textbox", name="Path").fill("final.md")
    expect(page.get_by_text("1 change: path report.md → final.md")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Approve with changes").click()
    page.get_by_role("region", name="Decisions on their way").get_by_role("button", name="Undo").first.click()
    expect(page.get_by_role("textbox", name="Path")).to_have_value("final.md")


def test_what_the_server_refuses_is_kept_and_can_be_sent_again(browser: Browser, server: Server, scripted: Scripted):
    ask = scripted.asking("approval")
    with guarded(browser, server) as (context, guard):
        guard.allowed.append("422")
        page = signed_in(context)
        refusal = {"title": "Invalid", "status": 422, "detail": "Not like this."}
        page.route("**/answer", lambda route: route.fulfill(status=422, json=refusal), times=1)
        page.goto(f"/asks/{ask['id']}")
        card = ask_card(page, ask)
        card.get_by_role("button", name="Deny").click()
        card.get_by_role("textbox", name="Why?").fill("Wrong month")
        card.get_by_role("button", name="Deny", exact=True).click()
        page.get_by_role("button", name="Send now").first.click()
        expect(page.get_by_role("alert").filter(has_text=f"Not taken: {ask['title']}")).to_contain_text(
            "Not like this."
        )
        page.reload()
        page.get_by_role("button", name="Look again").click()
        expect(card.get_by_role("textbox", name="Why?")).to_have_value("Wrong month")
        card.get_by_role("button", name="Deny", exact=True).click()
        page.get_by_role("button", name="Send now").first.click()
        assert scripted.settled(ask)["answer"]["note"] == "Wrong month"


def test_signing_out_sends_what_is_held_and_the_other_tabs_forget(browser: Browser, server: Server, scripted: Scripted):
    ask = scripted.asking("approval")
    with guarded(browser, server) as (context, guard):
        guard.allowed.append("401")
        page, other = signed_in(context), context.new_page()
        page.add_init_script("localStorage.setItem('signoff.undo-seconds', '60')")
        other.goto("/runs")
        page.goto(f"/asks/{ask['id']}")
        ask_card(page, ask).get_by_role("button", name="Approve").click()
        page.get_by_role("button", name="Account of").first.click()
        page.get_by_role("menuitem", name="Sign out").click()
        assert scripted.settled(ask)["status"] == "approved"
        for tab in (page, other):
            expect(tab.get_by_role("heading", name="Sign in to Signoff")).to_be_visible()


def test_a_decision_waits_for_its_own_author_to_sign_in_again(
    browser: Browser, server: Server, api: APIRequestContext, scripted: Scripted
):
    ask = scripted.asking("approval")
    with guarded(browser, server) as (context, guard), guarded(browser, server) as (elsewhere, _):
        guard.allowed.append("401")
        signed_in_as(elsewhere, api, "approver")
        page = signed_in(context)
        page.goto(f"/asks/{ask['id']}")
        expect(ask_card(page, ask).get_by_role("button", name="Approve")).to_be_visible()
        context.clear_cookies()
        ask_card(page, ask).get_by_role("button", name="Approve").click()
        # Whatever is read next leads to the page for signing in; something may have been read already.
        page.evaluate("document.querySelector('a[href=\"/runs\"]')?.click()")
        expect(page.get_by_role("heading", name="Sign in to Signoff")).to_be_visible()
        page.get_by_text("Email and password").click()
        page.get_by_role("textbox", name="Email").fill("approver@example.com")
        page.get_by_role("textbox", name="Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("status").get_by_text("Live").first).to_be_visible()
        page.wait_for_timeout(6_000)
        assert scripted.get(f"/api/asks/{ask['id']}")["status"] == "pending"
        page.get_by_role("button", name="Account of").first.click()
        page.get_by_role("menuitem", name="Sign out").click()
        page.get_by_text("Link or token").click()
        page.get_by_role("textbox", name="Sign-in link or API token").fill(TOKEN)
        page.get_by_role("button", name="Sign in").click()
        settled = scripted.settled(ask)
        assert settled["status"] == "approved"
        assert settled["settled_by"] == scripted.get("/api/me")["user"]["email"]


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


def test_clarification_can_be_skipped(page: Page, scripted: Scripted):
    ask = scripted.asking("clarification")
    page.goto(f"/asks/{ask['id']}")
    ask_card(page, ask).get_by_role("button", name="Skip, start anyway").click()
    assert scripted.settled(ask)["status"] == "cancelled"
