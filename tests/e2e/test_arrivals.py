"""A new ask reaches whoever has the page open: over the run, as a toast, as a notification."""

from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import check_light_and_dark
from tests.e2e.flows import ask_card
from tests.e2e.scripted import ASKING, Scripted, question, write
from tests.wire import call, says

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
WANTED = """
fetch("/api/me/preferences")
  .then((answer) => answer.json())
  .then((before) =>
    fetch("/api/me/preferences", {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...before, browser_notifications: true }),
    }),
  )
  .then(({ status }) => status)
"""
HIDE = """
Object.defineProperty(document, "hidden", { value: true, configurable: true });
document.dispatchEvent(new Event("visibilitychange"));
"""


def test_a_blocking_ask_of_the_run_on_screen_opens_over_it(page: Page, scripted: Scripted):
    run = scripted.start(says("", question("Which colour?", "text")), says("", *ASKING["boolean"]))
    # Before the page is open, else the first may open over it, and would stay when it is settled.
    first = scripted.ask(run)
    page.goto(f"/runs/{run}")
    expect(page.get_by_role("status").get_by_text("Live").first).to_be_visible()
    scripted.post(f"/api/asks/{first['id']}/answer", {"decision": "respond", "value": "blue"})
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Include the figures of last year?")).to_be_visible()
    expect(page.locator("article[data-ask]")).to_have_count(1)
    check_light_and_dark(page)
    expect(dialog.get_by_text("Question for this run")).to_be_focused()
    dialog.get_by_role("button", name="Yes").click()
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Send now").first.click()


@pytest.mark.slow
def test_the_keys_of_an_ask_work_over_its_run_and_in_it(page: Page, scripted: Scripted):
    run = scripted.start(*(says("", write(f"{name}.md")) for name in ("first", "second", "third")))
    first = scripted.ask(run)
    page.goto(f"/runs/{run}")
    expect(ask_card(page, first).locator("[aria-keyshortcuts=D]")).to_be_visible()
    page.keyboard.press("d")
    expect(page.get_by_role("textbox", name="Why?")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    page.get_by_role("button", name="Send now").first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("[aria-keyshortcuts=A]")).to_be_visible()
    # However much there is to read, what decides it is in sight.
    page.set_viewport_size({"width": 1440, "height": 500})
    expect(dialog.locator("[aria-keyshortcuts=A]")).to_be_in_viewport()
    page.keyboard.press("e")
    path = dialog.get_by_role("textbox", name="Path")
    expect(path).to_be_focused()
    page.keyboard.press("Escape")
    expect(path).to_have_count(0)
    page.keyboard.press("a")
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Send now").first.click()
    assert scripted.settled(first)["status"] == "approved"
    expect(dialog.get_by_role("heading", name="Write third.md")).to_be_visible()


@pytest.mark.slow
def test_elsewhere_a_new_ask_comes_as_a_toast(page: Page, scripted: Scripted):
    page.goto("/agents")
    expect(page.get_by_role("status").get_by_text("Live").first).to_be_visible()
    ask = scripted.ask(scripted.start(says("", call("request_review", {"phase": "print", "summary": "Done."}))))
    toast = page.get_by_role("alert").filter(has_text="Review: print")
    toast.get_by_role("button", name="Open").click()
    expect(ask_card(page, ask)).to_be_visible()


def test_in_the_background_a_new_ask_comes_as_a_notification_that_leads_to_it(page: Page, scripted: Scripted):
    page.add_init_script(SHOWN_NOTIFICATIONS)
    page.goto("/agents")
    # Theirs who are signed in here, not the script's.
    assert page.evaluate(WANTED) == 200
    expect(page.get_by_role("status").get_by_text("Live").first).to_be_visible()
    page.evaluate(HIDE)
    hiding = "inv\u202etxt.exe"
    ask = scripted.ask(scripted.start(says("", call("write_file", {"path": hiding, "content": "a"}))))
    assert hiding in ask["title"]
    assert page.evaluate(FIRST_NOTIFICATION) == ask["title"].replace("\u202e", "\\u202e")
    page.evaluate("window.notified[0].onclick()")
    page.wait_for_url(f"**/asks/{ask['id']}")
    expect(ask_card(page, ask)).to_be_visible()


@pytest.mark.slow
def test_toasts_leave_the_title_free_and_stay_as_long_as_their_ask(page: Page, scripted: Scripted):
    page.goto("/agents")
    expect(page.get_by_role("status").get_by_text("Live").first).to_be_visible()
    made = call("create_deliverable", {"name": "report.md", "type": "markdown", "content": "# Report\n"})
    ask = scripted.ask(scripted.start(says("", made), says("", write("a.md"))))
    handed = page.get_by_role("alert").filter(has_text="New deliverable")
    waiting = page.get_by_role("alert").filter(has_text=ask["title"])
    expect(waiting).to_be_visible()
    title = page.get_by_role("heading", level=1).bounding_box()
    boxes = [handed.bounding_box(), waiting.bounding_box(), title]
    assert all(boxes)
    sides = sorted((box["y"], box["y"] + box["height"]) for box in boxes if box)
    assert all(upper[1] <= lower[0] for upper, lower in pairwise(sides))
    handed.get_by_role("link", name="report.md").click()
    expect(page.get_by_role("heading", name="Report", exact=True)).to_be_visible()
    scripted.post(f"/api/asks/{ask['id']}/answer", {"decision": "deny"})
    expect(waiting).to_have_count(0)
