"""A run with everything in it that its end has to take care of."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from signoff.asks import actions as asks
from signoff.asks.models import Ask
from signoff.catalog import actions as catalog
from signoff.catalog.schemas import AgentDefinition
from signoff.claims.actions import Claim
from signoff.deliverables.models import Deliverable
from signoff.kit import clock
from signoff.kit.actor import Actor, Role
from signoff.kit.db.database import Database
from signoff.kit.ids import new_id
from signoff.runs import actions as runs
from signoff.runs.asking.new_ask import ASK_DEFAULTS
from signoff.runs.models import Call, Run
from signoff.runs.schemas import RunIn
from signoff.runs.states import CallStatus
from signoff.runs.waiting import wait_for
from signoff.workspaces import actions as workspaces

LEASE = timedelta(minutes=1)


@dataclass(frozen=True)
class Scene:
    """A workspace, a person in it, a run with one call of every status, and the worker that holds it."""

    db: Database
    person: Actor
    run_id: str
    parent_id: str
    child_id: str
    claim: Claim

    def run(self, run_id: str = "") -> Run:
        return self.db.read(lambda s: s.get_one(Run, run_id or self.run_id))

    def calls(self) -> dict[str, str]:
        """How each call stands now, by the status that it began with."""
        query = select(Call.tool, Call.status).where(Call.run_id == self.run_id)
        return {tool: status for tool, status in self.db.read(lambda s: s.execute(query).all())}  # noqa: C416

    def call(self, tool: str) -> Call:
        query = select(Call).where(Call.run_id == self.run_id, Call.tool == tool)
        return self.db.read(lambda s: s.scalars(query).one())

    def statuses(self, of: Any) -> list[str]:
        return self.db.read(
            lambda s: list(s.scalars(select(of.status).where(of.run_id == self.run_id).order_by(of.id)))
        )

    def release(self) -> None:
        """As if no worker had it."""
        change = update(Run).where(Run.id == self.run_id).values(owner=None, lease_until=None, wake_at=None)
        self.db.write(lambda s: s.execute(change))


def new_call(run_id: str, status: CallStatus, position: int) -> Call:
    """A call whose tool is named by the status that it begins with."""
    named = {"id": new_id(), "run_id": run_id, "turn": 1, "position": position, "tool_call_id": f"c{position}"}
    made = {"proposed_arguments": {}, "verdict": {}, "attempt": 0, "cost_credits": 0.0, "created_at": clock.now()}
    return Call(**named, **made, tool=status.value, status=status.value)


def scene_in(db: Database, status: str = "running") -> Scene:
    """A run that a worker holds, with calls of every status, open asks, a draft in two versions, parent and child."""

    def build(session: Session) -> Scene:
        workspace = workspaces.found(session, "w", f"{new_id()}@example.org", "w").workspace_id
        person = Actor(workspace, Role.ADMIN, "ada", user_id="ada")
        catalog.create(session, person, "a", AgentDefinition(name="a", model="demo:a"))
        parent, run, child = (runs.start(session, person, RunIn(agent="a", task="t")) for _ in range(3))
        run.status, run.started_at, run.parent_id, child.parent_id = status, clock.now(), parent.id, run.id
        run.owner, run.fence, run.lease_until = "worker", 1, clock.now() + LEASE
        parent.wake_at = None
        wait_for(session, parent, [run.id])
        session.add_all(new_call(run.id, each, position) for position, each in enumerate(CallStatus))
        for _ in range(2):
            _open_ask(session, run)
        add_draft(session, run, "report", 1, newest=False)
        add_draft(session, run, "report", 2)
        return Scene(db, person, run.id, parent.id, child.id, Claim(run.id, "worker", 1))

    return db.write(build)


def _open_ask(session: Session, run: Run) -> None:
    named = {"id": new_id(), "workspace_id": run.workspace_id, "run_id": run.id, "kind": "approval", "title": "t"}
    about = {"status": "pending", "agent": "a", "run_title": "t", "created_at": clock.now()}
    ask = Ask(**ASK_DEFAULTS | named | about, tool="pay", arguments={"amount": 1}, arguments_schema={"type": "object"})
    asks.open_ask(session, Actor.agent(run.workspace_id, "a"), ask)


def add_draft(session: Session, run: Run, name: str, version: int = 1, *, newest: bool = True) -> None:
    kept = {"storage": "inline", "content": b"x", "size_bytes": 1, "type": "markdown", "mime_type": "text/markdown"}
    origin = {"workspace_id": run.workspace_id, "run_id": run.id, "agent": "a"}
    session.add(Deliverable(**origin, **kept, name=name, version=version, newest=newest))
    session.flush()
