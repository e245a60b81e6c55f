"""What people do, in the words of the pages."""

import time
from contextlib import suppress
from typing import Any

from playwright.sync_api import APIRequestContext, Locator, Page, TimeoutError, expect

DEMO_TASK = "Competitive analysis"
WORK_SECONDS = 75
CLICK_MS = 3_000


def start_demo(api: APIRequestContext) -> dict[str, Any]:
    """A demo run that waits for its first approval."""
    run = checked(api.post("/api/runs", data={"agent": demo_agent(api), "task": DEMO_TASK}))
    return {"run": run, "ask": open_approval(api, run["id"])}


def demo_agent(api: APIRequestContext) -> str:
    """The agent of the run that waits at first start."""
    runs = checked(api.get("/api/runs", params={"limit": 200}))["items"]
    return min(runs, key=lambda run: run["created_at"])["agent"]


def open_approval(api: APIRequestContext, run_id: str) -> dict[str, Any]:
    """Answer questions until the run waits for an approval."""
    until = time.monotonic() + WORK_SECONDS
    while time.monotonic() < until:
        for ask in checked(api.get("/api/asks", params={"run": run_id, "status": "pending"}))["items"]:
            if ask["kind"] == "approval":
                return ask
            checked(api.post(f"/api/asks/{ask['id']}/answer", data={"decision": "respond", "value": some_answer(ask)}))
        time.sleep(0.1)
    raise AssertionError("the run never asked for an approval")


def some_answer(ask: dict[str, Any]) -> Any:
    match ask["response_type"]:
        case "choice":
            first = ask["options"][0]
            return first["value"] if isinstance(first, dict) else first
        case "boolean":
            return True
        case "number":
            return 3
        case _:
            return "Whatever you think best."


def checked(response: Any) -> Any:
    assert response.ok, f"{response.url}: {response.status} {response.text()}"
    return response.json()


def ask_card(page: Page, ask: dict[str, Any]) -> Locator:
    return page.locator(f"article[data-ask='{ask['id']}']")


def work_off(page: Page) -> None:
    """On a run's page: approve and answer whatever it asks until it has completed."""
    until = time.monotonic() + WORK_SECONDS
    completed = page.get_by_role("status", name="Status").get_by_text("Completed")
    while time.monotonic() < until:
        if completed.is_visible():
            return
        # A new ask comes over the page, and stands in the run behind that.
        over = page.get_by_role("dialog").locator("article[data-ask]")
        card = over if over.count() else page.locator("article[data-ask]").first
        if card.count() and card.is_visible():
            # Another ask may come over this one in the middle of it: then that one is next.
            with suppress(TimeoutError):
                _decide(card)
        page.wait_for_timeout(100)
    raise AssertionError(f"the run did not complete: {page.locator('main').inner_text()}")


def _decide(card: Locator) -> None:
    ask_id = card.get_attribute("data-ask")
    approve, send = card.get_by_role("button", name="Approve"), card.get_by_role("button", name="Send answer")
    if approve.count():
        approve.click(timeout=CLICK_MS)
    elif send.count():
        if card.get_by_role("radio").count():
            card.get_by_role("radio").first.click(timeout=CLICK_MS)
        else:
            card.get_by_role("textbox", name="Your answer").fill("Whatever you think best.")
        send.click(timeout=CLICK_MS)
    else:
        card.get_by_role("button", name="Yes").click(timeout=CLICK_MS)
    card.page.get_by_role("button", name="Send now").first.click(timeout=CLICK_MS)
    expect(card.page.locator(f"article[data-ask='{ask_id}']")).to_have_count(0)
