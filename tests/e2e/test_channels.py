"""Setting up a channel, and seeing what was sent by it."""

import re
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Page, expect

from signoff.kit.ids import new_id
from tests.channels.mailbox import Mailbox
from tests.e2e.axe import check_light_and_dark
from tests.e2e.conftest import Server, SignedIn
from tests.e2e.scripted import Scripted
from tests.house import until
from tests.joining import join

REFUSAL = "554 5.7.1 Not from you"
TOLD = "The mail server answered 554: 5.7.1 Not from you"


@pytest.fixture
def mailbox(scripted: Scripted) -> Iterator[Mailbox]:
    """A mail server; whatever leads to it is gone with it."""
    mailbox = Mailbox()
    yield mailbox
    mailbox.close()
    for channel in scripted.get("/api/channels")["items"]:
        assert scripted.client.delete(f"/api/channels/{channel['id']}").is_success


@pytest.fixture
def operator(page: Page, admin: SignedIn, scripted: Scripted) -> Page:
    """The page of somebody who runs the server: only they may send to addresses inside their network."""
    # What they enter wrongly is refused.
    admin.guard.allowed.append("422")
    members = scripted.get("/api/members", limit=200)["items"]
    own = next(each["id"] for each in members if each["email"] == "admin@example.com")
    assert scripted.client.patch(f"/api/members/{own}", json={"installation_admin": True}).is_success
    return page


@pytest.mark.slow
def test_a_mail_channel_is_set_up_tested_and_what_failed_is_sent_again(
    operator: Page, scripted: Scripted, mailbox: Mailbox
):
    page = operator
    page.goto("/settings?section=channels")
    page.get_by_role("link", name="Deliveries").click()
    expect(page.get_by_text("There is no channel yet.")).to_be_visible()
    page.get_by_role("link", name="Add a channel").click()
    check_light_and_dark(page)
    page.get_by_role("link", name="Slack").click()
    expect(page.get_by_role("region", name="In Slack")).to_contain_text("/hooks/slack")
    check_light_and_dark(page)
    page.go_back()
    page.get_by_role("link", name="Email").click()
    expect(page.get_by_role("note")).to_contain_text("Links in mails open only on this computer.")
    form = page.get_by_role("form", name="Set-up")
    form.get_by_label("Mail server").fill("127.0.0.1")
    form.get_by_label("Security", exact=True).select_option("None: readable on the way")
    form.get_by_label("Port", exact=True).fill(str(mailbox.port))
    form.get_by_label("From").fill("not an address")
    form.get_by_role("button", name="Save").click()
    sender = form.get_by_role("textbox", name="From")
    expect(sender).to_have_accessible_description(re.compile("Must be an address such as"))
    expect(sender).to_be_focused()
    check_light_and_dark(page)
    page.get_by_role("link", name="Agents").first.click()
    page.get_by_role("dialog", name="Leave without saving?").get_by_role("button", name="Stay").click()
    sender.fill("signoff@example.org")
    form.get_by_role("button", name="Save").click()
    trial = page.get_by_role("form", name="Test")
    expect(trial).to_contain_text("Email is set up. Try it now")
    expect(trial.get_by_role("button", name="Send a test")).to_be_focused()
    sender.fill("sender@example.org")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_role("heading", name="Set-up")).to_be_focused()
    trial.get_by_role("button", name="Send a test").click()
    expect(trial.get_by_role("status")).to_contain_text("It arrived")
    mailbox.wait_for("admin@example.com", "can reach you here")
    check_light_and_dark(page)

    away = f"{new_id()}@example.org"
    join(scripted.client, away, "approver", away)
    mailbox.wait_for(away, "invite")
    mailbox.says = lambda: REFUSAL
    scripted.asking("approval")
    until(lambda: scripted.get("/api/deliveries", status="failed")["items"])
    page.get_by_role("link", name="Channels").first.click()
    channel = page.get_by_role("listitem", name="Email")
    expect(channel).to_contain_text(TOLD)
    check_light_and_dark(page)
    channel.get_by_role("button", name="Test Email").click()
    expect(channel.get_by_role("status")).to_contain_text(TOLD)
    mailbox.says = lambda: None
    channel.get_by_role("link", name=TOLD).click()
    page.get_by_label("Status").select_option("Failed")
    row = page.get_by_role("listitem").filter(has_text=f"Ask · to {away} by Email")
    expect(row).to_contain_text(TOLD)
    row.get_by_role("button", expanded=False).click()
    expect(row.get_by_role("list", name="Tries")).to_contain_text("failed")
    check_light_and_dark(page)
    row.get_by_role("button", name="Send again").click()
    page.get_by_label("Status").select_option("Any status")
    expect(row).to_contain_text("Sent")
    mailbox.wait_for(away, "report.md")


@pytest.mark.slow
def test_an_account_elsewhere_is_linked_by_a_code_and_unlinked(page: Page, scripted: Scripted, server: Server):
    secrets = {"bot_token": "1:for-the-test", "webhook_secret": "for-the-test"}
    bot = scripted.post("/api/channels", {"kind": "telegram", "name": "Telegram", "secrets": secrets})
    page.goto("/settings?section=notifications")
    accounts = page.get_by_role("region", name="Your accounts elsewhere")
    accounts.get_by_role("button", name="Link account: Telegram").click()
    told = accounts.get_by_role("status")
    expect(told).to_contain_text("/start")
    check_light_and_dark(page)
    code = re.search(r"/start (\w+)", told.inner_text())
    assert code
    said = {"message": {"text": code[0], "from": {"id": 4711}, "chat": {"id": 4711, "type": "private"}}}
    headers = {"X-Telegram-Bot-Api-Secret-Token": secrets["webhook_secret"]}
    assert httpx.post(f"{server.url}/hooks/telegram/{bot['id']}", json=said, headers=headers).is_success
    expect(accounts).to_contain_text("linked as 4711")
    accounts.get_by_role("button", name="Unlink Telegram").click()
    expect(accounts).to_contain_text("not linked")
    assert scripted.client.delete(f"/api/channels/{bot['id']}").is_success
