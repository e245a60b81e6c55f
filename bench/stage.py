"""The real parts on a fresh database, with a model that answers at once and a tool that says when it began."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

import psycopg
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models import Model
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel
from sqlalchemy.orm import Session

from signoff import main
from signoff.catalog import actions as catalog
from signoff.catalog.schemas import AgentDefinition, Limits
from signoff.claims.actions import Claim, claim_ready
from signoff.engine.model import client, providers
from signoff.engine.worker.owner import this_owner
from signoff.kit.actor import Actor
from signoff.kit.clock import now
from signoff.kit.settings import Settings
from signoff.runs import actions as runs
from signoff.runs.schemas import RunIn
from signoff.tools.registry import tool
from signoff.workspaces import queries as people
from tests.postgres import new_database

TOKEN = "the-token-of-the-benchmarks"

# What the model says each time, here and at the peer: 200 characters.
SAYING = ("I have looked at what is there and go on with the next step of the task as it was given to me. " * 3)[:200]
ARGUMENTS = {"target": "report.md", "text": SAYING}
LEASE = timedelta(seconds=60)
OWNER = this_owner()
# The steps of a run that is long, and of one that is worked on by several processes.
LONG, SHARED = 505, 30
# Safe calls that each agent makes; one of them has a model that takes its time, in milliseconds.
AGENTS = {f"bench-{steps}": f"bench:{steps}" for steps in (0, 10, SHARED, LONG)} | {"bench-slow": f"bench:{SHARED}:20"}
# One whose calls have long results: its conversation is shortened again and again.
PAGES = "pages"
AGENTS |= {f"bench-{PAGES}": f"bench:{LONG}:0:{PAGES}"}
LEFT, MOST_TURNS = re.compile(r"Left: (\d+) turns"), 10_000
LIMITS = Limits(max_iterations=MOST_TURNS)
PAGE = "A line of a long page, of which there are many. " * 400


@tool(risk="high", operation_type="external_api_call", title="Act on {target}")
async def act(target: str, text: str) -> float:
    """Do something that needs approval. Tells when it began, on the machine's monotonic clock."""
    began = time.perf_counter()
    for hear in LISTENING:
        hear(began)
    return began


# Told when the tool begins.
LISTENING: list[Callable[[float], None]] = []


@tool(risk="low", operation_type="read", idempotent=True)
async def read_page(number: int) -> str:
    """Read a page of 20 KB."""
    return f"{number}: {PAGE}"


def turn_of(messages: list[ModelMessage]) -> int | None:
    """How many turns there were, as the request says at its end. None: it asks for a summary."""
    found = LEFT.search(str(getattr(messages[-1].parts[-1], "content", "")))
    return None if found is None else MOST_TURNS - int(found[1])


@lru_cache
def instant_model(name: str) -> Model:
    """`bench:N` makes N safe calls, then one that needs approval, then completes. `bench:N:MS` takes that long."""
    steps, milliseconds = (int(number) for number in f"{name}:0".split(":")[1:3])
    reads = name.endswith(PAGES)

    async def play(messages: list[ModelMessage], _info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        turn = turn_of(messages)
        if milliseconds:
            await asyncio.sleep(milliseconds / 1000)
        yield SAYING
        if turn is None:
            return
        if turn < steps and reads:
            made = DeltaToolCall("read_page", f'{{"number": {turn}}}', tool_call_id=f"call_{turn}")
        elif turn < steps:
            made = DeltaToolCall("list_files", '{"path": "."}', tool_call_id=f"call_{turn}")
        elif turn == steps:
            text = f'{{"target": "report.md", "text": "{SAYING}"}}'
            made = DeltaToolCall("act", text, tool_call_id=f"call_{turn}")
        else:
            made = DeltaToolCall("complete_task", '{"summary": "done"}', tool_call_id=f"call_{turn}")
        yield {0: made}

    return FunctionModel(stream_function=play, model_name=name)


@dataclass
class Timeline:
    """The engine's own named places, with the time at each; `parked` is set by every step that is stored."""

    marks: list[tuple[str, float]] = field(default_factory=list)
    parked: asyncio.Event = field(default_factory=asyncio.Event)
    watch: Callable[[str], None] | None = None

    async def __call__(self, place: str) -> None:
        self.marks.append((place, time.perf_counter()))
        if self.watch:
            self.watch(place)
        if place == "stored":
            self.parked.set()

    def at(self, place: str) -> list[float]:
        return [when for name, when in self.marks if name == place]


@dataclass
class Stage:
    """One database with everything on it."""

    parts: main.Parts
    actor: Actor
    timeline: Timeline
    # Seconds inside each model call: pydantic-ai, and our translation to and from its messages.
    model_calls: list[float]

    def start(self, steps: int | str) -> str:
        """A new run of the agent that makes so many safe calls first, or of the one with this name."""
        given = RunIn(agent=f"bench-{steps}", task="Look around, then act.")
        return self.parts.db.write(lambda session: runs.start(session, self.actor, given).id)

    def claim(self, limit: int = 1) -> list[Claim]:
        return self.parts.db.write(lambda session: claim_ready(session, OWNER, now(), LEASE, limit))

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """With the real engine in this loop."""
        await self.parts.hub.start()
        await self.parts.engine.start()
        yield
        await self.parts.engine.stop()
        await self.parts.hub.stop()

    async def idle(self) -> None:
        """Until no run is in the engine's hands."""
        while self.parts.engine.live:  # noqa: ASYNC110 - the engine has no event for it
            await asyncio.sleep(0.002)


def assemble(settings: Settings, timeline: Timeline) -> main.Parts:
    """The product as `signoff serve` puts it together, with the bench's tool and model."""
    providers.model_for = lambda name, _opened: instant_model(name)
    parts = main.assemble(settings, timeline)
    for each in (act, read_page):
        parts.context.registry.register(each)
    return parts


def prepare(settings: Settings, timeline: Timeline) -> tuple[main.Parts, Actor]:
    """The same on a migrated database, with the bench's agents."""
    parts = assemble(settings, timeline)
    main.prepare(parts)
    workspace_id = parts.db.read(people.first_workspace)
    assert workspace_id is not None
    actor = Actor.system(workspace_id)
    parts.db.write(lambda session: add_agents(session, actor))
    return parts, actor


def add_agents(session: Session, actor: Actor) -> None:
    for slug, model in AGENTS.items():
        definition = AgentDefinition(name="Bench", model=model, tools=["list_files", "act", "read_page"], limits=LIMITS)
        catalog.create(session, actor, slug, definition)


@contextmanager
def stage(folder: Path, database_url: str, **wanted: Any) -> Iterator[Stage]:
    """Set up in `folder`, on SQLite there or on the database given, with the settings wanted; closed afterwards."""
    timeline, spent, request_model = Timeline(), list[float](), client.request_model

    async def timed(*given: object, **named: object) -> object:
        begin = time.perf_counter()
        try:
            return await request_model(*given, **named)
        finally:
            spent.append(time.perf_counter() - begin)

    client.request_model = timed
    parts, actor = prepare(
        Settings(data=folder, database_url=database_url, demo=False, token=TOKEN, **wanted), timeline
    )
    try:
        yield Stage(parts, actor, timeline, spent)
    finally:
        parts.db.close()
        client.request_model = request_model


@dataclass
class Place:
    """Where databases are made: a folder for SQLite, a server for PostgreSQL."""

    db: str
    folder: Path
    server: str = ""
    made: int = 0

    def fresh(self) -> tuple[Path, str]:
        """A new folder and, on PostgreSQL, a new database's URL."""
        self.made += 1
        folder = self.folder / f"{self.db}-{self.made}"
        folder.mkdir(mode=0o700)
        return folder, new_database(self.server, f"bench_{self.made}") if self.server else ""


def bytes_on_disk(folder: Path, url: str) -> int:
    """What the database takes, with everything moved out of the write-ahead log."""
    if not url:
        import sqlite3

        path = next(folder.glob("*.db"))
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        return path.stat().st_size
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CHECKPOINT")
        found = connection.execute("SELECT pg_database_size(current_database())").fetchone()
        assert found is not None
        return found[0]
