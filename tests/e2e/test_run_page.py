"""The page of a run: started, decided, watched, steered, read again."""

import re
from typing import Any

import pytest
from playwright.sync_api import APIRequestContext, Browser, Locator, Page, expect

from tests.e2e.axe import check_light_and_dark
from tests.e2e.conftest import Server, guarded
from tests.e2e.flows import checked, open_approval, start_demo
from tests.e2e.people import signed_in_as
from tests.e2e.scripted import OPTIONS, Scripted, question, write
from tests.e2e.seeds import seed_messages
from tests.wire import call, says

MESSAGES = 2000


@pytest.fixture
def page(page: Page) -> Page:
    """Decisions are sent at once."""
    page.add_init_script("localStorage.setItem('signoff.undo-seconds', '0')")
    return page


def status(page: Page, words: str) -> Locator:
    return page.get_by_role("status", name="Status").get_by_text(words)


def transcript(page: Page) -> Locator:
    return page.get_by_role("list", name="Transcript")


def the_call(page: Page, tool: str) -> Locator:
    return page.get_by_role("button", name=re.compile(rf"\b{tool}\b")).first


def end(page: Page, action: str, confirm: str) -> None:
    page.get_by_role("button", name="End the run").click()
    page.get_by_role("menuitem", name=action).click()
    page.get_by_role("dialog").get_by_role("button", name=confirm).click()


def finish(summary: str) -> dict[str, Any]:
    return says("", call("complete_task", {"summary": summary}))


def test_started_approved_and_the_deliverable_read(page: Page):
    page.goto("/runs")
    page.get_by_role("button", name="Start a run").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Assistant").click()
    dialog.get_by_role("button", name="Write down what we decided").click()
    expect(dialog.get_by_label("Task")).to_have_value(re.compile("launch date"))
    expect(dialog.get_by_text("It stops after 4 hours of work, 100 credits or 500 steps")).to_be_visible()
    dialog.get_by_role("button", name="Change limits").click()
    dialog.get_by_label("Hours of work").fill("1")
    expect(dialog.get_by_text("It stops after 1 hour of work")).to_be_visible()
    dialog.get_by_label("Title").fill("The launch date")
    dialog.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("heading", name="The launch date")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Approve", exact=True).click()
    expect(status(page, "Completed")).to_be_visible()
    expect(page.get_by_text("of 1h working time")).to_be_visible()
    page.get_by_role("region", name="Deliverables").get_by_role("button", name=re.compile("notes.md")).click()
    expect(page.get_by_role("dialog").get_by_role("heading", name="Notes", exact=True)).to_be_visible()
    expect(page.get_by_role("dialog").get_by_role("link", name="Download")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("region", name="Files").get_by_role("button", name="notes.md").click()
    expect(page.get_by_role("dialog")).to_contain_text("The task was")


def test_denied_it_takes_another_way(page: Page, api: APIRequestContext):
    run = checked(api.post("/api/runs", data={"agent": "support-reply", "task": "Where is the refund?"}))
    open_approval(api, run["id"])
    page.goto(f"/runs/{run['id']}")
    card = page.locator("article[data-ask]")
    card.get_by_role("button", name="Deny").first.click()
    card.get_by_role("textbox").first.fill("Refunds are announced by mail")
    card.get_by_role("button", name="Deny").last.click()
    expect(transcript(page).get_by_text("Then I leave it as a draft.")).to_be_visible()
    expect(status(page, "Completed")).to_be_visible()
    message = the_call(page, "send_message")
    expect(message).to_contain_text("Refused")
    message.click()
    expect(transcript(page).get_by_text("This agent asks before high-risk actions")).to_be_visible()
    expect(transcript(page).get_by_role("link", name="The decision")).to_be_visible()
    check_light_and_dark(page)


def test_a_question_shows_its_deadline_and_its_default(page: Page, scripted: Scripted):
    asked = question("How should it be sent?", "choice", options=OPTIONS, defaultResponse="cheap", timeoutMinutes=30)
    run = scripted.start(says("", asked), finish("Sent"))
    scripted.ask(run)
    page.goto(f"/runs/{run}")
    card = page.locator("article[data-ask]")
    expect(card.get_by_text(re.compile(r"\d+:\d\d left"))).to_be_visible()
    expect(card).to_contain_text(re.compile("default", re.IGNORECASE))
    expect(card).to_contain_text("Cheap")
    check_light_and_dark(page)
    card.get_by_role("radio", name=re.compile("Fast")).click()
    card.get_by_role("button", name="Send answer").click()
    expect(status(page, "Completed")).to_be_visible()
    the_call(page, "ask_question").click()
    expect(transcript(page).get_by_text("fast").first).to_be_visible()


def test_a_call_shows_what_ran_why_and_how_long(page: Page, scripted: Scripted):
    run = scripted.start(
        says("I look around.", call("list_files", {"path": "."})), finish("Done"), tools=["list_files"]
    )
    page.goto(f"/runs/{run}")
    expect(status(page, "Completed")).to_be_visible()
    the_call(page, "list_files").click()
    body = transcript(page)
    expect(body.get_by_text("Result", exact=True).first).to_be_visible()
    expect(body.get_by_text(re.compile("low risk"))).to_be_visible()
    expect(body.get_by_text(re.compile(r"took \d+ ms"))).to_be_visible()
    page.get_by_role("region", name="Activity").get_by_role("button").click()
    expect(page.get_by_role("region", name="Activity").get_by_text("list_files started")).to_be_visible()


def test_ending_asks_first_and_an_ended_run_goes_on_as_a_new_one(page: Page, scripted: Scripted):
    run = scripted.start(says("", write("a.md")))
    scripted.ask(run)
    page.goto(f"/runs/{run}")
    expect(page.locator("article[data-ask]")).to_be_visible()
    page.get_by_role("button", name="End the run").click()
    page.get_by_role("menuitem", name="Cancel run").click()
    page.get_by_role("dialog").get_by_role("button", name="Not now").click()
    expect(status(page, "Waits for approval")).to_be_visible()
    end(page, "Cancel run", "Cancel the run")
    expect(status(page, "Cancelled")).to_be_visible()
    page.get_by_role("button", name="Continue").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Continue")).to_be_disabled()
    dialog.get_by_label("What should it do next?").fill("Keep it shorter")
    dialog.get_by_role("button", name="Continue").click()
    expect(page).not_to_have_url(re.compile(run))
    expect(page.get_by_role("link", name="The run before")).to_be_visible()
    expect(transcript(page).get_by_text("Keep it shorter")).to_be_visible()
    page.goto(f"/runs/{run}")
    page.get_by_role("button", name="More about this run").click()
    page.get_by_role("menuitem", name="Try again").click()
    page.get_by_role("dialog").get_by_role("radio", name="From the start").click()
    page.get_by_role("dialog").get_by_role("button", name="Try again").click()
    expect(page).not_to_have_url(re.compile(run))
    expect(page.get_by_role("heading", name="Write the letter")).to_be_visible()


def test_two_thousand_messages_scroll_with_a_small_page(
    browser: Browser, server: Server, page: Page, scripted: Scripted
):
    run = scripted.start(finish("A long day"))
    page.goto(f"/runs/{run}")
    expect(status(page, "Completed")).to_be_visible()
    seed_messages(server, run, MESSAGES)
    asked = list[str]()
    page.on("request", lambda request: asked.append(request.url) if "/messages" in request.url else None)
    page.goto(f"/runs/{run}")
    expect(transcript(page).get_by_text("Message number 0.")).to_be_visible()
    assert len(asked) <= 3, "only the pages that are near are read at first"
    rows = "document.querySelectorAll('ol[aria-label=Transcript] > li').length"
    counted = "document.querySelectorAll('#main *').length"
    most = 0
    for _ in range(12):
        page.evaluate("document.getElementById('main').scrollBy(0, 2500)")
        page.wait_for_timeout(60)
        most = max(most, page.evaluate(rows))
    page.get_by_role("button", name="To the end").click()
    expect(transcript(page).get_by_text(f"Message number {MESSAGES - 1}.")).to_be_visible()
    most = max(most, page.evaluate(rows))
    assert most < 80, f"{most} rows are drawn at once"
    assert page.evaluate(counted) < 3000
    # A call of a late page is there with its own result.
    late = transcript(page).get_by_role("button", name=re.compile(r"file-19[89]\d")).last
    late.click()
    expect(transcript(page).get_by_text(re.compile(r"The text of file 19[89]\d"))).to_be_visible()
    page.evaluate("document.getElementById('main').scrollTo(0, 0)")
    expect(transcript(page).get_by_text("Message number 0.")).to_be_visible()
    check_light_and_dark(page)


def test_a_viewer_watches_and_has_no_wheel(browser: Browser, server: Server, api: APIRequestContext):
    run = start_demo(api)["run"]
    with guarded(browser, server) as (context, _):
        page = signed_in_as(context, api, "viewer")
        page.goto(f"/runs/{run['id']}")
        expect(page.locator("article[data-ask]")).to_be_visible()
        expect(page.get_by_text("You can read this run")).to_be_visible()
        for name in ("Pause", "End the run", "Send message"):
            expect(page.get_by_role("button", name=name)).to_have_count(0)


def test_on_a_phone_thread_and_results_are_one_tap_apart(phone: Page, api: APIRequestContext):
    run = start_demo(api)["run"]
    phone.goto(f"/runs/{run['id']}")
    expect(phone.locator("article[data-ask]")).to_be_visible()
    expect(phone.get_by_role("region", name="Deliverables")).to_be_hidden()
    phone.get_by_text("Progress and results").click()
    expect(phone.get_by_role("region", name="Deliverables")).to_be_visible()
    expect(phone.locator("article[data-ask]")).to_be_hidden()
    assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
