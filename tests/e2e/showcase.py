"""A house full of work for the pictures: people, rules, agents, runs of every age, an open ask of every kind."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import httpx
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.deliverables.models import Deliverable
from signoff.kit.clock import now
from signoff.migrations import tables as tables
from signoff.rules.models import PolicyRow, RuleVersion
from signoff.runs.models import Call, Message, Run
from tests.e2e.conftest import Server
from tests.e2e.flows import some_answer
from tests.e2e.scripted import FORM, STEPS, TOOLS, Scripted, question, write
from tests.e2e.seeds import database
from tests.joining import join
from tests.wire import DONE, Model, call, fails, says

# The first of them signs the decisions and looks at the pages.
PEOPLE = {"Ada Moreno": "admin", "Ben Okafor": "approver", "Chloe Lindqvist": "member", "Dev Patel": "viewer"}
RULES = """\
version: "1.0"

checkpoints:
  - name: "Messages by two"
    description: "What leaves your systems is read twice"
    trigger:
      tool: send_message
      confidence: "< 0.95"
    action:
      require_approval_count: 2
    examples:
      match: [{confidence: 0.9}]
      no_match: [{confidence: 0.99}]

auto_approval:
  enabled: true
  rules:
    - name: "Small refunds"
      conditions:
        operation_type: refund
        data_threshold: {field: amount, operator: "<=", value: 50}
        confidence: ">= 0.9"
      action: {auto_approve: true, notify: true}
"""
# A draft that would have saved a question, for the trial on the past.
DRAFT_RULES = (
    RULES
    + """
    - name: "Notes and minutes"
      conditions: {tool: write_file}
      action: {auto_approve: true}
"""
)
SUPPLIERS = [
    {"id": "fast", "label": "Courier", "value": "courier", "description": "There tomorrow, four times the price."},
    {"id": "post", "label": "Registered post", "value": "post", "description": "Three days, with a receipt."},
]
# The run that is at work while the pictures are taken.
STOCK = "Count the stock"
# What each task makes the scripted agent say first; then it completes.
SAYING: dict[str, dict[str, Any]] = {
    "Print the name cards": says("", question("What goes on the card?", "form", schema=FORM)),
    "Send the signed contract": says(
        "The contract is signed and scanned.",
        question("How should the contract be sent?", "choice", options=SUPPLIERS, context="Acme waits for it."),
    ),
    "Invite the speakers": says(
        "",
        call(
            "request_review",
            {
                "phase": "draft",
                "summary": "The **invitation** is written and the list has 14 names.\n\n- 9 were here last year\n"
                "- 5 are new",
                "next": "Send the invitations",
            },
        ),
    ),
    "Read the archive of 2019": says(
        "",
        call("request_budget", {"credits": 50, "iterations": 20, "why": "212 of 640 letters are read. All of them "
             "mention the lease, so the rest is worth reading."}),
    ),
    "Fetch the exchange rates": says(
        "",
        question(
            "The rates could not be fetched: the source does not answer.",
            "choice",
            type="error_recovery",
            options=[
                {"id": "wait", "label": "Try again in an hour", "value": "wait"},
                {"id": "old", "label": "Use yesterday's rates", "value": "old", "description": "0.4 % off at most."},
            ],
        ),
    ),
    "Order paper": says("", question("How many boxes of paper?", "number", defaultResponse=3)),
    "Tidy the drafts": says(
        "Three steps, and nothing is gone before you say so.",
        call("propose_plan", {"summary": "Keep the report, put the draft away, remove the old one.", "steps": STEPS}),
    ),
    "Answer the landlord": says("", question("Which of the two flats is it about?", "text")),
    "Look up the tariff": fails(400, "The request was refused"),
    "Keep minutes.md up to date": says("", write("minutes.md")),
    "Keep agenda.md up to date": says("", write("agenda.md")),
    STOCK: says(
        "I count shelf by shelf.",
        call("report_progress", {"current_step": "Count the third shelf", "percentage": 55,
             "completed_steps": ["First shelf", "Second shelf"], "remaining_steps": ["Compare with the books"]}),
    ),
}  # fmt: skip

PRICE_LIST = (
    "# Prices\n\n| Plan | Per seat |\n|---|---|\n| Starter | 19 |\n| Team | 35 |\n| Business | 49 |\n\nBilled yearly.\n"
)
NEW_PRICES = PRICE_LIST.replace("| 19 |", "| 21 |").replace("| 49 |", "| 52 |") + "Students pay half.\n"
# How long each second of a seeded run stands for, and what a step of it costs.
STRETCH = 150
CREDITS_A_STEP = 0.7
LONGER_THAN_ALL = 1800


@dataclass
class House(Scripted):
    """The server as one of its people uses it."""

    server: Server

    def answer(self, ask: dict[str, Any], **answer: Any) -> None:
        self.post(f"/api/asks/{ask['id']}/answer", answer)

    def begin(self, agent: str, task: str, **more: Any) -> str:
        return self.post("/api/runs", {"agent": agent, "task": task, **more})["id"]

    def asked(self, agent: str, task: str) -> dict[str, Any]:
        return self.ask(self.begin(agent, task))

    def forget(self, run: str) -> None:
        """End and remove a run that was there for one picture."""
        self.client.post(f"/api/runs/{run}/cancel", json={})
        self.client.delete(f"/api/runs/{run}")

    def work_off(self, agent: str, task: str, decision: str = "approve", **more: Any) -> str:
        """A run that has ended, with every question answered and every request decided alike."""
        run = self.begin(agent, task, **more)
        while self.get(f"/api/runs/{run}")["ended_at"] is None:
            for ask in self.get("/api/asks", run=run, status="pending")["items"]:
                answer = {"decision": decision}
                if decision == "deny":
                    answer["note"] = "Invoices are sent by the office"
                if ask["kind"] in {"question", "clarification"}:
                    answer = {"decision": "respond", "value": some_answer(ask)}
                self.client.post(f"/api/asks/{ask['id']}/answer", json=answer)
        return run


@contextmanager
def people(server: Server, model: Model, token: str) -> Iterator[dict[str, House]]:
    """Everybody with a key of their own, by first name."""
    with httpx.Client(base_url=server.url, headers=_bearer(token), timeout=40) as admin:
        house = House(admin, model, server)
        emails = {name: f"{name.split()[0].lower()}@example.com" for name in PEOPLE}
        keys = {name: join(admin, emails[name], role, name) for name, role in PEOPLE.items()}
        house.post("/api/groups", {"name": "finance", "members": list(emails.values())[:3]})
    clients = {name: httpx.Client(base_url=server.url, headers=_bearer(keys[name]), timeout=40) for name in PEOPLE}
    yield {name.split()[0].lower(): replace(house, client=client) for name, client in clients.items()}
    for client in clients.values():
        client.close()


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def furnish(ada: House) -> dict[str, str]:
    """Ended runs, rules, then one open ask of every kind. Returns where the interesting ones are."""
    ada.forget(ada.get("/api/runs")["items"][0]["id"])
    finished = ada.work_off("competitive-analysis", "Compare the tools that we pay for twice")
    ada.work_off("assistant", "Write down what we decided about the launch date")
    ada.work_off("launch-plan", "Launch version 1.9")
    ada.work_off("support-reply", "Ben asks where his invoice is", "deny")
    _office(ada)
    _propose_rule(ada)
    version = ada.get("/api/rules")["version"]
    saved = ada.client.put("/api/rules", json={"yaml": RULES, "version": version, "note": "Messages need two"})
    assert saved.is_success, saved.text
    failed = ada.begin("office", "Look up the tariff")
    cancelled = ada.begin("assistant", "Notes on the old office")
    ada.ask(cancelled)
    ada.post(f"/api/runs/{cancelled}/cancel", {})
    asks = {
        "approval": ada.asked("competitive-analysis", "Compare the vendors of agents that ask before they act"),
        "signatures": ada.asked("support-reply", "Mia asks where her refund is. Write a friendly reply."),
        "plan": ada.asked("launch-plan", "Plan the launch of version 2 and announce it."),
        "diff": _rewritten(ada),
        "question": ada.asked("office", "Send the signed contract"),
        "form": ada.asked("office", "Print the name cards"),
        "number": ada.asked("office", "Order paper"),
        "milestone": ada.asked("office", "Invite the speakers"),
        "budget": ada.asked("office", "Read the archive of 2019"),
        "recovery": ada.asked("office", "Fetch the exchange rates"),
        "clarification": ada.asked("front-desk", "Answer the landlord"),
    }
    ada.begin("office", STOCK)
    _age(ada.server)
    paths = {f"ask-{kind}": f"/asks/{ask['id']}" for kind, ask in asks.items()}
    return paths | {
        "run": f"/runs/{asks['approval']['run_id']}",
        "run-ended": f"/runs/{finished}",
        "run-failed": f"/runs/{failed}",
    }


def _rewritten(house: House) -> dict[str, Any]:
    """A file that is there already is to be written again."""
    first, second = (write("prices.md", content=text) for text in (PRICE_LIST, NEW_PRICES))
    model = house.model.script("price-desk", says("", first), says("The new prices are agreed.", second))
    desk = {"slug": "price-desk", "name": "Price desk", "title": "Keeps the price list", "category": "operations"}
    house.post(
        "/api/agents", desk | {"description": "Changes prices once they are agreed.", "model": model, "tools": TOOLS}
    )
    before = house.asked("price-desk", "Raise the prices")
    house.answer(before, decision="approve")
    house.settled(before)
    return house.ask(before["run_id"])


def _propose_rule(house: House) -> None:
    """The same approval twice, and the second time it is asked to be remembered."""
    for path, more in (("minutes.md", {}), ("agenda.md", {"remember": "rule"})):
        house.answer(house.asked("office", f"Keep {path} up to date"), decision="approve", **more)


def _office(house: House) -> None:
    """Two agents that ask what their task makes them ask."""

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        text = json.dumps(request["messages"])
        if any(message["role"] == "assistant" for message in request["messages"]):
            if STOCK in text:
                time.sleep(LONGER_THAN_ALL)
            return DONE
        return next((said for task, said in SAYING.items() if task in text), DONE)

    model = house.model.play("office", answer)
    common = {"model": model, "tools": TOOLS, "category": "operations", "autonomy": "approve_high_risk"}
    manner = "You run the office. You write plainly, and you ask before anything leaves your systems."
    office = {"slug": "office", "name": "Office", "title": "Letters, orders and appointments", "instructions": manner}
    desk = {"slug": "front-desk", "name": "Front desk", "title": "Asks what is meant first", "clarify": True}
    house.post("/api/agents", common | office | {"description": "Does what an office does, and asks first."})
    house.post("/api/agents", common | desk | {"description": "Makes sure that a task is understood."})


def _age(server: Server) -> None:
    """Let the past lie in the past: each run some hours before the next, its seconds stretched to minutes.

    But for the record: it is sealed, and says so when somebody moves its entries.
    """
    with database(server.folder) as session:
        at, ended = now(), now() - timedelta(minutes=50)
        for run in session.scalars(select(Run).order_by(Run.created_at.desc())).all():
            # What waits is from this hour; what has ended reaches back for days.
            if run.ended_at is None:
                at -= timedelta(minutes=4)
            else:
                ended -= timedelta(hours=5, minutes=20)
            _age_run(session, run, ended if run.ended_at else at)
        session.execute(update(RuleVersion).values(created_at=ended))
        session.execute(update(PolicyRow).values(updated_at=ended))


def _age_run(session: Session, run: Run, end: datetime) -> None:
    start = run.created_at
    length = ((run.ended_at or now()) - start).total_seconds()
    begin = end - timedelta(seconds=length * STRETCH) if run.ended_at else end
    stretch = STRETCH if run.ended_at else 1

    def moved(then: datetime | None) -> datetime | None:
        return begin + (then - start) * stretch if then else None

    for message in session.scalars(select(Message).where(Message.run_id == run.id)):
        message.created_at = moved(message.created_at) or begin
    for made in session.scalars(select(Deliverable).where(Deliverable.run_id == run.id)):
        made.created_at = made.updated_at = moved(made.created_at) or begin
    for ask in session.scalars(select(Ask).where(Ask.run_id == run.id)):
        ask.created_at, ask.settled_at = moved(ask.created_at) or begin, moved(ask.settled_at)
    for each in session.scalars(select(Call).where(Call.run_id == run.id)):
        # How long a call took stays as it was.
        began, over = each.started_at, each.ended_at
        each.created_at, each.started_at = moved(each.created_at) or begin, moved(began)
        each.ended_at = begin + (began - start) * stretch + (over - began) if began and over else None
    run.started_at, run.ended_at, run.created_at = moved(run.started_at), moved(run.ended_at), begin
    run.cost_credits = round(run.iterations * CREDITS_A_STEP, 1)
    run.working_seconds = min(length * STRETCH * 0.8, run.iterations * 11.0)
