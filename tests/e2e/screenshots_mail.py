"""The second half of `make screenshots`: a mail, and the pages behind its link, on a phone in light and in dark."""

import tempfile
from pathlib import Path

import httpx
from playwright.sync_api import Page, expect

from tests.channels.mailbox import Mailbox, link_in
from tests.e2e.conftest import TOKEN, running_server
from tests.e2e.screenshots import PHONE, chromium, keep_as, new_context
from tests.e2e.scripted import Scripted, question, scripted_model
from tests.e2e.showcase import SUPPLIERS
from tests.joining import join
from tests.wire import says

BEN = "ben@example.com"
HOW = question("How should the contract be sent?", "choice", options=SUPPLIERS, context="Acme waits for it.")


def main() -> None:
    mailbox = Mailbox()
    with (
        tempfile.TemporaryDirectory() as folder,
        scripted_model() as model,
        running_server(Path(folder), OPENAI_BASE_URL=model.url) as server,
        httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=40) as client,
        chromium() as browser,
    ):
        house = Scripted(client, model)
        # The first run waits with the same title as the one that is taken.
        first = house.get("/api/runs")["items"][0]["id"]
        client.post(f"/api/runs/{first}/cancel", json={})
        join(client, BEN, "approver", "Ben Okafor")
        house.post("/api/channels", {"kind": "email", "name": "Mail", "settings": mailbox.settings})
        context = new_context(browser, server.url, PHONE)
        _shoot(context.new_page(), house, mailbox)
        context.close()
    mailbox.close()


def _shoot(page: Page, house: Scripted, mailbox: Mailbox) -> None:
    house.start(says("", HOW), task="Send the signed contract", name="Office")
    page.goto(link_in(mailbox.wait_for(BEN, "How should the contract be sent?")))
    _keep(page, "answer-question")
    task = "Compare the vendors of agents that ask before they act"
    ask = house.ask(house.post("/api/runs", {"agent": "competitive-analysis", "task": task})["id"])
    mail = mailbox.wait_for(BEN, ask["title"])
    html = mail.get_body(("html",))
    assert html is not None
    page.set_content(html.get_content())
    _keep(page, "mail")
    page.goto(link_in(mail))
    _keep(page, "answer-approval")
    page.get_by_text("Change it, then approve").tap()
    page.get_by_label("path").fill("reports/competitive-analysis.md")
    page.get_by_role("button", name="Review the changes").tap()
    expect(page.get_by_role("table")).to_be_visible()
    _keep(page, "answer-review")
    page.get_by_role("button", name="Approve with these changes").tap()
    expect(page.get_by_role("heading", name="Approved by Ben")).to_be_visible()
    _keep(page, "answer-outcome")


def _keep(page: Page, name: str) -> None:
    """The whole page, however long."""
    usual = PHONE["viewport"]
    long = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": usual["width"], "height": max(long, usual["height"])})
    for look in ("light", "dark"):
        page.emulate_media(color_scheme=look)
        keep_as(page, name, look)
    page.set_viewport_size(usual)


if __name__ == "__main__":
    main()
