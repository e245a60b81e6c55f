"""The agents of seed 001, and workflows of them."""

from itertools import count
from typing import Any

import httpx
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.e2e.scripted import Scripted
from tests.wire import Answering
from tests.workflows.script import done

STRING, NUMBER = {"type": "string"}, {"type": "number"}
TICKET = {"ticket_id": "CS-1234", "customer_id": "CUST-5678", "priority": 3, "category": "billing"}
CUSTOMER = {"customer_360": {"name": "Jo", "purchases": 3}}
SOLUTION = {"solution": "Refund the order", "confidence": 0.87}
# However slow the machine is, what moves stands elsewhere after these.
SOME_FRAMES = "async () => { for (let n = 0; n < 4; n++) await new Promise(requestAnimationFrame); }"


_numbers = count(1)


def unique(name: str) -> str:
    """A slug that a second try of the same test does not find taken."""
    return f"{name}-{next(_numbers)}"


def fields(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def agent(house: Scripted, slug: str, name: str, answering: Answering, output: dict[str, Any]) -> None:
    body = {
        "slug": slug,
        "name": name,
        "model": house.model.play(slug, answering),
        "tools": [],
        "output_schema": output,
    }
    # Some bear the names of those that ship with the product.
    house.client.delete(f"/api/agents/{slug}")
    house.post("/api/agents", body)


def triage_agents(house: Scripted) -> None:
    """Ticket Analyzer, Customer Data and Solution Generator."""
    schema = fields(ticket_id=STRING, customer_id=STRING, priority=NUMBER, category=STRING)
    agent(house, "ticket-analyzer", "Ticket Analyzer", lambda _: done(TICKET), schema)
    agent(house, "customer-data", "Customer Data", lambda _: done(CUSTOMER), fields(customer_360={"type": "object"}))
    schema = fields(solution=STRING, confidence=NUMBER)
    agent(house, "solution-generator", "Solution Generator", lambda _: done(SOLUTION), schema)


def definition_of(client: httpx.Client, slug: str) -> dict[str, Any]:
    return client.get(f"/api/workflows/{slug}").raise_for_status().json()["definition"]


def drag(page: Page, what: Locator, onto: Locator, dx: float = 0.5, dy: float = 0.5) -> None:
    """By hand: down, across in steps, up."""
    what.scroll_into_view_if_needed()
    start, end = at_rest(what), at_rest(onto)
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] * dx, end["y"] + end["height"] * dy, steps=8)
    page.mouse.up()


def at_rest(what: Locator) -> FloatRect:
    """Where it stands, once it does: the canvas moves by itself to show what was added or arranged."""
    before = None
    for _ in range(300):
        box = what.bounding_box()
        if box is not None and box == before:
            return box
        before = box
        what.page.evaluate(SOME_FRAMES)
    raise AssertionError("it never stands still")


def node(page: Page, step: str) -> Locator:
    return page.locator(f".react-flow__node[data-id='{step}']")


def choose(page: Page, step: str, name: str) -> None:
    """Click a step, and wait until the panel is about it: its fields stand where those of another one stood."""
    node(page, step).click()
    expect(page.get_by_role("region", name=f"Step {name}")).to_be_visible()
