"""US-F1-004: a run is watched step by step, live; its checkpoint is answered on its node."""

import threading
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import check_light_and_dark
from tests.e2e.scripted import Scripted
from tests.e2e.workflow_house import agent, fields, node, triage_agents, unique
from tests.workflows.script import done

ANALYZE: dict[str, Any] = {"id": "analyze", "name": "Analyze the ticket", "agent": "ticket-analyzer"}
SOLVE: dict[str, Any] = {"id": "solve", "name": "Propose a solution", "agent": "solution-generator"}


@pytest.fixture(scope="module")
def seeded(scripted: Scripted) -> Scripted:
    triage_agents(scripted)
    return scripted


def begin(house: Scripted, *steps: dict[str, Any]) -> str:
    slug = unique("watched")
    house.post("/api/workflows", {"slug": slug, "name": slug.title(), "steps": list(steps)})
    return house.post("/api/runs", {"workflow": slug, "input": {}})["id"]


def test_ac_1_to_7_a_run_shows_its_steps_times_and_end_by_itself(page: Page, seeded: Scripted) -> None:
    let_go = threading.Event()

    def slow(_request: dict[str, Any]) -> dict[str, Any]:
        let_go.wait(30)
        return done({"sent": True})

    mailer = unique("mailer")
    agent(seeded, mailer, "Mailer", slow, fields(sent={"type": "boolean"}))
    run = begin(seeded, ANALYZE, {"id": "send", "name": "Send", "agent": mailer}, SOLVE)
    # 1: the seed's address. 2: how far it is. 3: what it does now. 4: how long each step took.
    page.goto(f"/executions/{run}")
    expect(page.get_by_role("heading", name="1 of 3 steps")).to_be_visible()
    timeline = page.get_by_role("list", name="Timeline")
    expect(timeline.locator("[aria-current=step]")).to_contain_text("Send")
    expect(node(page, "send").locator("[aria-current=step]")).to_be_visible()
    expect(timeline.get_by_role("listitem", name="Analyze the ticket").locator(".num").first).to_be_visible()
    expect(page.locator(".react-flow__edge-text").first).to_contain_text("ticket_id")
    page.evaluate("window.isTheSamePage = true")
    # 5, 6: events bring it, without a reload. 7: a banner.
    let_go.set()
    expect(page.get_by_role("heading", name="3 of 3 steps")).to_be_visible()
    expect(page.get_by_role("status", name="How it ended")).to_contain_text("All steps are done")
    assert page.evaluate("window.isTheSamePage")
    node(page, "solve").click()
    expect(timeline.get_by_role("listitem", name="Propose a solution")).to_contain_text("Refund the order")


def test_the_refund_waits_on_its_node_until_it_is_approved_there(page: Page, seeded: Scripted) -> None:
    refunder = unique("refunder")
    agent(seeded, refunder, "Refunder", lambda _: done({"refunded": 99.99}), fields(refunded={"type": "number"}))
    refund = {"id": "refund", "name": "Refund", "agent": refunder, "checkpoint": "before"}
    run = begin(seeded, ANALYZE, SOLVE, refund)
    seeded.ask(run)
    page.goto(f"/runs/{run}")
    at_refund = node(page, "refund")
    expect(at_refund).to_contain_text("Waits for a person")
    expect(at_refund.get_by_role("button", name="Approve")).to_be_in_viewport()
    check_light_and_dark(page)
    at_refund.get_by_role("button", name="Approve").click()
    at_refund.get_by_role("button", name="Send now").click()
    expect(page.get_by_role("heading", name="3 of 3 steps")).to_be_visible()
    expect(at_refund).to_contain_text("Done")

    rejected = begin(seeded, ANALYZE, SOLVE, refund)
    seeded.ask(rejected)
    page.goto(f"/runs/{rejected}")
    node(page, "refund").get_by_role("button", name="Deny").click()
    why = page.get_by_role("textbox", name="Why? The workflow ends with this reason.")
    why.fill("Above the limit")
    page.get_by_role("dialog").get_by_role("button", name="Deny").click()
    node(page, "refund").get_by_role("button", name="Send now").click()
    ended = page.get_by_role("status", name="How it ended")
    expect(ended).to_contain_text("The workflow was stopped")
    expect(ended).to_contain_text("Above the limit")
    assert seeded.get(f"/api/runs/{rejected}")["completion_reason"] == "rejected"


def test_a_failed_run_is_resumed_from_its_last_good_step(page: Page, seeded: Scripted) -> None:
    broken = threading.Event()
    broken.set()

    def count(_request: dict[str, Any]) -> dict[str, Any]:
        return {"status": 400, "message": "no", "code": None, "headers": {}} if broken.is_set() else done({"n": 1})

    counter = unique("counter")
    agent(seeded, counter, "Counter", count, fields(n={"type": "number"}))
    before = len(seeded.model.asked("ticket-analyzer"))
    run = begin(seeded, ANALYZE, {"id": "count", "name": "Count", "agent": counter})
    page.goto(f"/runs/{run}")
    ended = page.get_by_role("status", name="How it ended")
    expect(ended).to_contain_text("The workflow failed")
    expect(ended).to_contain_text("Step 2 of 2, Count")
    expect(node(page, "count")).to_contain_text("Failed")
    # Still broken, it fails there once more.
    page.get_by_role("button", name="Try again", exact=True).click()
    expect(page.get_by_role("link", name="Previous try")).to_have_attribute("href", f"/runs/{run}")
    expect(ended).to_contain_text("Step 2 of 2, Count")
    broken.clear()
    page.get_by_role("button", name="Resume from the last good step").click()
    expect(page.get_by_role("heading", name="2 of 2 steps")).to_be_visible()
    expect(ended).to_contain_text("All steps are done")
    assert len(seeded.model.asked("ticket-analyzer")) == before + 1


def test_a_run_that_went_on_without_a_step_says_so_and_makes_up_for_it(page: Page, seeded: Scripted) -> None:
    broken = threading.Event()
    broken.set()

    def note(_request: dict[str, Any]) -> dict[str, Any]:
        return {"status": 400, "message": "no", "code": None, "headers": {}} if broken.is_set() else done({"n": 1})

    noter = unique("noter")
    agent(seeded, noter, "Noter", note, fields(n={"type": "number"}))
    run = begin(seeded, {"id": "note", "name": "Note", "agent": noter, "stop_on_error": False}, ANALYZE)
    page.goto(f"/runs/{run}")
    ended = page.get_by_role("status", name="How it ended")
    expect(ended).to_contain_text("Done, but not all steps succeeded: Note.")
    broken.clear()
    page.get_by_role("button", name="Resume from the last good step").click()
    expect(page.get_by_role("heading", name="2 of 2 steps")).to_be_visible()
    expect(ended).to_contain_text("All steps are done")
