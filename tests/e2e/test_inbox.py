"""The inbox: found, filtered and worked off, by keyboard, on a phone, and with ten thousand asks."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.axe import check_light_and_dark
from tests.e2e.conftest import Server, guarded, signed_in
from tests.e2e.scripted import Scripted, question, write
from tests.wire import says

MANY = 10_000
# Brotli. Each page that the sidebar can lead to takes a little: its name, its picture and its address.
FIRST_LOAD = 264 * 1024


@pytest.fixture(autouse=True)
def empty(scripted: Scripted) -> None:
    scripted.clear()


def rows(page: Page):
    return page.get_by_role("region", name="Open asks").get_by_role("listitem")


def walk_to(page: Page, name: str) -> None:
    """Tab until what has this name has the focus."""
    for _ in range(40):
        words = "document.activeElement.ariaLabel || document.activeElement.textContent"
        if re.search(name, page.evaluate(words) or ""):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no key leads to {name}")


@pytest.mark.slow
def test_an_empty_inbox_says_what_will_appear(page: Page):
    page.goto("/inbox")
    expect(page.get_by_role("heading", name="You're all caught up")).to_be_visible()
    expect(page.get_by_text("New asks appear here right away.")).to_be_visible()
    check_light_and_dark(page)


def test_a_whole_inbox_is_worked_off_with_the_keyboard_alone(page: Page, scripted: Scripted):
    asks = [
        scripted.ask(scripted.start(says("", each)))
        for each in (
            write("approve.md"),
            write("deny.md"),
            write("edit.md"),
            question("Which paper?", "choice", options=["white", "grey"]),
            write("batch-1.md"),
            write("batch-2.md"),
        )
    ]
    page.goto("/inbox")
    expect(rows(page)).to_have_count(6)
    page.keyboard.press("a")
    expect(page.get_by_role("heading", name="Write deny.md")).to_be_focused()
    page.keyboard.press("d")
    expect(page.get_by_role("textbox", name="Why?")).to_be_focused()
    page.keyboard.type("Not now.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Write edit.md")).to_be_visible()
    page.keyboard.press("e")
    expect(page.get_by_role("textbox", name="Path")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("edited.md")
    expect(page.get_by_role("button", name="Approve with changes")).to_be_enabled()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Which paper?")).to_be_visible()
    page.keyboard.press("Enter")
    walk_to(page, "white")
    page.keyboard.press("Space")
    walk_to(page, "Send answer")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Write batch-1.md")).to_be_visible()
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.get_by_role("toolbar", name="Selected asks")).to_contain_text("2 selected")
    page.keyboard.press("a")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Approve 2 asks")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Approved 2:")).to_be_visible()
    expect(page.get_by_role("heading", name="You're all caught up")).to_be_visible()
    settled = [scripted.settled(ask) for ask in asks]
    assert [ask["status"] for ask in settled] == ["approved", "denied", "approved", "answered", "approved", "approved"]
    assert settled[1]["answer"]["note"] == "Not now."
    assert settled[2]["answer"]["arguments"]["path"] == "edited.md"


@pytest.mark.slow
def test_filters_and_search_are_requests(page: Page, scripted: Scripted):
    scripted.asking("plan")
    scripted.asking("approval")
    scripted.asking("text")
    page.goto("/inbox")
    expect(rows(page)).to_have_count(3)
    page.get_by_role("button", name="Filters").click()
    with page.expect_request(re.compile(r"/api/asks\?.*kind=plan")):
        page.get_by_label("Kind").select_option("plan")
    expect(rows(page)).to_have_count(1)
    check_light_and_dark(page)
    page.get_by_role("button", name="Clear").click()
    expect(rows(page)).to_have_count(3)
    page.keyboard.press("/")
    with page.expect_request(re.compile(r"/api/asks\?.*q=sign")):
        page.keyboard.type("sign the letter")
    expect(rows(page)).to_have_count(1)
    page.get_by_role("textbox", name="Search the inbox").fill("nothing like it")
    expect(page.get_by_text("No matches. Try removing a filter.")).to_be_visible()
    page.get_by_role("button", name="Clear").click()
    with page.expect_request(re.compile(r"/api/asks\?.*sort=risk")):
        page.get_by_label("Order").select_option("risk")
    expect(rows(page).first).to_contain_text("Plan of 3 steps")


@pytest.mark.slow
def test_alike_asks_are_seen_and_answered_together(page: Page, scripted: Scripted):
    asks = [scripted.ask(scripted.start(says("", question("Which day suits?", "text")))) for _ in range(3)]
    page.goto("/inbox")
    expect(rows(page)).to_have_count(3)
    page.get_by_role("button", name="Filters").click()
    page.get_by_role("checkbox", name="Group similar").check()
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_text("Grouped because they ask the same question.")).to_be_visible()
    page.get_by_role("checkbox", name="Leave out Which day suits?").last.click()
    expect(page.get_by_text("Your answer goes to the other 2. 1 stays open.")).to_be_visible()
    page.get_by_role("textbox", name="Your answer").fill("Monday")
    page.keyboard.press("Control+Enter")
    page.get_by_role("button", name="Send now").first.click()
    expect(page.get_by_text("2 answered.")).to_be_visible()
    answers = [scripted.get(f"/api/asks/{ask['id']}")["answer"] for ask in asks]
    assert [answer and answer["value"] for answer in answers] == ["Monday", "Monday", None]


@pytest.mark.slow
def test_an_answer_to_alike_questions_is_taken_back_as_a_whole(page: Page, scripted: Scripted):
    asks = [scripted.ask(scripted.start(says("", question("Which week suits?", "text")))) for _ in range(3)]
    page.add_init_script("localStorage.setItem('signoff.undo-seconds', '2')")
    page.goto(f"/asks/{asks[0]['id']}")
    page.get_by_role("checkbox", name="Give the same answer to the 2 other similar questions").check()
    page.get_by_role("textbox", name="Your answer").fill("The second")
    page.keyboard.press("Control+Enter")
    expect(rows(page)).to_have_count(0)
    page.keyboard.press("z")
    expect(rows(page)).to_have_count(3)
    expect(page.get_by_role("textbox", name="Your answer")).to_have_value("The second")
    page.wait_for_timeout(2_500)
    assert {scripted.get(f"/api/asks/{ask['id']}")["status"] for ask in asks} == {"pending"}


def test_the_ask_under_the_hand_stays_when_somebody_else_settles_it(page: Page, scripted: Scripted):
    first, second = scripted.asking("text"), scripted.asking("approval")
    page.goto("/inbox")
    expect(rows(page)).to_have_count(2)
    expect(page.get_by_role("heading", name=first["title"])).to_be_visible()
    scripted.post(f"/api/asks/{first['id']}/answer", {"decision": "respond", "value": "Ana"})
    expect(rows(page)).to_have_count(1)
    expect(page.locator(f"article[data-ask='{first['id']}']")).to_contain_text("Answered by")
    page.keyboard.press("a")
    page.wait_for_timeout(300)
    expect(page.get_by_role("region", name="Decisions on their way")).to_have_count(0)
    page.keyboard.press("j")
    expect(page.get_by_role("heading", name=second["title"])).to_be_visible()


@pytest.mark.slow
def test_rows_that_are_ticked_one_by_one_are_decided_together(page: Page, scripted: Scripted):
    names = ("one.md", "two.md", "three.md")
    for name in names:
        scripted.ask(scripted.start(says("", write(name))))
    page.goto("/inbox")
    expect(rows(page)).to_have_count(3)
    for name in names:
        rows(page).filter(has_text=name).hover()
        page.get_by_role("checkbox", name=f"Select Write {name}").click()
    bar = page.get_by_role("toolbar", name="Selected asks")
    expect(bar).to_contain_text("3 selected")
    bar.get_by_role("button", name="Approve").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("listitem")).to_have_count(3)
    expect(dialog.get_by_role("button", name="Approve 3 asks")).to_be_focused()


@pytest.mark.slow
def test_the_palette_and_the_help_open_by_key(page: Page, scripted: Scripted):
    scripted.asking("approval")
    page.goto("/runs")
    expect(page.get_by_role("heading", name="Runs")).to_be_visible()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("option", name="Answer the next ask")).to_be_visible()
    check_light_and_dark(page)
    page.keyboard.type("inb")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/inbox$"))
    page.keyboard.press("?")
    expect(page.get_by_role("dialog").get_by_text("Undo the last decision")).to_be_visible()
    check_light_and_dark(page)


@pytest.mark.slow
def test_the_count_stands_in_the_navigation_the_title_and_the_icon(page: Page, scripted: Scripted):
    page.goto("/inbox")
    expect(page).to_have_title("Inbox · Signoff")
    scripted.asking("approval")
    expect(page).to_have_title("(1) Inbox · Signoff")
    expect(page.get_by_role("link", name="Inbox 1 open").first).to_be_visible()
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("^data:image/svg"))


def test_on_a_phone_the_list_leads_to_the_ask_and_back(phone: Page, scripted: Scripted):
    scripted.asking("plan")
    phone.goto("/inbox")
    expect(rows(phone)).to_have_count(1)
    check_light_and_dark(phone)
    rows(phone).first.get_by_role("link").tap()
    expect(phone.get_by_role("button", name="Approve all 3 steps")).to_be_visible()
    check_light_and_dark(phone)
    phone.get_by_role("button", name="Inbox").tap()
    expect(rows(phone)).to_have_count(1)
    phone.get_by_role("button", name="More").tap()
    phone.get_by_role("menuitem", name="Rules").tap()
    expect(phone).to_have_url(re.compile("/rules"))


def test_the_first_load_of_the_inbox_is_small(browser: Browser, server: Server, scripted: Scripted):
    scripted.asking("approval")
    with guarded(browser, server, service_workers="block") as (context, _):
        page = signed_in(context)
        page.goto("/inbox")
        expect(page.get_by_role("button", name="Approve")).to_be_visible()
        page.wait_for_load_state("load")
        sizes: list[tuple[str, int]] = page.evaluate(
            "performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => [name, encodedBodySize])"
        )
        # The parser of marked text comes afterwards, and only where a text has marks: until then it stands as written.
        own = {name: size for name, size in sizes if "/api/" not in name and "/markdown-" not in name}
        assert sum(own.values()) < FIRST_LOAD, own


@pytest.fixture
def many(server: Server, scripted: Scripted) -> Iterator[None]:
    """Ten thousand open asks, put straight into the database."""
    pattern = scripted.asking("approval")["id"]
    with closing(sqlite3.connect(server.folder / "data/signoff.db", timeout=30)) as database:
        names = [row[1] for row in database.execute("PRAGMA table_info(asks)")]
        row = dict(zip(names, database.execute("SELECT * FROM asks WHERE id = ?", (pattern,)).fetchone(), strict=True))
        row |= {"run_id": None, "call_id": None}
        made = (row | {"id": f"0-many-{number:05}", "title": f"Pay invoice {number}"} for number in range(MANY))
        marks = ", ".join(f":{name}" for name in names)
        with database:
            database.executemany(f"INSERT INTO asks VALUES ({marks})", made)
        yield
        with database:
            database.execute("DELETE FROM asks WHERE id LIKE '0-many-%'")


@pytest.mark.slow
@pytest.mark.usefixtures("many")
def test_ten_thousand_asks_cost_no_more_than_a_screen(page: Page):
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url) if "/api/" in request.url else None)
    page.goto("/inbox")
    expect(page.get_by_role("link", name=re.compile("Pay invoice 0 "))).to_be_visible()
    # What was asked for before the stream of events opened is asked for once more: that is no matter of how many wait.
    read = {url for url in requests if "/api/events" not in url}
    # One each: who reads, the list, its counts, the bell, who is away, and the first ask with its conversation.
    assert len(read) <= 7, read
    most = 0
    box = page.locator("section[aria-label='Open asks'] ol").locator("..")
    for row in (100, 400, 800, 1200, 1600, 2000):
        wanted = page.get_by_role("link", name=re.compile(rf"Pay invoice {row} "))
        for _ in range(100):
            box.evaluate("(element, top) => element.scrollTop = top", row * 62)
            most = max(most, rows(page).count())
            if wanted.count():
                break
            page.wait_for_timeout(50)
        expect(wanted).to_be_visible()
    assert most < 200
    with page.expect_request(re.compile("q=invoice")):
        page.get_by_role("textbox", name="Search the inbox").fill("invoice 9999")
    expect(rows(page)).to_have_count(1)


@pytest.mark.slow
@pytest.mark.usefixtures("many")
def test_a_step_from_an_ask_far_down_goes_to_its_neighbour_and_leaves_no_trail(page: Page):
    page.goto("/runs")
    page.goto("/asks/0-many-00120")
    expect(page.get_by_role("heading", name="Pay invoice 120")).to_be_visible()
    page.keyboard.press("j")
    expect(page.get_by_role("heading", name="Pay invoice 121")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("Pay invoice 121 "))).to_be_in_viewport()
    page.keyboard.press("k")
    page.keyboard.press("k")
    expect(page.get_by_role("heading", name="Pay invoice 119")).to_be_visible()
    page.keyboard.press("x")
    expect(page.get_by_role("button", name="Select all 250 loaded")).to_be_visible()
    page.go_back()
    expect(page).to_have_url(re.compile("/runs$"))


@pytest.mark.slow
def test_a_denial_taken_back_is_written_on(page: Page, scripted: Scripted):
    ask = scripted.ask(scripted.start(says("", write("a.md"))))
    scripted.ask(scripted.start(says("", write("b.md"))))
    page.goto(f"/asks/{ask['id']}")
    expect(page.get_by_role("heading", name="Write a.md")).to_be_visible()
    page.keyboard.press("d")
    reason = page.get_by_role("textbox", name="Why?")
    expect(reason).to_be_focused()
    page.keyboard.type("Wrong month")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Write b.md")).to_be_focused()
    page.keyboard.press("z")
    expect(reason).to_be_focused()
    page.keyboard.type(", take May")
    expect(reason).to_have_value("Wrong month, take May")


@pytest.mark.slow
def test_on_a_phone_a_decision_leads_to_the_next_ask(phone: Page, scripted: Scripted):
    for name in ("a.md", "b.md"):
        scripted.ask(scripted.start(says("", write(name))))
    phone.goto("/inbox")
    rows(phone).first.get_by_role("link").tap()
    phone.get_by_role("button", name="Approve").tap()
    expect(phone.get_by_role("heading", name="Write b.md")).to_be_visible()
    phone.get_by_role("button", name="Approve").tap()
    expect(phone.get_by_text("New asks appear here right away.")).to_be_visible()


@pytest.mark.slow
def test_the_inbox_opens_as_somebody_left_it(page: Page, scripted: Scripted):
    scripted.asking("plan")
    scripted.asking("approval")
    page.goto("/inbox")
    page.get_by_role("combobox", name="Order").select_option("newest")
    page.get_by_role("button", name="Filters").click()
    page.get_by_label("Kind").select_option("plan")
    expect(rows(page)).to_have_count(1)
    page.goto("/runs")
    page.get_by_role("link", name="Inbox").first.click()
    expect(page).to_have_url(re.compile("kind=plan"))
    expect(rows(page)).to_have_count(1)
    page.get_by_role("button", name="Clear").click()
    expect(rows(page)).to_have_count(2)
    page.goto("/inbox")
    expect(page).to_have_url(re.compile(r"/inbox\?sort=newest$"))


@pytest.mark.slow
@pytest.mark.usefixtures("many")
def test_a_long_list_says_when_it_cannot_go_on_and_stays_where_somebody_reads(
    browser: Browser, server: Server, scripted: Scripted
):
    with guarded(browser, server) as (context, guard):
        guard.allowed.append("403")
        page = signed_in(context)
        page.route(re.compile("cursor="), lambda route: route.fulfill(status=403, json={"detail": "Not now."}), times=1)
        page.goto("/inbox")
        box = page.locator("section[aria-label='Open asks'] ol").locator("..")
        scroll = "(element, top) => element.scrollTop = top"
        expect(page.get_by_role("link", name=re.compile("Pay invoice 0 "))).to_be_visible()
        box.evaluate(scroll, 49 * 62)
        page.get_by_role("alert").get_by_role("button", name="Try again").click()
        expect(page.get_by_role("link", name=re.compile("Pay invoice 50 "))).to_be_visible()
        box.evaluate(scroll, 100 * 62)
        expect(page.get_by_role("link", name=re.compile("Pay invoice 100 "))).to_be_visible()
        scripted.post("/api/asks/0-many-00003/answer", {"decision": "deny"})
        expect(page.get_by_role("heading", name="Inbox").locator("..")).to_contain_text("9,999")
        page.wait_for_timeout(500)
        assert box.evaluate("element => element.scrollTop") == 100 * 62
