"""Workflows for the pictures: seed 001's triage and refund, one with mistakes, one of twenty steps."""

import time
from typing import Any

from tests.e2e.showcase import House
from tests.e2e.workflow_house import STRING, agent, fields, triage_agents
from tests.wire import fails
from tests.workflows.script import done

TICKET = {"ticket": "I need a refund for my recent purchase"}
TRIAGE: list[dict[str, Any]] = [
    {
        "id": "analyze",
        "name": "Analyze the ticket",
        "agent": "ticket-analyzer",
        "input": {"text": "input.ticket"},
    },
    {
        "id": "customer",
        "name": "Look up the customer",
        "agent": "customer-data",
        "input": {"customer_id": "steps.analyze.customer_id"},
    },
    {
        "id": "solve",
        "name": "Propose a solution",
        "agent": "solution-generator",
        "input": {"ticket_id": "steps.analyze.ticket_id", "customer": "steps.customer.customer_360"},
    },
]
SEND = {"id": "send", "name": "Send the refund", "agent": "refund-desk", "checkpoint": "before"}
FIGURES = {"id": "count", "name": "Count what came in", "agent": "night-counter"}


def furnish_workflows(ada: House) -> dict[str, str]:
    """Returns where they are."""
    triage_agents(ada)
    agent(ada, "refund-desk", "Refund Desk", lambda _: done({"refunded": 99.99}), fields(refunded={"type": "number"}))
    agent(ada, "night-counter", "Night Counter", lambda _: fails(400, "The report is not there yet"), {})
    given = fields(ticket=STRING)
    _workflow(ada, "it-ticket-triage", "IT ticket triage", TRIAGE, input_schema=given)
    _workflow(ada, "refund", "Refund with sign-off", [*TRIAGE, SEND], input_schema=given)
    _workflow(ada, "nightly-figures", "Nightly figures", [{"id": "read", "agent": "ticket-analyzer"}, FIGURES])
    twenty = [{"id": f"step-{at}", "name": f"Region {at}", "agent": "customer-data"} for at in range(1, 21)]
    _workflow(ada, "regions", "All regions", twenty)
    _schedules(ada)
    waiting = ada.post("/api/runs", {"workflow": "refund", "input": TICKET})["id"]
    ada.ask(waiting)
    failed = ada.post("/api/runs", {"workflow": "nightly-figures", "input": {}})["id"]
    while ada.get(f"/api/runs/{failed}")["ended_at"] is None:
        time.sleep(0.1)
    # What stood there when it was saved is gone since.
    ada.client.delete("/api/agents/night-counter").raise_for_status()
    return {
        "workflow": "/workflows/refund",
        "workflow-problems": "/workflows/nightly-figures",
        "workflow-twenty": "/workflows/regions",
        "workflow-run": f"/runs/{waiting}",
        "workflow-run-failed": f"/runs/{failed}",
    }


def _schedules(ada: House) -> None:
    """One of an agent, one of a workflow, and one that somebody has switched off."""
    watch = {
        "agent": "competitive-analysis",
        "task": "See what other vendors changed since last week",
        "name": "Market",
    }
    ada.post("/api/schedules", {**watch, "cron": "30 7 * * 1", "timezone": "Europe/Berlin"})
    ada.post("/api/schedules", {"workflow": "it-ticket-triage", "input": TICKET, "cron": "0 9 * * 1-5"})
    figures = {"workflow": "nightly-figures", "input": {}, "cron": "15 2 * * *", "enabled": False}
    ada.post("/api/schedules", figures)


def _workflow(ada: House, slug: str, name: str, steps: list[dict[str, Any]], **more: Any) -> None:
    ada.post("/api/workflows", {"slug": slug, "name": name, "steps": steps, **more})
