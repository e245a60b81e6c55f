"""A clean installation, two people on two computers: the first invites the second, they decide together, and a third
one from another workspace sees nothing of it."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from signoff.kit.settings import Settings
from tests.e2e.conftest import TOKEN, Server, guarded
from tests.e2e.flows import ask_card
from tests.e2e.scripted import Scripted, write
from tests.house import House
from tests.joining import invite
from tests.wire import Model, says

TWO = """\
version: "1.0"
checkpoints:
  - name: "Two people"
    trigger: {tool: write_file}
    action: {require_approval_count: 2}
"""
# What each may take at most, from the first page to the end; what is typed is no click.
FIRST, SECOND = 8, 7


class Clicks:
    """A person's page, and how often they clicked."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def __call__(self, what: Locator) -> None:
        what.click()
        self.count += 1


@pytest.fixture
def clean(tmp_path: Path, model: Model) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", model.url)
        with House(Settings(data=tmp_path / "data", token=TOKEN), model) as house:
            yield Server(house.url, f"{house.url}/sign-in?token={house.secret}", tmp_path)


def elsewhere(client: httpx.Client) -> str:
    """An invitation to another workspace of the same server."""
    made = client.post("/api/workspaces", json={"name": "Elsewhere"})
    assert made.status_code == 201, made.text
    there = {"Authorization": f"Bearer {made.json()['token']}"}
    with httpx.Client(base_url=client.base_url, headers=there, timeout=40) as admin:
        return f"/sign-in?token={invite(admin, 'eve@example.org', 'admin', 'Eve')}"


@pytest.mark.slow
def test_two_people_decide_together_and_a_third_elsewhere_sees_nothing(browser: Browser, clean: Server, model: Model):
    server = clean
    with (
        httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=40) as client,
        guarded(browser, server) as (one, _),
        guarded(browser, server) as (two, _),
        guarded(browser, server) as (three, third_guard),
    ):
        scripted = Scripted(client, model)
        first, second = Clicks(one.new_page()), Clicks(two.new_page())
        first.page.goto(server.link)
        expect(first.page.get_by_role("heading", name="Inbox", exact=True)).to_be_visible()
        second.page.goto(invited(first))
        second.page.get_by_label("Password (optional)").fill("correct horse battery")
        second(second.page.get_by_role("button", name="Join"))
        expect(second.page.get_by_role("heading", name="Welcome, Bob")).to_be_visible()
        with scripted.under_rules(TWO):
            ask = scripted.ask(
                scripted.start(says("The letter is for the tenants.", write("letter.md")), says("Done."))
            )

        # The first asks the second, who is told of it.
        first.page.goto(f"/asks/{ask['id']}")
        first(ask_card(first.page, ask).get_by_role("button", name="Ask a colleague"))
        expect(ask_card(first.page, ask).get_by_role("textbox", name="Comment, or ask the agent")).to_be_focused()
        first.page.keyboard.type("bob")
        expect(first.page.get_by_role("option", name="Bob")).to_be_visible()
        first.page.keyboard.press("Enter")
        first.page.keyboard.type("is this right?")
        first.page.keyboard.press("Control+Enter")
        second(second.page.get_by_role("link", name="Notices 1 unread").first)
        second(second.page.get_by_role("listitem").filter(has_text="is this right?").get_by_role("link").first)

        # Both discuss it, and the agent answers.
        card = ask_card(second.page, ask)
        expect(card.get_by_text("is this right?")).to_be_visible()
        card.get_by_role("textbox", name="Comment, or ask the agent").fill("For whom is it?")
        second(card.get_by_role("button", name="Ask the agent"))
        for page in (first.page, second.page):
            reply = ask_card(page, ask).get_by_role("listitem").filter(has_text="Clerk")
            expect(reply).to_contain_text("The letter is for the tenants.")

        # One signature of two: it waits for the other.
        second(card.get_by_role("button", name=re.compile("^(Sign|Approve)")))
        expect(ask_card(first.page, ask).get_by_text("1 of 2 signed")).to_be_visible()
        second(second.page.get_by_role("link", name="Waiting for others"))
        waiting = second.page.get_by_role("region", name="Waiting for others asks")
        expect(waiting.get_by_text("1 of 2 signed")).to_be_visible()
        first(ask_card(first.page, ask).get_by_role("button", name=re.compile("^(Sign|Approve)")))
        assert scripted.settled(ask)["status"] == "approved"

        # Both see the same end.
        first(first.page.get_by_role("link", name="Decided"))
        second(second.page.get_by_role("link", name="Decided"))
        for page in (first.page, second.page):
            row = page.get_by_role("region", name="Decided asks").get_by_role("link").filter(has_text="letter.md")
            expect(row).to_contain_text("Approved by")
            expect(page.get_by_label("Views of the inbox").locator("[aria-current]")).to_have_text("Decided")
        assert first.count <= FIRST, f"the first person clicked {first.count} times"
        assert second.count <= SECOND, f"the second person clicked {second.count} times"

        # Somebody from another workspace.
        eve = three.new_page()
        eve.goto(elsewhere(client))
        eve.get_by_role("button", name="Join without a password").click()
        expect(eve.get_by_role("heading", name="Welcome, Eve")).to_be_visible()
        eve.goto("/inbox")
        expect(eve.get_by_role("heading", name="You're all caught up")).to_be_visible()
        for path in ("/api/asks?status=approved", "/api/runs", "/api/notifications", "/api/audit"):
            assert "letter.md" not in eve.request.get(path).text()
        third_guard.allowed.append("404")
        for path in (f"/api/asks/{ask['id']}", f"/api/asks/{ask['id']}/comments", f"/api/runs/{ask['run_id']}"):
            assert eve.request.get(path).status == 404


def invited(first: Clicks) -> str:
    """The link that the first person gets for the second."""
    first(first.page.get_by_role("navigation", name="Main", exact=True).get_by_role("link", name="Settings"))
    first(first.page.get_by_role("link", name="Members"))
    first(first.page.get_by_role("button", name="Invite a member"))
    dialog = first.page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Bob")
    dialog.get_by_label("Email").fill("bob@example.org")
    dialog.get_by_label("Role").select_option("approver")
    first(dialog.get_by_role("button", name="Invite"))
    return first.page.get_by_role("dialog").locator("code").first.inner_text()
