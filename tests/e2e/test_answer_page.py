"""Who gets a mail decides on the phone, behind its link, without ever signing in."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from signoff.kit.ids import new_id
from tests.channels.mailbox import Mailbox, link_in
from tests.e2e.axe import COLOURS, RULES, check_accessible
from tests.e2e.conftest import Server, guarded
from tests.e2e.scripted import Scripted, write
from tests.house import until
from tests.joining import join
from tests.wire import says

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


@pytest.fixture
def mailbox(scripted: Scripted) -> Iterator[Mailbox]:
    """A mail server, and the channel that leads to it."""
    mailbox = Mailbox()
    channel = scripted.post("/api/channels", {"kind": "email", "name": "Mail", "settings": mailbox.settings})
    yield mailbox
    assert scripted.client.delete(f"/api/channels/{channel['id']}").is_success
    mailbox.close()


def check_page(page: Page) -> None:
    """Readable in light and in dark, with nothing beside the screen."""
    for scheme, rules in (("light", RULES), ("dark", COLOURS)):
        page.emulate_media(color_scheme=scheme)
        check_accessible(page, rules)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_stranger_to_the_app_changes_and_approves_what_a_mail_asks(
    browser: Browser, server: Server, scripted: Scripted, mailbox: Mailbox
) -> None:
    email = f"{new_id()}@example.com"
    join(scripted.client, email, "approver", "Ben")
    run = scripted.start(says("", write("report.md")))
    ask = scripted.ask(run)
    link = link_in(mailbox.wait_for(email, "report.md"))
    with guarded(browser, server, **PHONE) as (context, _):
        page = context.new_page()
        page.goto(link)
        expect(page.get_by_role("heading", name=ask["title"])).to_be_visible()
        expect(page.get_by_role("main")).to_contain_text("Acme leads on price.")
        check_page(page)
        page.get_by_text("Change it, then approve").tap()
        page.get_by_label("path").fill("reports/competitors.md")
        check_page(page)
        page.get_by_role("button", name="Review the changes").tap()
        expect(page.get_by_role("row", name="path")).to_contain_text("reports/competitors.md")
        check_page(page)
        page.get_by_role("button", name="Approve with these changes").tap()
        expect(page.get_by_role("heading", name="Approved by Ben")).to_be_visible()
        check_page(page)
        page.goto(link)
        expect(page.get_by_role("heading", name="Approved by Ben")).to_be_visible()
        expect(page.get_by_role("button")).to_have_count(0)
        check_page(page)
    until(lambda: scripted.get(f"/api/runs/{run}")["ended_at"])
    calls = scripted.get(f"/api/runs/{run}/calls")["items"]
    [written] = [each for each in calls if each["tool"] == "write_file"]
    assert (written["status"], written["arguments"]["path"]) == ("succeeded", "reports/competitors.md")
