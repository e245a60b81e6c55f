"""The page of a run: started, decided, watched, steered, read again."""

import base64
import re
from typing import Any

import pytest
from playwright.sync_api import APIRequestContext, Browser, Locator, Page, expect

from tests.e2e.axe import check_light_and_dark
from tests.e2e.conftest import Server, guarded, signed_in
from tests.e2e.flows import checked, open_approval, start_demo
from tests.e2e.people import signed_in_as
from tests.e2e.scripted import OPTIONS, REPORT, Scripted, question, write
from tests.e2e.seeds import seed_messages, seed_withdrawn_asks
from tests.wire import call, fails, says

MESSAGES = 2000
VIEWER = "chrome-extension://"
PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R"
    b"/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n"
    b"4 0 obj<</Length 41>>stream\nBT /F1 24 Tf 40 100 Td (Dear Acme) Tj ET\nendstream endobj\ntrailer<</Root 1 0 R>>\n"
)


@pytest.fixture
def page(page: Page) -> Page:
    """Decisions are sent at once."""
    page.add_init_script("localStorage.setItem('signoff.undo-seconds', '0')")
    return page


def status(page: Page, words: str) -> Locator:
    return page.get_by_role("status", name="Status").get_by_text(words)


def transcript(page: Page) -> Locator:
    return page.get_by_role("list", name="Transcript")


def the_call(page: Page, words: str) -> Locator:
    return transcript(page).get_by_role("button", name=words).first


def end(page: Page, action: str, confirm: str) -> None:
    page.get_by_role("button", name="End the run").click()
    page.get_by_role("menuitem", name=action).click()
    page.get_by_role("dialog").get_by_role("button", name=confirm).click()


def box(part: Locator) -> Any:
    found = part.bounding_box()
    assert found
    return found


def finish(summary: str) -> dict[str, Any]:
    return says("", call("complete_task", {"summary": summary}))


@pytest.mark.slow
def test_started_approved_and_the_deliverable_read(page: Page):
    page.goto("/runs")
    page.get_by_role("button", name="Start a run").first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Task")).to_be_focused()
    dialog.get_by_role("radio", name="Assistant").click()
    dialog.get_by_role("button", name="Find a venue").click()
    expect(dialog.get_by_label("Task")).to_have_value(re.compile("20 people"))
    expect(dialog.get_by_text("It stops after 4 hours of work, 100 credits or 500 steps")).to_be_visible()
    dialog.get_by_role("button", name="Change limits").click()
    dialog.get_by_label("Hours of work").fill("1")
    expect(dialog.get_by_text("It stops after 1 hour of work")).to_be_visible()
    dialog.get_by_label("Title").fill("The team day")
    dialog.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("heading", name="The team day")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Approve", exact=True).click()
    expect(status(page, "Completed")).to_be_visible()
    expect(page.get_by_text("of 1h working time")).to_be_visible()
    page.get_by_role("region", name="Deliverables").get_by_role("button", name=re.compile("brief.md")).click()
    expect(page.get_by_role("dialog").get_by_role("heading", name="Brief: Find a venue")).to_be_visible()
    expect(page.get_by_role("dialog").get_by_role("link", name="Download")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("region", name="Files").get_by_role("button", name="brief.md").click()
    expect(page.get_by_role("dialog")).to_contain_text("To be settled first")


@pytest.mark.slow
def test_denied_it_takes_another_way(page: Page, api: APIRequestContext):
    run = checked(api.post("/api/runs", data={"agent": "support-reply", "task": "Where is the refund?"}))
    open_approval(api, run["id"])
    page.goto(f"/runs/{run['id']}")
    card = page.locator("article[data-ask]")
    card.get_by_role("button", name="Deny").first.click()
    card.get_by_role("textbox").first.fill("Refunds are announced by mail")
    card.get_by_role("button", name="Deny").last.click()
    expect(transcript(page).get_by_text("Then I keep it as a draft.")).to_be_visible()
    expect(status(page, "Completed")).to_be_visible()
    message = the_call(page, "Send a message to")
    expect(message).to_contain_text("Denied by Admin: Refunds are announced by mail")
    message.click()
    expect(transcript(page).get_by_text("This agent asks before high-risk actions")).to_be_visible()
    expect(transcript(page).get_by_role("link", name="The decision")).to_be_visible()
    check_light_and_dark(page)


@pytest.mark.slow
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
    expect(the_call(page, "Asked: How should it be sent?")).to_contain_text("Answered by Admin: Fast")


@pytest.mark.slow
def test_a_call_shows_what_ran_why_and_how_long(page: Page, scripted: Scripted):
    run = scripted.start(
        says("I look around.", call("list_files", {"path": "."})), finish("Done"), tools=["list_files"]
    )
    page.goto(f"/runs/{run}")
    expect(status(page, "Completed")).to_be_visible()
    the_call(page, "List the files").click()
    body = transcript(page)
    expect(body.get_by_text("Result", exact=True).first).to_be_visible()
    expect(body.get_by_text("list_files", exact=True)).to_be_visible()
    expect(body.get_by_text(re.compile("low risk"))).to_be_visible()
    expect(body.get_by_text(re.compile(r"took \d+ ms"))).to_be_visible()
    page.get_by_role("region", name="Activity").get_by_role("button").click()
    expect(page.get_by_role("region", name="Activity").get_by_text("list_files started")).to_be_visible()


@pytest.mark.slow
def test_after_two_hundred_asks_the_next_one_still_stands_in_its_run(page: Page, server: Server, scripted: Scripted):
    run = scripted.start(says("", write("a.md")), says("", write("b.md")))
    first = scripted.ask(run)
    seed_withdrawn_asks(server, first["id"], 205)
    scripted.post(f"/api/asks/{first['id']}/answer", {"decision": "approve"})
    scripted.settled(first)
    scripted.ask(run)
    page.goto(f"/runs/{run}")
    expect(page.locator("article[data-ask]").get_by_role("heading", name="Write b.md")).to_be_in_viewport()
    # By hand: what a script scrolls, the page takes for its own rows growing, and goes on following.
    page.mouse.move(500, 400)
    page.mouse.wheel(0, -100_000)
    expect(the_call(page, "Write a.md")).to_contain_text("Approved by SIGNOFF_TOKEN")


@pytest.mark.slow
def test_it_opens_at_the_top_of_what_is_asked_with_title_and_decision_in_view(page: Page, scripted: Scripted):
    run = scripted.start(says("I am done.", write("a.md", content=REPORT * 30)), task="Write a long report")
    scripted.ask(run)
    page.goto(f"/runs/{run}")
    card = page.locator("article[data-ask]")
    expect(card.get_by_role("heading", name="Write a.md")).to_be_in_viewport()
    expect(card.get_by_role("button", name="Approve", exact=True)).to_be_in_viewport()
    expect(page.get_by_text("Write a long report").first).to_be_in_viewport()
    expect(page.get_by_role("button", name="Pause")).to_be_in_viewport()
    # Whoever reads on is left alone, also when the page grows.
    page.mouse.move(1200, 650)
    page.mouse.wheel(0, 500)
    expect(card.get_by_role("heading", name="Write a.md")).not_to_be_in_viewport()
    card.get_by_role("button", name="Edit").click()
    expect(card.get_by_role("heading", name="Write a.md")).not_to_be_in_viewport()
    check_light_and_dark(page)


def test_an_ended_run_begins_with_its_result_and_tells_what_was_done_in_words(page: Page, scripted: Scripted):
    table = {"name": "prices.csv", "type": "csv", "content": "vendor,price\nAcme,3\n"}
    progress = call("report_progress", {"current_step": "Counting the sheep", "percentage": 50})
    run = scripted.start(says("Here it is.", progress, call("create_deliverable", table)), finish("Acme is cheap."))
    page.goto(f"/runs/{run}")
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text("Acme is cheap.")
    expect(result).to_be_in_viewport()
    expect(the_call(page, "Delivered prices.csv")).to_be_visible()
    assert box(result)["y"] < box(transcript(page))["y"]
    expect(transcript(page).get_by_text("Counting the sheep")).to_have_count(0)
    activity = page.get_by_role("region", name="Activity")
    activity.get_by_role("button").click()
    expect(activity.get_by_text("Counting the sheep")).to_be_visible()


@pytest.mark.slow
def test_a_failure_is_one_sentence_and_the_rest_is_under_details(page: Page, scripted: Scripted):
    run = scripted.start(fails(400, "max_tokens must be positive"), task="Look up the tariff")
    page.goto(f"/runs/{run}")
    expect(status(page, "Failed")).to_be_visible()
    expect(page.get_by_text("The model refused the request.")).to_be_visible()
    expect(page.get_by_text("max_tokens must be positive")).to_be_hidden()
    page.get_by_text("Details", exact=True).click()
    expect(page.get_by_text("max_tokens must be positive")).to_be_visible()
    page.goto("/runs?q=tariff")
    expect(page.get_by_role("link", name=re.compile("Look up the tariff"))).to_contain_text(
        "The model refused the request."
    )


@pytest.mark.slow
def test_ending_asks_first_and_an_ended_run_goes_on_as_a_new_one(page: Page, scripted: Scripted):
    run = scripted.start(says("", write("a.md")))
    scripted.ask(run)
    page.goto(f"/runs/{run}")
    expect(page.locator("article[data-ask]")).to_be_visible()
    page.get_by_role("button", name="End the run").click()
    page.get_by_role("menuitem", name="Cancel run").click()
    page.get_by_role("dialog").get_by_role("button", name="Not now").click()
    expect(status(page, "Waiting for approval")).to_be_visible()
    end(page, "Cancel run", "Cancel the run")
    expect(status(page, "Cancelled")).to_be_visible()
    page.get_by_role("button", name="Continue").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Continue")).to_be_disabled()
    dialog.get_by_label("What should it do next?").fill("Keep it shorter")
    dialog.get_by_role("button", name="Continue").click()
    expect(page).not_to_have_url(re.compile(run))
    expect(page.get_by_role("link", name="Previous run")).to_be_visible()
    expect(transcript(page).get_by_text("Keep it shorter")).to_be_visible()
    # As a message about it links to it.
    page.goto(f"/runs/{run}?action=retry")
    page.get_by_role("dialog").get_by_role("button", name="Not now").click()
    expect(page).to_have_url(re.compile(f"/runs/{run}$"))
    page.get_by_role("button", name="More about this run").click()
    page.get_by_role("menuitem", name="Try again").click()
    page.get_by_role("dialog").get_by_role("radio", name="From the start").click()
    page.get_by_role("dialog").get_by_role("button", name="Try again").click()
    expect(page).not_to_have_url(re.compile(run))
    expect(page.get_by_role("heading", name="Write the letter")).to_be_visible()


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_viewer_watches_and_has_no_wheel(browser: Browser, server: Server, api: APIRequestContext):
    run = start_demo(api)["run"]
    with guarded(browser, server) as (context, _):
        page = signed_in_as(context, api, "viewer")
        page.goto(f"/runs/{run['id']}")
        expect(page.locator("article[data-ask]")).to_be_visible()
        expect(page.get_by_text("View only")).to_be_visible()
        for name in ("Pause", "End the run", "Send message"):
            expect(page.get_by_role("button", name=name)).to_have_count(0)


@pytest.mark.slow
def test_on_a_phone_thread_and_results_are_one_tap_apart(phone: Page, api: APIRequestContext):
    run = start_demo(api)["run"]
    phone.goto(f"/runs/{run['id']}")
    expect(phone.locator("article[data-ask]")).to_be_visible()
    expect(phone.get_by_role("region", name="Deliverables")).to_be_hidden()
    phone.get_by_text("Results", exact=True).click()
    expect(phone.get_by_role("region", name="Deliverables")).to_be_visible()
    expect(phone.locator("article[data-ask]")).to_be_hidden()
    assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.slow
def test_on_a_phone_the_list_comes_before_its_filters_and_the_task_before_the_agents(phone: Page, scripted: Scripted):
    scripted.asking("clarification")
    phone.goto("/runs")
    expect(
        phone.get_by_role("main").get_by_role("link", name=re.compile("Waiting for an answer")).first
    ).to_be_visible()
    expect(phone.get_by_label("Status", exact=True)).to_be_hidden()
    phone.get_by_role("button", name="Filters").tap()
    phone.get_by_label("Status", exact=True).select_option("Not ended")
    expect(phone.get_by_role("button", name="Filters (1)")).to_be_visible()
    phone.get_by_role("button", name="Start a run").first.tap()
    dialog = phone.get_by_role("dialog")
    expect(dialog.get_by_label("Task")).to_be_focused()
    dialog.get_by_role("combobox", name="Agent").select_option("Assistant")
    expect(dialog.get_by_role("button", name="Start", exact=True)).to_be_in_viewport()


@pytest.mark.slow
def test_on_a_phone_an_ended_run_opens_with_its_results(phone: Page, scripted: Scripted):
    report = {"name": "report.md", "type": "markdown", "content": REPORT * 30}
    run = scripted.start(says("", call("create_deliverable", report)), finish("The report is written."))
    phone.goto(f"/runs/{run}")
    expect(phone.get_by_role("region", name="Result")).to_contain_text("The report is written.")
    phone.get_by_role("region", name="Deliverables").get_by_role("button", name=re.compile("report.md")).tap()
    dialog = phone.get_by_role("dialog")
    for name in ("Archive", "Copy"):
        expect(dialog.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=1)
    download = dialog.get_by_role("link", name="Download")
    expect(download).to_be_in_viewport(ratio=1)
    assert box(download)["y"] == box(dialog.get_by_role("button", name="Copy", exact=True))["y"]
    assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.slow
def test_a_pdf_is_read_in_place_and_can_be_taken_away(browser: Browser, server: Server, scripted: Scripted):
    pdf = {"name": "letter.pdf", "type": "pdf", "content": base64.b64encode(PDF).decode()}
    run = scripted.start(says("", call("create_deliverable", pdf)), finish("Written"))
    with guarded(browser, server) as (context, guard):
        page = signed_in(context)
        page.goto(f"/runs/{run}")
        # The frame is handed to the browser's own viewer, which is no request to anybody.
        with context.expect_event("request", lambda request: request.url.startswith(VIEWER)):
            page.get_by_role("region", name="Deliverables").get_by_role("button", name=re.compile("letter.pdf")).click()
        guard.outside = [url for url in guard.outside if not url.startswith(VIEWER)]
        dialog = page.get_by_role("dialog")
        expect(dialog.locator("iframe[title='letter.pdf']")).to_be_visible()
        expect(dialog.get_by_role("link", name="Download")).to_be_in_viewport(ratio=1)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)


@pytest.mark.slow
def test_a_long_thread_is_read_with_the_keys_of_a_page(page: Page, server: Server, scripted: Scripted):
    run = scripted.start(finish("The very end"))
    page.goto(f"/runs/{run}")
    expect(status(page, "Completed")).to_be_visible()
    seed_messages(server, run, 300)
    page.reload()
    expect(page.get_by_role("list", name="Transcript").get_by_role("listitem").first).to_be_visible()
    top = "document.getElementById('main').scrollTop"
    page.keyboard.press("PageDown")
    page.wait_for_function(f"{top} > 200")
    page.keyboard.press("End")
    main = "document.getElementById('main')"
    page.wait_for_function(
        f"{main}.scrollTop > 5000 && {main}.scrollHeight - {main}.scrollTop - {main}.clientHeight < 9"
    )
    page.keyboard.press("Home")
    page.wait_for_function(f"{top} === 0")
    page.get_by_role("region", name="Activity").get_by_role("button").click()
    time = page.get_by_role("region", name="Activity").locator("time").first
    expect(time).to_contain_text(re.compile("AM|PM"))
    box = time.bounding_box()
    assert box
    assert box["height"] < 24


@pytest.mark.slow
def test_an_ask_that_is_not_there_leads_to_the_inbox(browser: Browser, server: Server):
    with guarded(browser, server) as (context, guard):
        guard.allowed.append("404")
        page = signed_in(context)
        page.goto("/asks/nowhere")
        expect(page.get_by_role("heading", name="Ask not found")).to_be_visible()
        expect(page.get_by_role("button", name="Try again")).to_have_count(0)
        page.get_by_role("link", name="Go to the inbox").click()
        expect(page).to_have_url(re.compile("/inbox"))
