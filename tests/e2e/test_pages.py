"""Dashboard, runs, agents, deliverables, audit and settings."""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import APIRequestContext, Browser, Page, expect

from tests.e2e.axe import check_light_and_dark
from tests.e2e.conftest import Server, guarded, signed_in
from tests.e2e.flows import checked, open_approval, start_demo
from tests.e2e.people import PASSWORD, signed_in_as
from tests.e2e.scripted import Scripted
from tests.wire import call, says

MADE = {
    "prices.csv": ("csv", 'vendor,price\n"Acme, Inc.",1200\nBeta,90\n'),
    "facts.json": ("json", '{"vendor":"Acme","prices":[1,2]}'),
    "change.patch": ("patch", "--- a\n+++ b\n@@ -1 +1 @@\n-old line\n+new line\n"),
    "page.html": ("html", "<h1>Hello</h1><script>parent.document.title='stolen'</script>"),
    "tool.py": ("code", "print('hello')\n"),
    "report.md": ("markdown", "# The report\n\nAll is **well**.\n"),
}


def until(done: Callable[[], Any]) -> Any:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if found := done():
            return found
        time.sleep(0.1)
    raise AssertionError("it did not happen")


@pytest.mark.slow
def test_the_dashboard_leads_to_what_waits(page: Page, api: APIRequestContext):
    demo = start_demo(api)
    page.goto("/")
    waiting = page.get_by_role("region", name="Needs attention").locator(f"a[href*='{demo['ask']['id']}']")
    expect(waiting).to_contain_text("Write competitive-analysis.md")
    check_light_and_dark(page)
    ended = checked(api.post("/api/runs", data={"agent": "assistant", "task": "Ended on the board"}))
    checked(api.post(f"/api/runs/{ended['id']}/cancel"))
    expect(page.get_by_role("region", name="Recent").get_by_text("Ended on the board").first).to_be_visible()
    waiting.click()
    expect(page).to_have_url(re.compile(f"/asks/{demo['ask']['id']}"))


@pytest.mark.slow
def test_the_dashboard_shows_five_asks_and_leads_to_the_rest(page: Page, scripted: Scripted):
    for _ in range(6):
        scripted.asking("text")
    page.goto("/")
    waiting = page.get_by_role("region", name="Needs attention")
    expect(waiting.locator("a[href*='/asks/']")).to_have_count(5)
    expect(page.get_by_role("region", name="Running")).to_be_in_viewport()
    waiting.get_by_role("link", name=re.compile(r"All \d+ in the inbox")).click()
    expect(page).to_have_url(re.compile("/inbox$"))


@pytest.mark.slow
def test_an_empty_dashboard_says_how_to_begin(page: Page):
    # A server without any run would have to be started for this page alone.
    empty: dict[str, Any] = {"needs_attention": [], "running": [], "recent_completed": []}
    page.route("**/api/runs/dashboard", lambda route: route.fulfill(json=empty))
    page.route("**/api/asks?*", lambda route: route.fulfill(json={"items": [], "next_cursor": None, "total": 0}))
    page.goto("/")
    expect(page.get_by_role("heading", name="Welcome to Signoff")).to_be_visible()
    check_light_and_dark(page)
    page.get_by_role("article", name="Competitive analysis").get_by_role("link", name="Start").click()
    expect(page.get_by_role("dialog").get_by_role("radio", name="Competitive analysis")).to_be_checked()
    check_light_and_dark(page)


@pytest.mark.slow
def test_runs_are_found_by_words_status_and_agent(page: Page, api: APIRequestContext):
    run = checked(api.post("/api/runs", data={"agent": "assistant", "task": "Find the white elephant"}))
    open_approval(api, run["id"])
    page.goto("/runs")
    page.get_by_role("textbox", name="Search titles and tasks").fill("white ele")
    rows = page.get_by_role("main").get_by_role("link").filter(has_text="white elephant")
    expect(rows).to_have_count(1)
    expect(page).to_have_url(re.compile("q=white"))
    page.get_by_label("Status").select_option("Ended")
    expect(page.get_by_text("Try removing a filter.")).to_be_visible()
    page.get_by_label("Status").select_option("Waiting for approval")
    page.get_by_label("Agent").select_option("Assistant")
    expect(rows).to_have_count(1)
    check_light_and_dark(page)


def test_an_agent_is_made_changed_compared_and_deleted(page: Page, api: APIRequestContext):
    page.goto("/agents/new")
    page.get_by_role("textbox", name="Name").fill("Invoice clerk")
    expect(page.get_by_role("textbox", name="Slug")).to_have_value("invoice-clerk")
    page.get_by_role("button", name="Create agent").click()
    expect(page.get_by_text("Write it as provider:model").first).to_be_visible()
    page.get_by_role("combobox", name="Model").fill("demo:assistant")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Create agent").click()
    expect(page).to_have_url(re.compile("/agents/invoice-clerk"))
    page.get_by_role("radio", name="Always ask").click()
    page.get_by_role("checkbox", name=re.compile("send_message")).check()
    page.get_by_label("Risk of send_message for this agent").select_option("Always ask")
    page.get_by_role("spinbutton", name="Credits").fill("7")
    expect(page.get_by_text("7 credits or 500 steps")).to_be_visible()
    expect(page.get_by_text("Saving makes revision 2")).to_be_visible()
    page.get_by_role("link", name="Revisions").click()
    page.get_by_role("dialog", name="Leave without saving?").get_by_role("button", name="Stay").click()
    check_light_and_dark(page)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Revision 2 is in use")).to_be_visible()
    saved = checked(api.get("/api/agents/invoice-clerk"))
    assert saved["autonomy"] == "approve_all"
    assert saved["risk_overrides"] == {"send_message": "approval_required"}
    assert saved["limits"]["max_cost_credits"] == 7
    page.get_by_role("link", name="Revisions").click()
    diff = page.get_by_role("textbox", name="Revision 2 compared with the one before")
    expect(diff).to_contain_text("autonomy: approve_all")
    expect(page.locator(".cm-deletedChunk").filter(has_text="approve_high_risk")).to_be_visible()
    check_light_and_dark(page)
    page.get_by_role("button", name="More about Invoice clerk").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page).to_have_url(re.compile("/agents$"))
    expect(page.get_by_role("article", name="Invoice clerk")).to_have_count(0)
    check_light_and_dark(page)


@pytest.fixture(scope="module")
def made(scripted: Scripted) -> str:
    """A run that handed over one thing of each kind, and one of them twice."""
    calls = [call("create_deliverable", {"name": n, "type": t, "content": c}) for n, (t, c) in MADE.items()]
    again = call("create_deliverable", {"name": "report.md", "type": "markdown", "content": "# The second report\n"})
    run = scripted.start(says("", *calls), says("", again), says("", call("complete_task", {"summary": "Made"})))
    until(lambda: scripted.get(f"/api/runs/{run}")["ended_at"])
    return run


@pytest.mark.slow
def test_every_deliverable_has_its_preview(page: Page, made: str):
    page.goto("/deliverables")
    dialog = page.get_by_role("dialog")

    def look(name: str) -> None:
        page.get_by_role("button", name=re.compile(f"^{re.escape(name)}")).first.click()
        expect(dialog.get_by_role("link", name="Download")).to_be_visible()

    look("prices.csv")
    expect(dialog.get_by_role("cell", name="Acme, Inc.")).to_be_visible()
    check_light_and_dark(page)
    page.keyboard.press("Escape")
    look("facts.json")
    expect(dialog.get_by_text('"vendor": "Acme"')).to_be_visible()
    page.keyboard.press("Escape")
    look("change.patch")
    expect(dialog.locator("[data-line=added]")).to_have_text(re.compile("new line"))
    page.keyboard.press("Escape")
    look("tool.py")
    expect(dialog.get_by_text("print('hello')")).to_be_visible()
    page.keyboard.press("Escape")
    look("report.md")
    expect(dialog.get_by_role("heading", name="The second report")).to_be_visible()
    dialog.get_by_label("Version").select_option("Version 1")
    expect(dialog.get_by_role("heading", name="The report", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_label("Type").select_option("CSV")
    expect(page).to_have_url(re.compile("type=csv"))
    expect(page.get_by_role("button", name=re.compile("^report.md"))).to_have_count(0)
    check_light_and_dark(page)


@pytest.mark.slow
def test_a_deliverable_says_which_run_made_it_and_has_an_address(page: Page, made: str):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/deliverables")
    page.get_by_role("button", name=re.compile(r"^report\.md")).first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Markdown")
    expect(dialog.get_by_role("link", name="Write the letter")).to_have_attribute("href", f"/runs/{made}")
    dialog.get_by_role("link", name="All of this run").click()
    expect(page.get_by_role("link", name="All as ZIP")).to_have_attribute("href", re.compile(made))
    expect(page.get_by_role("main").get_by_role("link", name="Write the letter")).to_have_count(1)
    page.get_by_role("button", name="Copy link to report.md").click()
    expect(page.get_by_text("Link copied.")).to_be_visible()
    page.goto(page.evaluate("navigator.clipboard.readText()"))
    expect(dialog.get_by_role("heading", name="The second report")).to_be_visible()


def test_a_page_that_an_agent_made_cannot_act(browser: Browser, server: Server, made: str):
    with guarded(browser, server) as (context, guard):
        # The browser says that it kept the script from running.
        guard.allowed.append("Blocked script|sandboxed|Content Security Policy")
        page = signed_in(context)
        page.goto("/deliverables?type=html")
        page.get_by_role("button", name=re.compile("^page.html")).click()
        frame = page.get_by_role("dialog").locator("iframe")
        expect(frame).to_have_attribute("sandbox", "")
        expect(frame.content_frame.get_by_role("heading", name="Hello")).to_be_visible()
        assert "stolen" not in page.title()


@pytest.mark.slow
def test_a_link_to_a_deliverable_that_is_gone_says_so(browser: Browser, server: Server):
    with guarded(browser, server) as (context, guard):
        guard.allowed.append("404")
        page = signed_in(context)
        page.goto("/deliverables?view=gone")
        expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("Couldn't open")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.slow
def test_all_of_a_run_comes_as_one_zip(page: Page, made: str):
    page.goto(f"/runs/{made}")
    link = page.get_by_role("link", name="All as ZIP")
    with page.expect_download() as download:
        link.click()
    assert download.value.suggested_filename.endswith(".zip")


def test_the_record_is_filtered_verified_and_exported(page: Page, api: APIRequestContext):
    checked(api.post("/api/members", data={"email": "seen@example.com", "name": "Seen", "role": "viewer"}))
    page.goto("/audit")
    expect(page.get_by_role("button", name=re.compile(r"Verified: [\d,]+ entries unchanged"))).to_be_visible()
    page.get_by_label("Did what").select_option("Added a member")
    entries = page.get_by_role("button", name=re.compile("added a member"))
    expect(entries.first).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("signed in"))).to_have_count(0)
    entries.first.click()
    expect(page.get_by_text("Previous", exact=True)).to_be_visible()
    check_light_and_dark(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Export").click()
    assert "member.added" in download.value.path().read_text()


@pytest.mark.slow
def test_members_groups_and_tokens_are_managed(page: Page, server: Server):
    page.goto("/settings?section=members")
    # Of `SIGNOFF_TOKEN` nothing can be changed, so nothing is offered.
    fixed = page.get_by_role("row").filter(has_text="signoff-token@localhost")
    expect(fixed).to_contain_text("Admin")
    expect(fixed.get_by_role("button").or_(fixed.get_by_role("combobox"))).to_have_count(0)
    page.get_by_role("button", name="Invite a member").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Grace Hopper")
    dialog.get_by_label("Email").fill("grace@example.com")
    dialog.get_by_role("button", name="Invite").click()
    expect(dialog).to_contain_text("/sign-in?token=inv_")
    dialog.get_by_role("button", name="Done").click()
    expect(page.get_by_role("row").filter(has_text="Grace Hopper").first).to_contain_text("invited")
    role = page.get_by_label("Role of Grace Hopper")
    role.select_option("Approver")
    expect(page.get_by_text("Grace Hopper is approver now.")).to_be_visible()
    expect(role).to_have_value("approver")
    check_light_and_dark(page)
    page.get_by_role("link", name="Groups").click()
    page.get_by_role("button", name="New group").click()
    dialog.get_by_label("Name").fill("finance")
    dialog.get_by_role("checkbox", name=re.compile("Grace")).check()
    dialog.get_by_role("button", name="Create group").click()
    expect(page.get_by_role("row").filter(has_text="finance")).to_contain_text("Grace Hopper")
    check_light_and_dark(page)
    page.get_by_role("link", name="API tokens").click()
    page.get_by_role("button", name="New token").click()
    dialog.get_by_label("Name").fill("nightly")
    dialog.get_by_role("button", name="Create token").click()
    secret = dialog.get_by_test_id("secret").inner_text()
    headers = {"Authorization": f"Bearer {secret}"}
    assert page.request.get(f"{server.url}/api/me", headers=headers).ok
    dialog.get_by_role("button", name="Done").click()
    row = page.get_by_role("row").filter(has_text="nightly")
    check_light_and_dark(page)
    row.get_by_role("button", name="Revoke").click()
    dialog.get_by_role("button", name="Revoke").click()
    expect(row).to_have_count(0)
    assert page.request.get(f"{server.url}/api/me", headers=headers).status == 401


@pytest.mark.slow
def test_a_person_sets_password_and_how_they_are_notified(page: Page):
    page.context.grant_permissions(["notifications"])
    page.goto("/settings")
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_label("Repeat password").fill("another horse")
    expect(page.get_by_text("The passwords don't match.")).to_be_visible()
    expect(page.get_by_role("button", name="Set password")).to_be_disabled()
    page.get_by_label("Repeat password").fill(PASSWORD)
    page.get_by_role("button", name="Set password").click()
    expect(page.get_by_text("Your password is set.", exact=False)).to_be_visible()
    check_light_and_dark(page)
    page.get_by_role("link", name="Notifications").click()
    expect(page.get_by_text("There is no channel yet that can reach you elsewhere.")).to_be_visible()
    # The browser is asked first, so it is not on at once.
    page.get_by_role("switch", name="Pop-ups while Signoff is open").click()
    expect(page.get_by_role("switch", name="Pop-ups while Signoff is open")).to_be_checked()
    page.get_by_role("switch", name="Quiet hours").check()
    page.get_by_label("From").fill("21:30")
    page.get_by_label("Time zone").select_option("Europe/Lisbon")
    check_light_and_dark(page)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    saved = checked(page.request.get("/api/me/preferences"))
    assert saved["browser_notifications"] is True
    hours = {"start": "21:30", "end": "07:00", "timezone": "Europe/Lisbon", "even_urgent": False}
    assert saved["quiet_hours"] == hours


@pytest.mark.slow
def test_a_viewer_is_told_what_needs_another_role(browser: Browser, server: Server, api: APIRequestContext):
    with guarded(browser, server) as (context, _):
        page = signed_in_as(context, api, "viewer")
        for path in ("/", "/runs", "/agents"):
            page.goto(path)
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            expect(page.get_by_role("button", name="Start a run")).to_have_count(0)
            expect(page.get_by_role("link", name=re.compile("^(Start|New agent)"))).to_have_count(0)
        page.keyboard.press("Control+k")
        page.get_by_role("combobox", name="Command").fill("start")
        expect(page.get_by_role("option", name=re.compile("^Start "))).to_have_count(0)
        page.goto("/agents/assistant")
        expect(page.get_by_text("Only an admin can change agents.")).to_be_visible()
        expect(page.get_by_role("textbox", name="Instructions")).to_be_disabled()
        page.goto("/settings?section=members")
        expect(page.get_by_text("Only an admin can add people")).to_be_visible()
        page.goto("/settings?section=tokens")
        expect(page.get_by_text("Only a member can use API tokens.")).to_be_visible()
        page.goto("/audit")
        expect(page.get_by_role("link", name="Export")).to_have_attribute("aria-disabled", "true")


@pytest.mark.slow
def test_nothing_is_wider_than_a_phone(phone: Page, made: str, scripted: Scripted):
    ask = scripted.asking("approval")
    of_the_ask = (f"/asks/{ask['id']}", f"/runs/{ask['run_id']}", "/inbox", "/runs")
    for path in (
        *("/", "/runs?start=any", "/agents", "/agents/assistant", "/deliverables", "/audit", "/settings"),
        *of_the_ask,
    ):
        phone.goto(path)
        expect(phone.get_by_role("main")).to_be_visible()
        expect(phone.get_by_role("heading").first).to_be_visible()
        phone.wait_for_timeout(250)
        assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path
