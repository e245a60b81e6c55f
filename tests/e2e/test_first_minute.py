"""How many clicks a newcomer needs.

Counted is every real click in the page, as the browser reports it, from the moment the printed sign-in link was opened.
Opening the link is not counted: it signs in by itself and leads to the inbox. No key is pressed.

- To the approved request, at most two. On a computer it is one, since the first ask stands open beside the list; on a
  phone the ask is opened first. The decision goes out by itself a few seconds later: nobody has to click "Send now".
- To a deliverable, at most two more: by the navigation on a computer, by the dashboard on a phone. This is pricing.csv,
  which the demo run hands over before it asks for anything.
  The report comes only after another question and another approval; the way there is in test_web.py, and not counted.
"""

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.conftest import PHONE, TOKEN, Server, guarded

COUNTING = """
addEventListener("click", (event) => {
  if (event.isTrusted) localStorage.setItem("clicks", Number(localStorage.getItem("clicks")) + 1);
}, true);
"""


def arrive(context: BrowserContext, server: Server) -> Page:
    """Open the printed link; the demo request waits."""
    context.add_init_script(COUNTING)
    page = context.new_page()
    page.goto(server.link)
    expect(page).to_have_url(f"{server.url}/inbox")
    expect(page.get_by_text("Write competitive-analysis.md").first).to_be_visible()
    return page


def clicks(page: Page) -> int:
    return page.evaluate("Number(localStorage.getItem('clicks'))")


def demo_ask(server: Server) -> dict[str, str]:
    """The first request of the demo run, as the server knows it; seen from outside, so it costs no click."""
    with httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=40) as client:
        asks = client.get("/api/asks", params={"limit": 200}).json()["items"]
        first = min(asks, key=lambda ask: ask["created_at"])
        return client.get(f"/api/asks/{first['id']}", params={"wait": 30}).json()


def test_from_the_link_to_the_approved_request_and_to_a_deliverable(browser: Browser, fresh_server: Server):
    with guarded(browser, fresh_server) as (context, _):
        page = arrive(context, fresh_server)
        assert clicks(page) == 0
        page.locator("article[data-ask]").get_by_role("button", name="Approve").click()
        settled = demo_ask(fresh_server)
        assert (settled["kind"], settled["status"]) == ("approval", "approved")
        approved = clicks(page)
        assert 0 < approved <= 2
        page.get_by_role("navigation", name="Main", exact=True).get_by_role("link", name="Deliverables").click()
        page.get_by_role("main").get_by_role("button", name="pricing.csv").first.click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("Northwind")
        expect(dialog.get_by_role("link", name="Download")).to_be_visible()
        assert approved < clicks(page) <= approved + 2


@pytest.mark.slow
def test_from_the_link_to_the_approved_request_and_to_a_deliverable_on_a_phone(browser: Browser, fresh_server: Server):
    with guarded(browser, fresh_server, **PHONE) as (context, _):
        page = arrive(context, fresh_server)
        asks = page.get_by_role("region", name="Open asks").get_by_role("link")
        asks.filter(has_text="Write competitive-analysis.md").first.tap()
        page.locator("article[data-ask]").get_by_role("button", name="Approve").tap()
        assert demo_ask(fresh_server)["status"] == "approved"
        approved = clicks(page)
        assert 0 < approved <= 2
        page.get_by_role("link", name="Dashboard").tap()
        page.get_by_role("region", name="New deliverables").get_by_role("link", name="pricing.csv").tap()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("Northwind")
        expect(dialog.get_by_role("link", name="Download")).to_be_in_viewport(ratio=1)
        assert approved < clicks(page) <= approved + 2
