"""US-F1-001: three agents are chained on a canvas without a line of code, by the criteria of the seed."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.axe import check_light_and_dark
from tests.e2e.conftest import SignedIn
from tests.e2e.scripted import Scripted
from tests.e2e.workflow_house import definition_of, drag, node, triage_agents, unique

# What stands in a new workflow, and what was added to it by hand.
AS_TEXT = """
slug: {slug}
name: IT ticket triage
input_schema:
  type: object
  properties:
    ticket: {{type: string, description: What is asked for}}
steps:
  - id: ticket_analyzer
    agent: ticket-analyzer
  - id: customer_data
    agent: customer-data
    input:
      customer_id: steps.ticket_analyzer.customer_id
  - id: solution_generator
    agent: solution-generator
    input:
      customer_360: steps.customer_data.customer_360
      ticket_id: steps.ticket_analyzer.ticket_id
"""


@pytest.fixture(scope="module")
def seeded(scripted: Scripted) -> Scripted:
    triage_agents(scripted)
    return scripted


@pytest.fixture
def canvas(page: Page) -> Locator:
    return page.locator(".react-flow")


def add(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=f"Add {name}")


def test_ac_1_to_8_the_triage_is_built_tested_deployed_and_run_on_the_canvas_and_is_the_same_as_from_text(
    page: Page, admin: SignedIn, canvas: Locator, seeded: Scripted
) -> None:
    # What is new is not there yet.
    admin.guard.allowed.append("404")
    slug, as_text = unique("it-ticket-triage"), unique("from-text")
    # 1: a canvas. 2: agents are dragged from the library.
    page.goto(f"/workflows/{slug}?new=true")
    details = page.get_by_role("complementary", name="Details")
    details.get_by_role("textbox", name="Name").fill("IT ticket triage")
    details.get_by_role("textbox", name="Input 1").fill("ticket")
    details.get_by_role("textbox", name="Name").click()
    drag(page, add(page, "Ticket Analyzer"), canvas, dy=0.2)
    expect(node(page, "ticket_analyzer")).to_be_visible()
    drag(page, add(page, "Customer Data"), canvas, dy=0.6)
    expect(node(page, "customer_data")).to_be_visible()
    # A key is enough as well: it follows the step that is chosen.
    add(page, "Solution Generator").press("Enter")
    expect(page.locator(".react-flow__edge")).to_have_count(1)
    page.get_by_role("button", name="Arrange").click()
    expect(page.get_by_role("textbox", name="Workflow in YAML", include_hidden=True)).not_to_contain_text("layout")

    # 3: an arrow is drawn. 5: fields are mapped by hand, dragged or chosen.
    drag(
        page,
        node(page, "ticket_analyzer").locator(".react-flow__handle.source"),
        node(page, "customer_data").locator(".react-flow__handle.target"),
    )
    expect(page.locator(".react-flow__edge")).to_have_count(2)
    node(page, "customer_data").click()
    details.get_by_role("button", name="Use steps.ticket_analyzer.customer_id").click()
    expect(details.get_by_role("combobox", name="Path of customer_id")).to_have_value(
        "steps.ticket_analyzer.customer_id"
    )
    node(page, "solution_generator").click()
    chip = details.get_by_role("button", name="Use steps.customer_data.customer_360")
    drag(page, chip, details.get_by_text("It gets all that is known so far."))
    expect(details.get_by_role("combobox", name="Path of customer_360")).to_have_value(
        "steps.customer_data.customer_360"
    )
    details.get_by_role("button", name="Use steps.ticket_analyzer.ticket_id").click()
    expect(page.get_by_role("status", name="Problems")).to_contain_text("Valid")
    check_light_and_dark(page)

    # 6: it is saved, as the same revision as one from text.
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Version 1, a draft")).to_be_visible()
    seeded.post("/api/workflows", {"yaml": AS_TEXT.format(slug=as_text)})
    built, written = (definition_of(seeded.client, each) for each in (slug, as_text))
    assert built == written | {"slug": slug}

    # 8: the flow of data is seen before it runs. 7: a test runs before anything is deployed.
    page.get_by_role("button", name="Test").click()
    dialog = page.get_by_role("dialog", name="Try it with a sample")
    dialog.get_by_role("textbox", name="ticket").fill("I need a refund")
    expect(dialog.get_by_role("region", name="Data flow").get_by_role("listitem").first).to_contain_text(
        "I need a refund"
    )
    dialog.get_by_role("button", name="Run the test").click()
    expect(page.get_by_role("status", name="How it ended")).to_contain_text("All steps are done")
    expect(page.get_by_text("Test", exact=True).first).to_be_visible()

    page.goto(f"/workflows/{slug}")
    page.get_by_role("button", name="Deploy").click()
    expect(page.get_by_text("Version 1 deployed")).to_be_visible()
    page.get_by_role("button", name="Run", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").first.fill("I need a refund")
    dialog.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_role("heading", name="3 of 3 steps")).to_be_visible()
    expect(page.get_by_role("status", name="How it ended")).to_contain_text("All steps are done")
    check_light_and_dark(page)


def test_ac_4_and_9_twenty_steps_with_a_circle_a_missing_agent_and_a_wrong_type_are_marked_and_not_saved(
    page: Page, admin: SignedIn, canvas: Locator, seeded: Scripted
) -> None:
    admin.guard.allowed += ["422", "404"]
    steps = ["  - id: s0\n    agent: ticket-analyzer"]
    steps += [f"  - id: s{at}\n    agent: customer-data" for at in range(1, 17)]
    steps += [
        "  - id: lost\n    agent: customer-dat",
        "  - id: told\n    tool: send_message\n    input: {text: steps.s0.priority, channel: {const: '#a'}}",
        "  - id: round\n    agent: ticket-analyzer\n    needs: [round-two]",
        "  - id: round-two\n    agent: ticket-analyzer\n    needs: [round]",
    ]
    text = "slug: broken\nname: Broken\nsteps:\n" + "\n".join(steps[:1] + steps[2:]) + "\n"
    page.goto("/workflows/broken?new=true")
    expect(page.get_by_role("status", name="Problems")).to_be_visible()
    room = canvas.bounding_box()
    # The parts of the page are radios, drawn as words.
    page.get_by_text("YAML", exact=True).click()
    page.get_by_role("textbox", name="Workflow in YAML").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(text)
    expect(page.locator(".react-flow__node")).to_have_count(20)
    expect(node(page, "lost")).to_contain_text("There is no agent 'customer-dat'")
    expect(node(page, "told")).to_contain_text("It must be string")
    expect(node(page, "round")).to_contain_text("These wait for each other")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("The workflow has 3 problems.")).to_be_visible()
    problems = page.get_by_role("status", name="Problems")
    expect(problems.get_by_role("listitem")).to_have_count(3)
    # An arrow that is drawn meanwhile still has its end under the hand.
    assert canvas.bounding_box() == room
    problems.get_by_role("button", name="There is no agent").click()
    expect(page.get_by_role("region", name="Step lost")).to_be_visible()
    assert seeded.client.get("/api/workflows/broken").status_code == 404
    # Nobody leaves by accident.
    page.get_by_role("link", name="Runs", exact=True).click()
    page.get_by_role("dialog", name="Leave without saving?").get_by_role("button", name="Leave").click()
    expect(page.get_by_role("heading", name="Runs")).to_be_visible()


def test_ac_10_what_somebody_else_saved_is_kept_as_a_version_and_so_is_mine(
    page: Page, admin: SignedIn, seeded: Scripted
) -> None:
    admin.guard.allowed.append("409")
    slug = unique("shared")
    mine = {"slug": slug, "name": "Shared", "steps": [{"id": "read", "agent": "ticket-analyzer"}]}
    seeded.post("/api/workflows", mine)
    page.goto(f"/workflows/{slug}")
    node(page, "read").click()
    page.keyboard.press("Control+c")
    page.keyboard.press("Control+v")
    expect(node(page, "read_2")).to_be_visible()
    page.keyboard.press("Control+z")
    expect(page.locator(".react-flow__node")).to_have_count(1)
    node(page, "read").click()
    page.keyboard.press("Control+d")
    expect(page.locator(".react-flow__node")).to_have_count(2)
    page.keyboard.press("Control+z")
    expect(page.locator(".react-flow__node")).to_have_count(1)
    page.keyboard.press("Control+Shift+z")
    expect(page.locator(".react-flow__node")).to_have_count(2)
    seeded.client.put(f"/api/workflows/{slug}", json=mine | {"name": "Theirs"}).raise_for_status()
    page.get_by_role("button", name="Save", exact=True).click()
    dialog = page.get_by_role("dialog", name="Somebody else saved meanwhile")
    dialog.get_by_role("button", name="Save mine as version 3").click()
    expect(page.get_by_text("Version 3, a draft")).to_be_visible()
    names = [seeded.get(f"/api/workflows/{slug}", version=version)["definition"]["name"] for version in (1, 2, 3)]
    assert names == ["Shared", "Theirs", "Shared"]
    # What it began with is a change by now: it is saved before it is deployed.
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".react-flow__node")).to_have_count(1)
    expect(page.get_by_text("Not saved")).to_be_visible()
    expect(page.get_by_role("button", name="Deploy")).to_be_disabled()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Version 4, a draft")).to_be_visible()


def test_what_runs_is_what_the_form_is_for_and_what_ran_shows_how_data_flows(
    page: Page, admin: SignedIn, seeded: Scripted
) -> None:
    slug = unique("two-forms")
    body = {"slug": slug, "name": slug, "steps": [{"id": "read", "agent": "ticket-analyzer"}]}
    forms = [{"type": "object", "properties": {name: {"type": "string"}}} for name in ("ticket", "letter")]
    seeded.post("/api/workflows", body | {"input_schema": forms[0]})
    draft = body | {"input_schema": forms[1]}
    seeded.client.put(f"/api/workflows/{slug}", json=draft, params={"draft": True}).raise_for_status()
    run = seeded.post("/api/runs", {"workflow": slug, "input": {"ticket": "It is broken"}})["id"]
    page.goto(f"/runs/{run}")
    expect(page.get_by_role("heading", name="1 of 1 step")).to_be_visible()
    page.get_by_role("link", name="Open the workflow").click()
    page.get_by_role("button", name="Run", exact=True).click()
    dialog = page.get_by_role("dialog", name=f"Run {slug}")
    expect(dialog.get_by_role("textbox", name="ticket")).to_be_visible()
    # A test takes the newest version.
    dialog.get_by_role("switch", name="As a test").click()
    expect(dialog.get_by_role("textbox", name="letter")).to_be_visible()
    expect(dialog.get_by_role("textbox", name="ticket")).to_have_count(0)
    dialog.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Test", exact=True).click()
    flow = page.get_by_role("dialog", name="Try it with a sample").get_by_role("region", name="Data flow")
    flow.get_by_role("switch", name="From what the last run was given and made").click()
    expect(flow.get_by_role("listitem")).to_contain_text("It is broken")
    expect(flow.get_by_role("listitem")).to_contain_text("From the last run")


def test_steps_are_listed_and_edited_on_a_phone(phone: Page, seeded: Scripted) -> None:
    slug = unique("small")
    seeded.post(
        "/api/workflows",
        {"slug": slug, "name": "Small", "steps": [{"id": "read", "name": "Read it", "agent": "ticket-analyzer"}]},
    )
    phone.goto(f"/workflows/{slug}")
    phone.get_by_role("button", name="Add a step").tap()
    phone.get_by_role("dialog").get_by_role("button", name="Add Customer Data").tap()
    drawer = phone.get_by_role("dialog", name="customer_data")
    expect(drawer.get_by_role("list", name="Waits for")).to_contain_text("Read it")
    drawer.get_by_role("button", name="Close").tap()
    expect(phone.get_by_role("list", name="Steps").get_by_role("listitem")).to_have_count(2)
    phone.get_by_text("Canvas", exact=True).tap()
    expect(node(phone, "customer_data")).to_be_in_viewport()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_new_workflow_outlives_a_lost_connection(page: Page, admin: SignedIn, seeded: Scripted) -> None:
    admin.guard.allowed += ["404", "ERR_INTERNET_DISCONNECTED"]
    page.goto(f"/workflows/{unique('kept')}?new=true")
    add(page, "Ticket Analyzer").press("Enter")
    expect(node(page, "ticket_analyzer")).to_be_visible()
    page.context.set_offline(True)
    page.wait_for_timeout(500)
    page.context.set_offline(False)
    page.wait_for_timeout(500)
    expect(node(page, "ticket_analyzer")).to_be_visible()
