from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, Text, UniqueConstraint, false, text
from sqlalchemy.orm import Mapped, mapped_column

from signoff.catalog.tool_step import TOOL_STEP
from signoff.claims.models import Claimable, claim_indexes
from signoff.kit.actor import Actor
from signoff.kit.clock import now
from signoff.kit.db.columns import Base, JsonText
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject

# An agent's run has all that says which agent, and may be a step of a workflow; a workflow's has none of it. A tool
# that is a step by itself has no agent's revision.
SUBJECT = """
    CASE kind
    WHEN 'agent' THEN agent IS NOT NULL AND agent_revision IS NOT NULL AND revision_id IS NOT NULL
        AND workflow_revision IS NULL AND workflow_revision_id IS NULL AND (workflow IS NULL) = (step IS NULL)
    WHEN 'workflow' THEN workflow IS NOT NULL AND workflow_revision IS NOT NULL AND workflow_revision_id IS NOT NULL
        AND agent IS NULL AND agent_name IS NULL AND agent_revision IS NULL AND revision_id IS NULL
    WHEN 'tool' THEN agent IS NOT NULL AND revision_id IS NULL AND workflow IS NOT NULL AND step IS NOT NULL
    ELSE 1 = 0 END
"""


@dataclass(frozen=True, slots=True)
class AgentSubject:
    """Which agent a run is of, as it was when the run started."""

    slug: str
    revision_id: str


def _index_where_set(name: str, column: str) -> Index:
    """For a column that few rows fill: the others cost nothing."""
    is_set = text(f"{column} IS NOT NULL")
    return Index(name, column, sqlite_where=is_set, postgresql_where=is_set)


class Run(Claimable, Base):
    """One piece of work. Its whole state is this row, its messages and its calls."""

    __tablename__ = "runs"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    # Whose run it is: an agent's, a workflow's, or that of a tool that is a workflow's step by itself. The constraint
    # below says which columns each has.
    kind: Mapped[str] = mapped_column(default="agent")
    agent: Mapped[str | None]
    # As people know it; none on rows from before there was a name.
    agent_name: Mapped[str | None]
    agent_revision: Mapped[int | None]
    revision_id: Mapped[str | None] = mapped_column(ForeignKey("agent_revisions.id"))
    # The workflow that runs, or the one whose step an agent does here.
    workflow: Mapped[str | None]
    workflow_revision: Mapped[int | None]
    workflow_revision_id: Mapped[str | None]
    step: Mapped[str | None]
    # A label that lists filter by: the project that the work belongs to, by a name of the caller's own.
    project_id: Mapped[str | None]
    # The schedule that started it.
    schedule_id: Mapped[str | None]
    title: Mapped[str]
    task: Mapped[str]
    context: Mapped[str | None]
    input: Mapped[Any] = mapped_column(JsonText, nullable=True)
    summary: Mapped[str | None]
    output: Mapped[Any] = mapped_column(JsonText, nullable=True)
    # Which of the two are so large that they stand in `run_values`.
    apart: Mapped[list[str]] = mapped_column(default=list, server_default="[]")
    # What its output must fit, where the step that it is wants more than its agent.
    output_schema: Mapped[JsonObject | None] = mapped_column(JsonText)
    # Only tried out: whatever has effects outside is left undone, and said so.
    test: Mapped[bool] = mapped_column(default=False, server_default=false())
    mode: Mapped[str]
    autonomy: Mapped[str]
    status: Mapped[str] = mapped_column(default="queued")
    # What kind of thinking comes next: clarifying, planning or working.
    phase: Mapped[str] = mapped_column(default="working")
    # Rounds of clarification so far.
    exchanges: Mapped[int] = mapped_column(default=0)
    # The phase to go back to after a pause.
    paused_from: Mapped[str | None]
    completion_reason: Mapped[str | None]
    error: Mapped[JsonObject | None] = mapped_column(JsonText)
    progress: Mapped[JsonObject | None] = mapped_column(JsonText)
    limits: Mapped[JsonObject]
    iterations: Mapped[int] = mapped_column(default=0)
    cost_credits: Mapped[float] = mapped_column(default=0.0)
    # Some call had no known price: only its tokens are counted.
    cost_incomplete: Mapped[bool] = mapped_column(default=False)
    tokens_input: Mapped[int] = mapped_column(default=0)
    tokens_output: Mapped[int] = mapped_column(default=0)
    # Of the input: what the provider had in its cache.
    tokens_cached: Mapped[int] = mapped_column(default=0, server_default="0")
    working_seconds: Mapped[float] = mapped_column(default=0.0)
    # Model calls that failed in a row, replies without calls or signals in a row, failures in a row by tool.
    retries: Mapped[int] = mapped_column(default=0)
    silences: Mapped[int] = mapped_column(default=0)
    tool_failures: Mapped[JsonObject] = mapped_column(default=dict)
    warned: Mapped[list[str]] = mapped_column(default=list)
    # The ask that the run itself waits for, beside those of its calls.
    ask_id: Mapped[str | None]
    # The ask that decides about a run that took its workers down; nothing else of it is looked at before.
    aside_id: Mapped[str | None]
    # The run that started it; the ended run that it goes on from; the ended run that it does again.
    parent_id: Mapped[str | None] = mapped_column(ForeignKey("runs.id", ondelete="SET NULL"))
    # The call of that run whose result it is.
    parent_call_id: Mapped[str | None]
    # The call about which a rule decided that started this run; whoever proposed it waits for nothing.
    rule_call_id: Mapped[str | None]
    continues_id: Mapped[str | None] = mapped_column(ForeignKey("runs.id", ondelete="SET NULL"))
    retries_id: Mapped[str | None] = mapped_column(ForeignKey("runs.id", ondelete="SET NULL"))
    continuation_count: Mapped[int] = mapped_column(default=0)
    # How many other runs it waits for; which, says `run_waits`.
    awaited_runs: Mapped[int] = mapped_column(default=0, server_default="0")
    # Whether it was ever granted a connection: only then is looked for them.
    has_connections: Mapped[bool] = mapped_column(default=False, server_default=false())
    # Tools of connections that it looked up, where there are too many to show the model all of them.
    found_tools: Mapped[list[str]] = mapped_column(default=list, server_default="[]")
    created_by: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(default=now)
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]

    __table_args__ = (
        CheckConstraint(SUBJECT, "runs_subject"),
        Index("runs_by_workspace", "workspace_id", "id"),
        Index("runs_by_status", "workspace_id", "status", "id"),
        Index(
            "runs_by_project",
            "workspace_id",
            "project_id",
            "id",
            sqlite_where=text("project_id IS NOT NULL"),
            postgresql_where=text("project_id IS NOT NULL"),
        ),
        _index_where_set("runs_by_parent", "parent_id"),
        # A rule starts a workflow once per call, however often the call is judged.
        Index(
            "runs_by_rule_call",
            "rule_call_id",
            "workflow",
            unique=True,
            sqlite_where=text("rule_call_id IS NOT NULL"),
            postgresql_where=text("rule_call_id IS NOT NULL"),
        ),
        _index_where_set("runs_by_continued", "continues_id"),
        _index_where_set("runs_by_retried", "retries_id"),
        *claim_indexes("runs"),
    )

    @property
    def agent_subject(self) -> AgentSubject:
        """The agent whose run it is, for whoever deals with agents' runs alone."""
        if self.kind == "tool":
            return AgentSubject(TOOL_STEP, TOOL_STEP)
        if self.agent is None or self.revision_id is None:
            raise TypeError(f"run {self.id} is a {self.kind}'s, not an agent's")
        return AgentSubject(self.agent, self.revision_id)

    @property
    def actor(self) -> Actor:
        """Who acts in it; a workflow itself does nothing but what Signoff does for it."""
        return Actor.system(self.workspace_id) if self.agent is None else Actor.agent(self.workspace_id, self.agent)


class RunWait(Base):
    """A run that goes on when another has ended."""

    __tablename__ = "run_waits"

    run_id: Mapped[str] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)
    waits_for_id: Mapped[str] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)

    __table_args__ = (Index("run_waits_by_awaited", "waits_for_id"),)


class RunValue(Base):
    """A large input or output of a run, as JSON: what moves the run does not write it once more."""

    __tablename__ = "run_values"

    run_id: Mapped[str] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str] = mapped_column(Text)
    characters: Mapped[int]


class Message(Base):
    """One line of the transcript: what a person said, what the model replied, what Signoff noted."""

    __tablename__ = "messages"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    run_id: Mapped[str] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"))
    # The iteration whose model call saw it (or made it); empty while it waits to be seen.
    turn: Mapped[int | None]
    role: Mapped[str]
    # The person who said it. On a note of Signoff's: that it is for people, too; without, it is for the model alone.
    author: Mapped[str | None]
    text: Mapped[str | None]
    # The model's reply as pydantic-ai writes it.
    response: Mapped[JsonObject | None] = mapped_column(JsonText)
    # Of a `compaction`: from which turns on the model still reads results and replies as they were, and its budget.
    compaction: Mapped[JsonObject | None] = mapped_column(JsonText)
    # The call whose result a `tool` message hands over; the result itself stands there.
    call_id: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(default=now)

    # By the run alone: PostgreSQL then keeps the run's id once for all of its rows, and sorting them is nothing.
    __table_args__ = (Index("messages_by_run", "run_id"),)


class Call(Base):
    """One tool call that a run proposed, with its verdict, state and result."""

    __tablename__ = "calls"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    run_id: Mapped[str] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"))
    turn: Mapped[int]
    # The model's own name for the call, and its place in the reply.
    tool_call_id: Mapped[str]
    position: Mapped[int]
    tool: Mapped[str]
    # As the model proposed them; `arguments` only when a person changed them.
    proposed_arguments: Mapped[JsonObject]
    edited_arguments: Mapped[JsonObject | None] = mapped_column(JsonText)
    verdict: Mapped[JsonObject]
    # The verdict's word and rule once more, for figures; empty for what could not be judged.
    judged: Mapped[str | None]
    rule: Mapped[str | None]
    # What a person allowed before, when that let it through.
    allowance_id: Mapped[str | None]
    status: Mapped[str]
    ask_id: Mapped[str | None]
    # The mark of all calls of its agent that do the same to the same place (`runs/rule_inputs/first_time.py`).
    aim: Mapped[str | None]
    attempt: Mapped[int] = mapped_column(default=0)
    # Who started it last: what is known of a call whose end is not.
    worker: Mapped[str | None]
    result: Mapped[Any] = mapped_column(JsonText, nullable=True)
    error: Mapped[str | None]
    # The call of the same run that this one takes back, and who wanted that; empty: the model proposed it.
    undoes: Mapped[str | None]
    requested_by: Mapped[str | None]
    # How an attempt ended after it was given up on: {attempt, status, result or error, at}. No turn writes it.
    late: Mapped[JsonObject | None] = mapped_column(JsonText)
    created_at: Mapped[datetime] = mapped_column(default=now)
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    cost_credits: Mapped[float] = mapped_column(default=0.0)

    __table_args__ = (
        UniqueConstraint("run_id", "turn", "position"),
        _index_where_set("calls_by_aim", "aim"),
        Index(
            "calls_that_undo",
            "run_id",
            sqlite_where=text("undoes IS NOT NULL"),
            postgresql_where=text("undoes IS NOT NULL"),
        ),
        # Figures and replays look at what was judged since some time.
        Index(
            "calls_judged",
            "created_at",
            sqlite_where=text("judged IS NOT NULL"),
            postgresql_where=text("judged IS NOT NULL"),
        ),
        # How often an allowance was used.
        Index(
            "calls_by_allowance",
            "allowance_id",
            sqlite_where=text("allowance_id IS NOT NULL"),
            postgresql_where=text("allowance_id IS NOT NULL"),
        ),
    )

    @property
    def arguments(self) -> JsonObject:
        """The arguments that run: the person's, if they changed them."""
        return self.proposed_arguments if self.edited_arguments is None else self.edited_arguments
