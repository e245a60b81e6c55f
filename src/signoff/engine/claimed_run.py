"""A run in a worker's hands: its rows in memory, kept in step with what is committed."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.states import AskKind
from signoff.catalog.schemas import AgentDefinition, Limits
from signoff.claims.actions import Claim
from signoff.connections import tool_names
from signoff.connections.queries import UsableConnection
from signoff.deliverables.drafts import StoredFile
from signoff.engine.context import EngineContext
from signoff.engine.model.history import History
from signoff.engine.model.reply import ModelReply
from signoff.kit.actor import Actor
from signoff.kit.clock import now
from signoff.kit.errors import SignoffError
from signoff.kit.jsons import JsonObject, clean_text, digest
from signoff.policy.evaluate import Autonomy, Stance
from signoff.runs.asking.new_ask import new_ask
from signoff.runs.events import CALL_PROGRESS, CallProgress
from signoff.runs.limits import Usage, deadline
from signoff.runs.models import Call, Message, Run
from signoff.runs.states import ENDED, FINISHED, CallStatus, RunStatus
from signoff.runs.worker.snapshot import Snapshot, Undo
from signoff.tools.builtin.find_tools import FIND_TOOLS, MOST_SHOWN
from signoff.tools.egress import FETCHING, Reach, host_of
from signoff.tools.impact_statements import Statements
from signoff.tools.registry import FAILURES_ALLOWED, GivenInput, Registry, Tool, ToolContext

T = TypeVar("T")
LONGEST_REPORT = 300
NOT_MADE = "What it finds depends on what runs before it."


@dataclass
class ClaimedRun:
    """One claimed run: its rows in memory, kept in step with what is committed."""

    claim: Claim
    run: Run
    definition: AgentDefinition
    # Where its tools come from.
    registry: Registry
    messages: list[Message]
    calls: list[Call]
    settled: dict[str, Ask]
    # Answers to questions that did not block.
    unread_answers: list[Ask] = field(default_factory=list[Ask])
    # What people want taken back, in that order, each with what others said to it.
    undos: list[Undo] = field(default_factory=list[Undo])
    # Answers that this worker took in, by id: what people signed is at hand when their call starts.
    signed: dict[str, Ask] = field(default_factory=dict[str, Ask])
    # Calls that the last transaction judged and marked: nothing stands between it and their start.
    cleared: set[str] = field(default_factory=set[str])
    # What people corrected before, in words; None until the model is first requested.
    lessons: list[str] | None = None
    # Set when a person pauses or ends the run: a model call under way is not waited for.
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    # The conversation as the model reads it.
    history: History = field(default_factory=History)
    # How many tokens of it the model is sent; None until the model is first requested.
    budget: int | None = None
    # What its tools stated about the calls that the next transaction judges.
    statements: Statements | None = None
    # What the reply at hand hands over by path, or why it cannot.
    taken_files: dict[str, StoredFile | SignoffError] = field(default_factory=dict[str, "StoredFile | SignoffError"])
    # What calls would change, by tool and digest of their arguments, while a transaction looks at them.
    previews: dict[tuple[str, str], JsonObject] = field(default_factory=dict[tuple[str, str], JsonObject])
    # A safe result on its way into the database while the model is requested already.
    storing: asyncio.Task[None] | None = None
    # How calls failed in this worker's hands, for whoever looks after their tools.
    traces: dict[str, str] = field(default_factory=dict[str, str])
    # Everything in its workspace is paused: nothing of it may start.
    held: bool = False
    # What the runs above it may still spend, when it was last looked.
    left_above: float = inf
    # What connections give it, by name.
    connected: dict[str, Tool] = field(default_factory=dict[str, Tool])
    # The hosts that the agents may reach by which it was started.
    hosts_above: tuple[list[str], ...] = ()
    # The wakes that this worker has answered for; a greater number in the row means: look again.
    wakes: int = 0
    _limits: tuple[JsonObject, Limits] | None = None
    _finished: int = 0
    # From which hosts the finished calls have read, and how many of those were looked at.
    _hosts: frozenset[str] = frozenset()
    _hosts_known: int = 0
    _read: int = 0
    _let_go_calls: int = 0
    _let_go_rows: int = 0
    _mark: float = field(default_factory=time.monotonic)
    # The other clock: one of the two goes on whatever made this process stand still.
    _time: float = field(default_factory=time.time)

    @classmethod
    def of(cls, claim: Claim, snapshot: Snapshot, registry: Registry, stop: asyncio.Event) -> "ClaimedRun":
        rows = (snapshot.messages, snapshot.calls, snapshot.settled, snapshot.unread_answers)
        more: dict[str, Any] = {"stop": stop, "wakes": snapshot.run.wakes, "undos": snapshot.undos}
        more["hosts_above"] = snapshot.hosts_above
        return cls(claim, snapshot.run, snapshot.definition, registry, *rows, **more)

    @property
    def actor(self) -> Actor:
        return self.run.actor

    @property
    def limits(self) -> Limits:
        # Looked at several times in every turn; they change only when people grant more.
        if self._limits is None or self._limits[0] is not self.run.limits:
            self._limits = self.run.limits, Limits.model_validate(self.run.limits)
        return self._limits[1]

    @property
    def stance(self) -> Stance:
        return Stance(Autonomy(self.run.autonomy), self.definition.risk_overrides)

    @property
    def deadline(self) -> datetime | None:
        return deadline(self.limits, self.run.started_at)

    @property
    def unfinished(self) -> list[Call]:
        # Rows only come behind the others, and what is finished stays so: a long run need not be walked each time.
        self._finished = _skip(self.calls, self._finished, lambda call: call.status in FINISHED)
        return [call for call in self.calls[self._finished :] if call.status not in FINISHED]

    async def stored(self) -> None:
        """Wait until everything in memory is in the database, too."""
        if self.storing is not None:
            try:
                # A worker that has to leave must not cut it off.
                await asyncio.shield(self.storing)
            finally:
                self.storing = None if self.storing.done() else self.storing

    @property
    def rests(self) -> bool:
        """Whether only somebody's wake, which announces itself, makes the run ready again."""
        if RunStatus(self.run.status) in ENDED:
            return True
        # Whoever paused everything may have lifted that before this run was released.
        return self.run.wakes == self.wakes and self.deadline is None and self.run.retries == 0 and not self.held

    @property
    def unread(self) -> list[Message]:
        """What the model has not read yet."""
        self._read = _skip(self.messages, self._read, lambda message: message.turn is not None)
        return [message for message in self.messages[self._read :] if message.turn is None]

    @property
    def usage(self) -> Usage:
        """What counts against the limits: working time, or all time where waiting counts."""
        run = self.run
        seconds = run.working_seconds + time.monotonic() - self._mark
        if self.limits.waiting_counts and run.started_at:
            seconds = (now() - run.started_at).total_seconds()
        return Usage(run.iterations, run.cost_credits, seconds)

    def work(self) -> dict[str, Any]:
        """The working time since the last write and the cost so far, to be written with this one."""
        elapsed, self._mark, self._time = time.monotonic() - self._mark, time.monotonic(), time.time()
        self.run.working_seconds += elapsed
        return {"working_seconds": self.run.working_seconds, "cost_credits": self.run.cost_credits}

    def count(self, reply: ModelReply, usd_per_credit: float) -> JsonObject:
        """Add what a reply took, as its provider counts it; the figures are to be written."""
        run = self.run
        run.tokens_input += reply.input_tokens
        run.tokens_output += reply.output_tokens
        run.tokens_cached += reply.cached_tokens
        run.cost_incomplete = run.cost_incomplete or reply.cost is None
        run.cost_credits += (reply.cost or 0.0) / usd_per_credit
        names = ("tokens_input", "tokens_output", "tokens_cached", "cost_incomplete", "cost_credits")
        return {name: getattr(run, name) for name in names}

    def let_go(self) -> None:
        """Keep no longer in memory what the model reads no longer: the database has it."""
        gone, kept = self.history.compaction, self.messages
        self._let_go_calls = _skip(self.calls, self._let_go_calls, lambda call: _forget_result(call, gone.cleared))
        self._let_go_rows = _skip(kept, self._let_go_rows, lambda message: _forget_reply(message, gone.summarized))

    def unsure(self, seconds: float) -> bool:
        """Whether so much time has passed since the last write that the claim may be another worker's."""
        return time.monotonic() - self._mark > seconds or not 0 <= time.time() - self._time <= seconds

    def ask(self, kind: AskKind, title: str, **fields: Any) -> Ask:
        """Something that this run needs from a person, not opened yet."""
        return new_ask(self.run, kind, title, **fields)

    @property
    def tools(self) -> list[Tool]:
        """What the agent has in this run, less what was taken away for failing. Where connections give more than a
        model can be shown, those that it looked up, in that order: what stands before stays the same."""
        own = self.registry.granted(self.definition.tools, self.run.tool_failures)
        if not self.connected:
            return own
        # There may be a thousand of them, and this is looked at several times in every turn.
        few = len(self.connected) <= MOST_SHOWN
        names = self.connected if few else [name for name in self.run.found_tools if name in self.connected]
        failures = self.run.tool_failures
        given = [self.connected[name] for name in names if failures.get(name, 0) < FAILURES_ALLOWED]
        return [*own, *given] if few else [*own, FIND_TOOLS, *given]

    def tool(self, name: str) -> Tool | None:
        """The tool of this name, also one that was taken away: its calls still need their ends. None: there is none."""
        return self.registry.get(name) or self.connected.get(name) or (FIND_TOOLS if name == FIND_TOOLS.name else None)

    def is_connected(self, name: str) -> bool:
        """Whether a tool of this name is a connection's, be it granted or not."""
        return tool_names.is_of_connection(name) and self.registry.get(name) is None

    def connect(self, session: Session, engine: EngineContext, usable: Sequence[UsableConnection]) -> None:
        """Have the tools of these connections from now on, and no others."""
        self.connected = engine.connections.of(session, usable)

    def cost(self, call: Call) -> float:
        """What a call that succeeded counts, in credits."""
        tool = self.tool(call.tool)
        return (tool.estimated_cost_credits or 0.0) if tool else 0.0

    def context(self, engine: EngineContext, call: Call, given: Sequence[GivenInput] = ()) -> ToolContext:
        """What a tool gets that runs."""
        report = partial(self._report, engine, call.id)
        found = replace(self.look_around(engine), call_id=call.id, given_input=tuple(given), report=report)
        found.folder.mkdir(parents=True, exist_ok=True)
        return found

    def _report(
        self, engine: EngineContext, call_id: str, progress: float, total: float | None, message: str | None
    ) -> None:
        said: CallProgress = {"call_id": call_id, "progress": progress}
        if total is not None:
            said["total"] = total
        if message is not None:
            said["message"] = clean_text(message)[:LONGEST_REPORT]
        engine.hub.transient(self.run.workspace_id, self.run.id, CALL_PROGRESS, said)

    def look_around(self, engine: EngineContext) -> ToolContext:
        """The same for what only looks: nothing is made for it."""
        folder: Path = engine.settings.runs_folder / self.run.id
        run, around = self.run, (folder, engine.settings, engine.db)
        fence, reach = self.claim.fence, self.reach(engine)
        return ToolContext(run.workspace_id, run.id, run.agent_subject.slug, "", *around, fence=fence, reach=reach)

    def preview(self, tool: Tool, arguments: JsonObject) -> JsonObject | None:
        """What was found out about a call before it is asked for; None: its tool shows nothing."""
        if tool.preview is None:
            return None
        found = self.previews.get((tool.name, digest(arguments)))
        return found or {"kind": "none", "why": NOT_MADE, "made_at": now().isoformat()}

    def reach(self, engine: EngineContext) -> Reach:
        """Which hosts this run may reach, and which it has read from."""
        unfinished = self.unfinished
        if self._hosts_known < self._finished:
            self._hosts |= _hosts_read(self.calls[self._hosts_known : self._finished])
            self._hosts_known = self._finished
        # A call that ended may stand behind one that has not.
        known = self._hosts | _hosts_read(self.calls[self._finished :]) if unfinished else self._hosts
        settings = engine.settings
        lists = (settings.egress, self.definition.egress, *self.hosts_above)
        return Reach.within(*lists, known=known, ours=host_of(settings.public_url))


def _hosts_read(calls: Sequence[Call]) -> frozenset[str]:
    """Only what fetched a page has read from its host; an address among another tool's arguments is just a word."""
    read = (call for call in calls if call.tool in FETCHING and call.status == CallStatus.SUCCEEDED.value)
    return frozenset(host_of(str(call.arguments.get("url", ""))) for call in read)


def _forget_result(call: Call, before: int) -> bool:
    """False: it is still read. What is finished is never written again."""
    if call.turn >= before or call.status not in FINISHED:
        return False
    call.result = None
    return True


def _forget_reply(message: Message, before: int) -> bool:
    if message.turn is None or message.turn >= before:
        return False
    message.response = None
    return True


def _skip(rows: Sequence[T], done: int, is_done: Callable[[T], bool]) -> int:
    """How many rows from the front are done, given how many were before."""
    while done < len(rows) and is_done(rows[done]):
        done += 1
    return done
