"""One database, one scripted model, processes that come and go, and a look at what they left behind."""

import os
import signal
from collections import Counter
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import func, select

from signoff.asks import actions as asks
from signoff.asks import queries as ask_queries
from signoff.asks.answers.outcome import Answer
from signoff.asks.models import Ask
from signoff.audit import queries as audit
from signoff.audit.models import AuditEntry
from signoff.audit.queries import Wanted
from signoff.catalog import actions as catalog
from signoff.catalog.schemas import AgentDefinition
from signoff.kit.clock import now
from signoff.kit.db import events
from signoff.kit.db.database import Database
from signoff.kit.db.events import Event
from signoff.kit.settings import Settings
from signoff.runs import actions as runs
from signoff.runs.models import Call, Message, Run
from signoff.runs.schemas import RunIn
from signoff.workspaces import actions as workspaces
from signoff.workspaces import queries as people
from tests.crash.victim import CHARGES, FORKS, LOOKUPS, Orders, live
from tests.house import ENDED, until
from tests.ports import free_port
from tests.wire import Model, call, says

PATIENCE = 60.0
OUTPUT = {"total": 3}
STORY = (
    says("Let me look.", call("lookup", {"item": "a"}, "look_a"), call("lookup", {"item": "b"}, "look_b")),
    says("Now charge.", call("charge", {"item": "c"}, "charge_c")),
    says("That is all.", call("complete_task", {"summary": "done", "output": OUTPUT}, "end")),
)


class Life:
    """A process of ours."""

    def __init__(self, orders: Orders) -> None:
        self._orders = orders
        self._process: ForkServerProcess = FORKS.Process(target=live, args=(orders,), daemon=True)
        self._process.start()
        self.client = httpx.Client(
            base_url=f"http://127.0.0.1:{orders.settings.port}",
            headers={"Authorization": f"Bearer {orders.settings.token}"},
            timeout=PATIENCE,
            verify=False,
        )

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    @property
    def is_up(self) -> bool:
        return "Uvicorn running" in self.log()

    def up(self) -> "Life":
        """Wait until it is at work."""
        until(lambda: self.is_up, PATIENCE)
        return self

    def log(self) -> str:
        return self._orders.log.read_text() if self._orders.log.exists() else ""

    def said(self, words: str) -> None:
        """Wait for words in its log."""
        until(lambda: words in self.log(), PATIENCE)

    def died(self) -> None:
        """Wait until it has killed itself."""
        self._process.join(PATIENCE)
        assert self._process.exitcode == -signal.SIGKILL, f"{self._process.exitcode}\n{self.log()}"

    def stopped(self) -> None:
        """Wait until it has stopped itself."""
        stat = Path(f"/proc/{self._process.pid}/stat")
        until(lambda: stat.read_text().rsplit(")", 1)[1].split()[0] == "T", PATIENCE)

    def send(self, number: int) -> None:
        os.kill(self._process.pid or 0, number)

    def go_on(self) -> None:
        """Let it go on from where it naps or hangs."""
        self._orders.go.touch()

    def kill(self) -> None:
        if self.alive:
            self._process.kill()
        self._process.join()
        self.client.close()

    def leave(self) -> None:
        """Let it end in its own way."""
        self._process.terminate()
        self.left()

    def left(self) -> None:
        self._process.join(PATIENCE)
        assert "Application shutdown complete" in self.log()


class Scene:
    """Acts as the person in front, straight on the database, so that no process needs to live for it."""

    def __init__(self, db: Database, settings: Settings, model: Model) -> None:
        self.db, self.model, self.settings = db, model, settings
        self._lives = list[Life]()
        admin = db.write(lambda s: workspaces.found(s, "Home", "admin@localhost", "Admin"))
        self.actor = db.read(lambda s: people.actor_of(s, admin, "system"))

    # Processes

    def life(
        self,
        place: str = "",
        passing: int = 1,
        *,
        lease: float | None = None,
        patience: float | None = None,
        room: int | None = None,
        **orders: Any,
    ) -> Life:
        """Start a process; with a place, it meets its fate there. Patience is how long it waits for a tool, room how
        many runs it takes at once."""
        changed = {"port": free_port(), "lease_seconds": lease or self.settings.lease_seconds}
        changed["max_live_runs"] = room or self.settings.max_live_runs
        changed["tool_timeout_seconds"] = patience or self.settings.tool_timeout_seconds
        settings = self.settings.model_copy(update=changed)
        log = settings.data / f"life-{len(self._lives)}.log"
        life = Life(Orders(settings, self.model.url, log, place, passing, **orders))
        self._lives.append(life)
        return life

    def close(self) -> None:
        for life in self._lives:
            life.kill()

    # Work

    def agent(self, slug: str, *answers: dict[str, Any], **fields: Any) -> str:
        """An agent whose model says this, in order."""
        model = self.model.script(slug, *answers)
        given = AgentDefinition(
            name=slug, model=model, tools=["charge", "lookup", "pay", "write_file", "start_run"], **fields
        )
        self.db.write(lambda s: catalog.create(s, self.actor, slug, given))
        return slug

    def start(self, agent: str, task: str = "do it") -> str:
        return self.db.write(lambda s: runs.start(s, self.actor, RunIn(agent=agent, task=task)).id)

    def story(self, **fields: Any) -> str:
        """A run that looks two things up at once, charges for a third and ends."""
        return self.start(self.agent("story", *STORY, **fields))

    def run(self, run_id: str) -> Run:
        return self.db.read(lambda s: s.get_one(Run, run_id))

    def ended(self, run_id: str) -> Run:
        return until(lambda: run if (run := self.run(run_id)).status in ENDED else None, PATIENCE)

    def asks(self, run_id: str | None = None) -> list[Ask]:
        query = ask_queries.asks(self.actor, status="pending", run_id=run_id)
        return self.db.read(lambda s: list(s.scalars(query)))

    def ask(self, run_id: str) -> Ask:
        """Wait for the run's ask, and for the run to rest on it."""
        until(lambda: self.run(run_id).status.startswith("waiting") and self.run(run_id).owner is None, PATIENCE)
        return self.asks(run_id)[0]

    def answer(self, ask: Ask, given: Answer) -> None:
        self.db.write(lambda s: asks.answer(s, self.actor, s.get_one(Ask, ask.id), given))

    # What was left behind

    def requests(self, agent: str = "story") -> list[int]:
        """How often the model was asked for each turn."""
        asked = Counter(sum(m["role"] == "assistant" for m in each["messages"]) for each in self.model.asked(agent))
        return [asked[turn] for turn in range(max(asked) + 1)]

    def ledger(self, name: str) -> list[list[str]]:
        """What a tool did, each time: for which call, when, with what."""
        path = self.settings.data / name
        return [line.split() for line in path.read_text().splitlines()] if path.exists() else []

    @property
    def charged(self) -> list[str]:
        return [item for _, _, item in self.ledger(CHARGES)]

    @property
    def looked_up(self) -> list[str]:
        return sorted(item for _, _, item in self.ledger(LOOKUPS))

    def calls(self, run_id: str) -> list[Call]:
        query = select(Call).where(Call.run_id == run_id).order_by(Call.turn, Call.position)
        return self.db.read(lambda s: list(s.scalars(query)))

    def rows(self, run_id: str) -> dict[str, list[Any]]:
        """Everything that is stored of a run."""
        tables = {Run: Run.id, Message: Message.run_id, Call: Call.run_id, Ask: Ask.run_id}
        tables |= {Event: Event.run_id, AuditEntry: AuditEntry.run_id}
        return {
            table.__tablename__: self.db.read(
                lambda s, t=table, c=column: sorted(
                    map(str, s.execute(select(*t.__table__.columns).where(c == run_id)))
                )
            )
            for table, column in tables.items()
        }

    def answered(self, ask: Ask) -> int:
        """How many answers to an ask are on the record."""
        query = audit.entries(self.actor, action=Wanted("ask.answered"), subject=Wanted(ask.id))
        return len(self.db.read(lambda s: s.scalars(query).all()))

    def lease(self, run_id: str, *, ended: bool) -> None:
        """Wait until the run's lease is over, or until it runs again."""
        until(lambda: ((self.run(run_id).lease_until or now()) < now()) == ended, PATIENCE)

    def right(self, run_id: str) -> None:
        """The run ended well, once, and the record of it is whole."""
        self.ended_well(run_id)
        self.whole()

    def ended_well(self, run_id: str) -> None:
        run = self.ended(run_id)
        assert (run.status, run.completion_reason, run.output) == ("completed", "success", OUTPUT), run.error
        assert (run.owner, run.lease_until, run.wake_at) == (None, None, None)
        assert self.asks(run_id) == []
        emitted = Counter(event.type for event in self.events_of(run_id))
        assert emitted["run.ended"] == emitted["run.created"] == 1
        calls = self.calls(run_id)
        assert emitted["call.finished"] == len(calls) == len({each.tool_call_id for each in calls})

    def whole(self) -> None:
        """The stream has no gaps and the audit chain holds."""
        position = Event.position
        ours = select(func.min(position), func.max(position), func.count()).where(
            Event.workspace_id == self.actor.workspace_id
        )
        first, last, count = self.db.read(lambda s: s.execute(ours)).one()
        assert (first, last) == (1, count)
        assert self.db.read(lambda s: audit.verify(s, self.actor.workspace_id)).ok

    def events_of(self, run_id: str) -> list[Event]:
        """What happened in a run, in order."""
        return self.db.read(lambda s: list(s.scalars(events.of_run(run_id).order_by(Event.position))))
