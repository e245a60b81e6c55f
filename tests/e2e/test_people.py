"""A second person comes in by an invitation, and a person goes from one workspace to another."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Page, expect

from signoff.kit.ids import new_id
from tests.e2e.axe import check_light_and_dark
from tests.e2e.conftest import Guard, Server, guarded
from tests.e2e.scripted import Scripted
from tests.joining import secret_in

PASSWORD = "correct horse battery"


@pytest.mark.slow
def test_somebody_who_is_invited_sees_by_whom_comes_in_and_is_welcomed(page: Page, visitor: tuple[Page, Guard]):
    email = f"{new_id()}@example.com"
    page.goto("/settings?section=members")
    page.get_by_role("button", name="Invite a member").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Ada Lovelace")
    dialog.get_by_label("Email").fill(email)
    dialog.get_by_label("Role").select_option("Approver")
    dialog.get_by_role("button", name="Invite").click()
    url = dialog.get_by_text("/sign-in?token=inv_").inner_text()
    dialog.get_by_role("button", name="Done").click()
    pending = page.get_by_role("region", name="Pending invitations").get_by_role("row").filter(has_text=email)
    expect(pending).to_contain_text("left")

    ada, guard = visitor
    guard.allowed.append("401")
    ada.goto(url)
    expect(ada.get_by_role("heading", name="Join Home")).to_be_visible()
    expect(ada.get_by_text(f"invites {email} as approver")).to_be_visible()
    check_light_and_dark(ada)
    ada.get_by_label("Your name").fill("Ada L.")
    ada.get_by_label("Password (optional)").fill(PASSWORD)
    ada.get_by_role("button", name="Join").click()
    expect(ada.get_by_role("heading", name="Welcome, Ada L.")).to_be_visible()
    expect(ada.get_by_role("link", name="Set notifications")).to_be_visible()
    check_light_and_dark(ada)
    ada.get_by_role("link", name="Start", exact=True).click()
    expect(ada).to_have_url(re.compile("/inbox$"))
    ada.goto(url)
    expect(ada.get_by_role("alert")).to_contain_text("has been accepted")

    page.reload()
    expect(page.get_by_role("button", name="More about Ada L.")).to_be_visible()
    expect(pending).to_have_count(0)
    page.get_by_role("button", name="More about Ada L.").click()
    page.get_by_role("menuitem", name="New sign-in link").click()
    expect(dialog).to_contain_text("signs Ada L. out of this workspace")
    dialog.get_by_role("button", name="Create the link").click()
    way_back = dialog.get_by_text("/sign-in?token=link_").inner_text()
    ada.goto("/inbox")
    expect(ada.get_by_role("heading", name="Sign in to Signoff")).to_be_visible()
    ada.goto(way_back)
    expect(ada).to_have_url(re.compile("/inbox$"))


def maker(page: Page, scripted: Scripted) -> None:
    """Sign a new person in, whom the installation lets make workspaces."""
    email = f"{new_id()}@example.com"
    made = scripted.post("/api/invitations", {"email": email, "name": "Maker", "role": "admin"})
    given = {"token": secret_in(made["url"]), "password": PASSWORD}
    assert page.context.request.post("/api/auth/sign-in", data=given).ok
    members = scripted.client.get("/api/members", params={"limit": 200}).json()["items"]
    member = next(each["id"] for each in members if each["email"] == email)
    assert scripted.client.patch(f"/api/members/{member}", json={"installation_admin": True}).is_success


@pytest.mark.slow
def test_a_new_workspace_is_empty_and_its_maker_goes_back_and_forth(scripted: Scripted, visitor: tuple[Page, Guard]):
    page, guard = visitor
    guard.allowed.append("401|404")
    maker(page, scripted)
    other_tab = page.context.new_page()
    other_tab.goto("/runs")
    expect(other_tab.get_by_role("link", name=re.compile("Competitive analysis")).first).to_be_visible()
    page.goto("/settings?section=workspace")
    page.get_by_label("Name of the new workspace").fill("Finance")
    check_light_and_dark(page)
    page.get_by_role("button", name="Create and open").click()
    expect(page.get_by_role("heading", name="Welcome to Signoff")).to_be_visible()
    account = page.get_by_role("button", name="Account of")
    expect(account).to_contain_text("Finance")
    # What the other tab showed is of the workspace that was left.
    expect(other_tab.get_by_role("button", name="Account of")).to_contain_text("Finance")
    expect(other_tab.get_by_role("link", name=re.compile("Competitive analysis"))).to_have_count(0)
    account.click()
    expect(page.get_by_role("menuitem", name="Sign out")).to_be_visible()
    check_light_and_dark(page)
    page.get_by_role("menuitem", name="Home").click()
    expect(account).to_contain_text("Home")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Command").fill("switch fin")
    expect(page.get_by_role("option", name=re.compile("Finance"))).to_be_visible()
    page.keyboard.press("Enter")
    expect(account).to_contain_text("Finance")


@pytest.mark.slow
def test_who_is_away_lets_a_colleague_decide_and_takes_it_back(browser: Browser, server: Server, scripted: Scripted):
    with guarded(browser, server) as (anns, guard), guarded(browser, server) as (bobs, _):
        guard.allowed.append("401")
        emails = [f"{name}-{new_id()}@example.com" for name in ("ann", "bob")]
        for context, email in zip((anns, bobs), emails, strict=True):
            name = email.partition("-")[0].title()
            made = scripted.post("/api/invitations", {"email": email, "name": name, "role": "approver"})
            given = {"token": secret_in(made["url"]), "password": PASSWORD}
            assert context.request.post("/api/auth/sign-in", data=given).ok
        ann, bob = anns.new_page(), bobs.new_page()
        bob.goto("/inbox")
        ann.goto("/settings?section=away")
        check_light_and_dark(ann)
        ann.get_by_label("Colleague").select_option("Bob")
        ann.get_by_label("Until").fill((datetime.now(UTC) + timedelta(days=3)).strftime("%Y-%m-%d"))
        ann.get_by_role("button", name="Hand over").click()
        expect(ann.get_by_text(re.compile("asks that name you go to Bob")).first).to_be_visible()
        check_light_and_dark(ann)
        # Bob is told at once, on whatever page he is.
        expect(bob.get_by_role("status").filter(has_text="Ann is away")).to_be_visible()
        named = {"name": "Ann's", "trigger": {"tool": "write_file"}, "action": {"approvers": [emails[0]]}}
        with scripted.under_rules(json.dumps({"checkpoints": [named]})):
            ask = scripted.asking("approval")
        bob.goto(f"/asks/{ask['id']}")
        bob.get_by_role("button", name="Approve", exact=True).click()
        (signature,) = scripted.settled(ask)["approvals"]
        assert (signature["by"], signature["on_behalf_of"]) == (emails[1], emails[0])
        ann.get_by_role("button", name="End now").click()
        expect(ann.get_by_role("button", name="Hand over")).to_be_visible()
        expect(bob.get_by_role("status").filter(has_text="Ann is away")).to_have_count(0)
