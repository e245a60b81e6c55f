"""What is pushed to a browser is shown by its service worker, and the buttons there decide on the server."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from signoff.kit.settings import Settings
from tests.channels.push.push_service import Browser as PushBrowser
from tests.channels.push.push_service import push_service
from tests.e2e.axe import check_light_and_dark
from tests.e2e.conftest import TOKEN, Server, guarded, serving, signed_in
from tests.e2e.scripted import Scripted
from tests.wire import Model

# No push service is behind this browser: the address that one would give it comes from the test.
SUBSCRIBE = """(given) => {
  let now = null;
  PushManager.prototype.getSubscription = async () => now;
  PushManager.prototype.subscribe = async () => (now = { endpoint: given.endpoint, toJSON: () => given });
}"""
SHOWN = """async () => {
  const all = await self.registration.getNotifications();
  return all.map(({ title, body, actions }) => [title, body, actions.map(({ title }) => title)]);
}"""
# A hand on the button. An event that a script made may not wait for anything by itself.
PRESS = """async (action) => {
  const [notification] = await self.registration.getNotifications();
  const event = new NotificationEvent("notificationclick", { notification, action });
  const work = [];
  event.waitUntil = (promise) => work.push(promise);
  self.dispatchEvent(event);
  await Promise.all(work);
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, model: Model) -> Iterator[Server]:
    """One that may reach the push service, which is on this machine."""
    folder = tmp_path_factory.mktemp("push")
    settings = Settings(data=folder / "data", token=TOKEN, demo=False, allow_private_addresses=True)
    with serving(folder, model, settings) as server:
        yield server


@pytest.fixture
def pushed() -> Iterator[PushBrowser]:
    with push_service() as service:
        yield service.browser()


def switch_on(page: Page, pushed: PushBrowser) -> None:
    page.add_init_script(f"({SUBSCRIBE})({json.dumps(pushed.subscription)})")
    page.goto("/settings?section=notifications")
    section = page.get_by_role("region", name="Push in this browser")
    section.get_by_role("button", name="Switch on push").click()
    expect(section.get_by_role("listitem")).to_contain_text("(this one)")
    check_light_and_dark(page)


def leave(page: Page, server: Server) -> Page:
    """Close the app, with nobody before it any more. Another page stays, as a place to stand on."""
    context = page.context
    other = context.new_page()
    page.close()
    answer = context.request.post("/api/me/presence", data={"visible": False}, headers={"Origin": server.url})
    assert answer.ok, answer.text()
    return other


def push_service_of(page: Page, server: Server) -> Callable[[dict[str, Any]], None]:
    """Hands a message to the browser, as its push service would."""
    session = page.context.new_cdp_session(page)
    known: list[str] = []

    def note(event: dict[str, Any]) -> None:
        known.extend(each["registrationId"] for each in event["registrations"] if not each["isDeleted"])

    session.on("ServiceWorker.workerRegistrationUpdated", note)
    session.send("ServiceWorker.enable")

    def deliver(payload: dict[str, Any]) -> None:
        while not known:
            page.wait_for_timeout(50)
        message = {"origin": server.url, "registrationId": known[-1], "data": json.dumps(payload)}
        session.send("ServiceWorker.deliverPushMessage", message)

    return deliver


def shown(context: BrowserContext, words: str) -> list[list[Any]]:
    """The notifications, once one of them says this."""
    worker = context.service_workers[-1]
    for _ in range(200):
        found: list[list[Any]] = worker.evaluate(SHOWN)
        if any(words in f"{title} {body}" for title, body, _ in found):
            return found
        context.pages[0].wait_for_timeout(50)
    raise AssertionError(f"no notification says {words!r}")


def test_an_ask_is_pushed_and_approved_in_the_notification_with_the_app_closed(
    browser: Browser, server: Server, scripted: Scripted, pushed: PushBrowser
) -> None:
    with guarded(browser, server, permissions=["notifications"]) as (context, _):
        page = signed_in(context)
        switch_on(page, pushed)
        deliver = push_service_of(leave(page, server), server)
        ask = scripted.asking("approval")
        pushed.wait_for(1)
        deliver(pushed.opened())
        [[title, body, buttons]] = shown(context, "report.md")
        assert (title, buttons) == ("Approve: Write report.md", ["Approve", "Deny"])
        assert body.startswith("Clerk · Write the letter")
        context.service_workers[-1].evaluate(PRESS, "approve")
        assert scripted.settled(ask)["status"] == "approved"
        ended = shown(context, "Approved by Admin")
        assert ended == [["Approve: Write report.md", "Approved by Admin", []]]
        pushed.wait_for(2)
        deliver(pushed.opened())
        assert shown(context, "Approved by Admin") == ended
