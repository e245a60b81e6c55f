"""A decision on its way: taken back, sent in time, kept for its author, never lost."""

import pytest
from playwright.sync_api import APIRequestContext, Browser, Page, expect

from tests.e2e.conftest import Server, guarded, signed_in
from tests.e2e.flows import ask_card
from tests.e2e.people import PASSWORD, signed_in_as
from tests.e2e.scripted import Scripted

HIDE = """
Object.defineProperty(document, "hidden", { value: true, configurable: true });
document.dispatchEvent(new Event("visibilitychange"));
"""


def test_a_decision_can_be_taken_back(page: Page, scripted: Scripted):
    ask = scripted.asking("approval")
    page.add_init_script("localStorage.setItem('signoff.undo-seconds', '2')")
    page.goto(f"/asks/{ask['id']}")
    ask_card(page, ask).get_by_role("button", name="Approve").click()
    going = page.get_by_role("region", name="Decisions on their way")
    # What ticks is not read out each second.
    expect(going.get_by_role("status").first).to_have_text(f"Approved: {ask['title']}")
    going.get_by_role("button", name="Undo").first.click()
    expect(ask_card(page, ask).get_by_role("button", name="Approve")).to_be_visible()
    page.wait_for_timeout(2_500)
    assert scripted.get(f"/api/asks/{ask['id']}")["status"] == "pending"


def test_a_decision_is_sent_when_the_page_closes(page: Page, scripted: Scripted):
    ask = scripted.asking("approval")
    page.goto(f"/asks/{ask['id']}")
    ask_card(page, ask).get_by_role("button", name="Approve").click()
    expect(page.get_by_text("Approved:")).to_be_visible()
    page.close(run_before_unload=True)
    assert scripted.settled(ask)["status"] == "approved"


@pytest.mark.slow
def test_a_decision_is_sent_when_the_page_goes_out_of_sight(page: Page, scripted: Scripted):
    ask = scripted.asking("approval")
    page.add_init_script("localStorage.setItem('signoff.undo-seconds', '60')")
    page.goto(f"/asks/{ask['id']}")
    ask_card(page, ask).get_by_role("button", name="Approve").click()
    page.evaluate(HIDE)
    assert scripted.settled(ask)["status"] == "approved"


@pytest.mark.slow
def test_undo_brings_back_what_was_written(page: Page, scripted: Scripted):
    ask = scripted.asking("approval")
    page.goto(f"/asks/{ask['id']}")
    card = ask_card(page, ask)
    card.get_by_role("button", name="Deny").click()
    card.get_by_role("textbox", name="Why?").fill("Wrong month")
    card.get_by_role("button", name="Deny", exact=True).click()
    page.get_by_role("region", name="Decisions on their way").get_by_role("button", name="Undo").first.click()
    expect(card.get_by_role("textbox", name="Why?")).to_have_value("Wrong month")
    card.get_by_role("button", name="Back").click()
    card.get_by_role("button", name="Edit").click()
    page.get_by_role("textbox", name="Path").fill("final.md")
    expect(page.get_by_text("1 change: path report.md → final.md")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Approve with changes").click()
    page.get_by_role("region", name="Decisions on their way").get_by_role("button", name="Undo").first.click()
    expect(page.get_by_role("textbox", name="Path")).to_have_value("final.md")


@pytest.mark.slow
def test_what_the_server_refuses_is_kept_and_can_be_sent_again(browser: Browser, server: Server, scripted: Scripted):
    ask = scripted.asking("approval")
    with guarded(browser, server) as (context, guard):
        guard.allowed.append("422")
        page = signed_in(context)
        refusal = {"title": "Invalid", "status": 422, "detail": "Not like this."}
        page.route("**/answer", lambda route: route.fulfill(status=422, json=refusal), times=1)
        page.goto(f"/asks/{ask['id']}")
        card = ask_card(page, ask)
        card.get_by_role("button", name="Deny").click()
        card.get_by_role("textbox", name="Why?").fill("Wrong month")
        card.get_by_role("button", name="Deny", exact=True).click()
        page.get_by_role("button", name="Send now").first.click()
        expect(page.get_by_role("alert").filter(has_text=f"Not accepted: {ask['title']}")).to_contain_text(
            "Not like this."
        )
        page.reload()
        page.get_by_role("button", name="Review").click()
        expect(card.get_by_role("textbox", name="Why?")).to_have_value("Wrong month")
        card.get_by_role("button", name="Deny", exact=True).click()
        page.get_by_role("button", name="Send now").first.click()
        assert scripted.settled(ask)["answer"]["note"] == "Wrong month"


@pytest.mark.slow
def test_signing_out_sends_what_is_held_and_the_other_tabs_forget(browser: Browser, server: Server, scripted: Scripted):
    ask = scripted.asking("approval")
    with guarded(browser, server) as (context, guard):
        guard.allowed.append("401")
        page, other = signed_in(context), context.new_page()
        page.add_init_script("localStorage.setItem('signoff.undo-seconds', '60')")
        other.goto("/runs")
        page.goto(f"/asks/{ask['id']}")
        ask_card(page, ask).get_by_role("button", name="Approve").click()
        page.get_by_role("button", name="Account of").first.click()
        page.get_by_role("menuitem", name="Sign out").click()
        assert scripted.settled(ask)["status"] == "approved"
        for tab in (page, other):
            expect(tab.get_by_role("heading", name="Sign in to Signoff")).to_be_visible()


@pytest.mark.slow
def test_a_decision_waits_for_its_own_author_to_sign_in_again(
    browser: Browser, server: Server, api: APIRequestContext, scripted: Scripted
):
    ask = scripted.asking("approval")
    with guarded(browser, server) as (context, guard), guarded(browser, server) as (elsewhere, _):
        guard.allowed.append("401")
        signed_in_as(elsewhere, api, "approver")
        page = signed_in(context)
        page.goto(f"/asks/{ask['id']}")
        expect(ask_card(page, ask).get_by_role("button", name="Approve")).to_be_visible()
        context.clear_cookies()
        ask_card(page, ask).get_by_role("button", name="Approve").click()
        # Whatever is read next leads to the page for signing in; something may have been read already.
        page.evaluate("document.querySelector('a[href=\"/runs\"]')?.click()")
        expect(page.get_by_role("heading", name="Sign in to Signoff")).to_be_visible()
        page.get_by_text("Email and password").click()
        page.get_by_role("textbox", name="Email").fill("approver@example.com")
        page.get_by_role("textbox", name="Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("status").get_by_text("Live").first).to_be_visible()
        page.wait_for_timeout(6_000)
        assert scripted.get(f"/api/asks/{ask['id']}")["status"] == "pending"
        page.get_by_role("button", name="Account of").first.click()
        page.get_by_role("menuitem", name="Sign out").click()
        page.get_by_text("Email and password").click()
        page.get_by_role("textbox", name="Email").fill("admin@example.com")
        page.get_by_role("textbox", name="Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        settled = scripted.settled(ask)
        assert settled["status"] == "approved"
        assert settled["settled_by"] == "admin@example.com"
