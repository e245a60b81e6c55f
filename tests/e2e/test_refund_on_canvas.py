"""The refund of the seed, built by hand: a checkpoint where an amount is lowered, and a tool that asks by itself."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.axe import check_light_and_dark
from tests.e2e.conftest import SignedIn
from tests.e2e.scripted import Scripted
from tests.e2e.workflow_house import choose, definition_of, drag, node, unique

# The same as it is built below, with what stands in a new workflow.
AS_TEXT = """
slug: {slug}
name: Refund by hand
input_schema:
  type: object
  properties:
    customer_name: {{type: string, description: What is asked for}}
    order_total: {{type: number}}
    reason: {{type: string}}
steps:
  - id: refund_calculator
    agent: refund-calculator
    checkpoint: after
  - id: refund_letter
    agent: refund-letter
    input:
      amount: steps.refund_calculator.amount
      customer_name: input.customer_name
  - id: send_message
    tool: send_message
    input:
      channel: {{const: "#customer-replies"}}
      text: steps.refund_letter.text
"""


@pytest.fixture
def canvas(page: Page) -> Locator:
    return page.locator(".react-flow")


def add_inputs(details: Locator, *named: tuple[str, str]) -> None:
    for number, (name, kind) in enumerate(named, 1):
        field = details.get_by_role("textbox", name=f"Input {number}")
        if number > 1:
            details.get_by_role("button", name="Add an input").click()
        field.fill(name)
        field.press("Tab")
        details.get_by_role("combobox", name=f"Type of {name}").select_option(kind)


def connect(page: Page, one: str, other: str) -> None:
    """An arrow is drawn from the edge of a step to that of another one."""
    drag(
        page,
        node(page, one).locator(".react-flow__handle.source"),
        node(page, other).locator(".react-flow__handle.target"),
    )


def test_the_refund_is_built_on_the_canvas_and_goes_on_with_what_the_person_changed(
    page: Page, admin: SignedIn, canvas: Locator, scripted: Scripted
) -> None:
    admin.guard.allowed.append("404")
    slug, as_text = unique("refund-by-hand"), unique("refund-from-text")
    page.goto(f"/workflows/{slug}?new=true")
    details = page.get_by_role("complementary", name="Details")
    details.get_by_role("textbox", name="Name").fill("Refund by hand")
    add_inputs(details, ("customer_name", "string"), ("order_total", "number"), ("reason", "string"))
    drag(page, page.get_by_role("button", name="Add Refund calculator"), canvas, dy=0.15)
    expect(node(page, "refund_calculator")).to_be_visible()
    drag(page, page.get_by_role("button", name="Add Refund letter"), canvas, dy=0.45)
    expect(node(page, "refund_letter")).to_be_visible()
    drag(page, page.get_by_role("button", name="Add send_message"), canvas, dy=0.75)
    expect(node(page, "send_message")).to_be_visible()
    connect(page, "refund_calculator", "refund_letter")
    connect(page, "refund_letter", "send_message")
    expect(page.locator(".react-flow__edge")).to_have_count(2)

    choose(page, "refund_calculator", "refund_calculator")
    details.get_by_role("combobox", name="Checkpoint").select_option("after")
    choose(page, "refund_letter", "refund_letter")
    details.get_by_role("button", name="Use steps.refund_calculator.amount").click()
    details.get_by_role("button", name="Use input.customer_name").click()
    choose(page, "send_message", "send_message")
    # What its tool wants by a name that is known was mapped when it was connected.
    expect(details.get_by_role("combobox", name="Path of text")).to_have_value("steps.refund_letter.text")
    details.get_by_role("button", name="Add a field").click()
    details.get_by_role("textbox", name="Field 2").fill("channel")
    details.get_by_role("textbox", name="Field 2").press("Tab")
    details.get_by_role("combobox", name="How channel is filled").select_option("const")
    details.get_by_role("textbox", name="Value of channel").fill("#customer-replies")
    details.get_by_role("textbox", name="Value of channel").press("Tab")
    page.get_by_role("button", name="Arrange").click()
    expect(page.get_by_role("status", name="Problems")).to_contain_text("Valid")
    check_light_and_dark(page)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Version 1, a draft")).to_be_visible()
    scripted.post("/api/workflows", {"yaml": AS_TEXT.format(slug=as_text)})
    built, written = (definition_of(scripted.client, each) for each in (slug, as_text))
    assert built == written | {"slug": slug}

    # A test asks as well; then it is deployed, and run.
    page.get_by_role("button", name="Test", exact=True).click()
    trying = page.get_by_role("dialog", name="Try it with a sample")
    trying.get_by_role("textbox", name="Customer name").fill("John Doe")
    trying.get_by_role("textbox", name="Order total").fill("120")
    trying.get_by_role("textbox", name="Reason").fill("It is broken")
    trying.get_by_role("button", name="Run the test").click()
    # Whoever looks on is asked at once.
    ask = page.locator("article[data-ask]")
    ask.get_by_role("button", name="Approve").click()
    expect(page.get_by_role("heading", name="2 of 3 steps")).to_be_visible()

    page.goto(f"/workflows/{slug}")
    page.get_by_role("button", name="Deploy").click()
    expect(page.get_by_text("Version 1 deployed")).to_be_visible()
    page.get_by_role("button", name="Run", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Customer name").fill("John Doe")
    dialog.get_by_role("textbox", name="Order total").fill("120")
    dialog.get_by_role("textbox", name="Reason").fill("It is broken")
    dialog.get_by_role("button", name="Run", exact=True).click()
    # The person lowers the amount, and the letter names the lower one.
    expect(ask).to_contain_text("120")
    ask.get_by_role("button", name="Edit").click()
    ask.get_by_label("Amount").fill("89.99")
    ask.get_by_role("button", name="Approve").click()
    expect(page.get_by_role("heading", name="2 of 3 steps")).to_be_visible()
    # Sending asks by itself, in the run of its step.
    sending = page.get_by_role("list", name="Timeline").get_by_role("listitem").filter(has_text="send_message")
    sending.get_by_role("link", name="Open its run").click()
    expect(ask).to_contain_text("$89.99")
    ask.get_by_role("button", name="Approve").click()
    page.go_back()
    expect(page.get_by_role("heading", name="3 of 3 steps")).to_be_visible()
    expect(page.get_by_role("status", name="How it ended")).to_contain_text("All steps are done")
