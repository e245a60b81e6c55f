"""A newcomer runs what ships, straight from the list, and answers a checkpoint on the page of the run."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import check_light_and_dark
from tests.e2e.conftest import SignedIn


def run_from_the_list(page: Page, name: str) -> None:
    page.goto("/workflows")
    page.get_by_role("button", name=f"Run {name}").click()
    dialog = page.get_by_role("dialog", name=f"Run {name}")
    dialog.get_by_role("button", name="Run", exact=True).click()


@pytest.mark.slow
def test_the_examples_are_filled_in_and_a_lowered_refund_goes_on(page: Page, admin: SignedIn):
    run_from_the_list(page, "IT ticket triage")
    expect(page.get_by_role("heading", name="3 of 3 steps")).to_be_visible()
    expect(page.get_by_text("Process refund").first).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    expect(page.get_by_role("button", name="Continue")).to_have_count(0)

    run_from_the_list(page, "Customer refund")
    ask = page.locator("article[data-ask]").filter(has_text="Is this refund right?")
    expect(ask).to_contain_text("99.99")
    expect(ask.get_by_role("button", name="Reply instead")).to_have_count(0)
    ask.get_by_role("button", name="Deny").click()
    expect(ask.get_by_label("Why? The workflow ends with this reason.")).to_be_visible()
    ask.get_by_role("button", name="Back").click()
    ask.get_by_role("button", name="Edit").click()
    ask.get_by_label("Amount").fill("89.99")
    ask.get_by_role("button", name="Approve").click()
    expect(page.get_by_role("heading", name="2 of 3 steps")).to_be_visible()
    sending = page.get_by_role("list", name="Timeline").get_by_role("listitem").filter(has_text="Send it")
    sending.get_by_role("link", name="Open its run").click()
    expect(page.locator("article[data-ask]")).to_contain_text("$89.99")


def test_what_each_step_would_get_is_shown_with_the_examples_at_once(page: Page, admin: SignedIn):
    page.goto("/workflows/customer-refund")
    # What only steers the run of an agent can be no step.
    expect(page.get_by_role("button", name="Add send_message")).to_be_visible()
    expect(page.get_by_role("button", name="Add complete_task")).to_have_count(0)
    page.get_by_role("button", name="Test", exact=True).click()
    dialog = page.get_by_role("dialog", name="Try it with a sample")
    expect(dialog.get_by_label("Customer").first).to_have_value("John Doe")
    expect(dialog.get_by_text("is not in the context")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize("width", [1440, 390])
def test_the_list_and_the_form_are_accessible_and_fit(page: Page, admin: SignedIn, width: int):
    page.set_viewport_size({"width": width, "height": 844})
    page.goto("/workflows")
    expect(page.get_by_text("Monthly report")).to_be_visible()
    check_light_and_dark(page)
    page.get_by_role("button", name="Run Monthly report").click()
    expect(page.get_by_role("dialog").get_by_label("Team").first).to_have_value("Support")
    check_light_and_dark(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Empty the form").click()
    expect(page.get_by_role("dialog").get_by_label("Month")).to_have_value("")
