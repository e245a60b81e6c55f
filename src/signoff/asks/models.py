from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, false, text
from sqlalchemy.orm import Mapped, mapped_column

from signoff.asks import states
from signoff.kit.clock import now
from signoff.kit.db.columns import Base, JsonText
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject

# As it stands in the index, and in the queries that use it.
DECIDED_STATUSES = ", ".join(f"'{status}'" for status in states.DECIDED)
NEVER = datetime(9999, 1, 1, tzinfo=UTC)
# What somebody decided, or time did, or what stood open until a rule let it through. What a rule decides at once is
# much and nobody's; what was withdrawn is no decision.
LISTED_AS_DECIDED = (
    f"(asks.status IN ({DECIDED_STATUSES}, 'expired')"
    " OR (asks.status = 'auto_approved' AND asks.settled_at > asks.created_at))"
)


class Ask(Base):
    """One thing that a run needs from a person, with everything needed to decide on one screen."""

    __tablename__ = "asks"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    run_id: Mapped[str | None] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"))
    call_id: Mapped[str | None]
    kind: Mapped[str]
    status: Mapped[str] = mapped_column(default="pending")
    agent: Mapped[str]
    # As people know it; none on rows from before there was a name.
    agent_name: Mapped[str | None]
    run_title: Mapped[str]
    # Its run only tries things out: what is approved is not really done.
    test: Mapped[bool] = mapped_column(default=False, server_default=false())
    title: Mapped[str]
    # How the title is made from the arguments, for when a signer changes them.
    headline: Mapped[str | None]
    description: Mapped[str] = mapped_column(default="")
    tool: Mapped[str | None]
    action_type: Mapped[str | None]
    arguments: Mapped[JsonObject | None] = mapped_column(JsonText)
    arguments_schema: Mapped[JsonObject | None] = mapped_column(JsonText)
    # The call as policy saw it, but for its arguments and their schema, which stand here beside it.
    proposed_call: Mapped[JsonObject | None] = mapped_column(JsonText)
    # As the agent proposed them, once a signer has changed `arguments`.
    original_arguments: Mapped[JsonObject | None] = mapped_column(JsonText)
    # The calls of a batch, in the order of its arguments.
    call_ids: Mapped[list[Any] | None] = mapped_column(JsonText)
    operation_type: Mapped[str | None]
    # What exactly is approved, and what the person saw.
    digest: Mapped[str | None]
    risk_level: Mapped[str | None]
    # 0 is critical, 3 is low or none: sorts the most risky first.
    risk_order: Mapped[int] = mapped_column(default=3)
    risk_reasons: Mapped[list[str]] = mapped_column(default=list)
    # What the call does to the world, as its tool stated it: {kinds, text, first_time, reversible}.
    impact: Mapped[JsonObject | None] = mapped_column(JsonText)
    # What the call would change, as it was found out by reading: {kind, summary, detail, made_at} or {kind: none, why}.
    preview: Mapped[JsonObject | None] = mapped_column(JsonText)
    # 0 is the gravest: sorts within a level of risk. 127 is what nothing was said of.
    impact_order: Mapped[int] = mapped_column(default=127, server_default="127")
    rule: Mapped[str | None]
    policy_version: Mapped[int | None]
    # What alike asks have in common: the agent, its tool and the target, or the words of the question.
    likeness: Mapped[str | None]
    confidence: Mapped[float | None]
    reasoning: Mapped[str | None]
    context: Mapped[str | None]
    alternatives: Mapped[str | None]
    supporting_data: Mapped[Any] = mapped_column(JsonText, nullable=True)
    estimated_cost_credits: Mapped[float | None]
    response_type: Mapped[str | None]
    options: Mapped[list[Any] | None] = mapped_column(JsonText)
    schema: Mapped[JsonObject | None] = mapped_column(JsonText)
    plan: Mapped[JsonObject | None] = mapped_column(JsonText)
    follows: Mapped[str | None]
    # The answer given most often before: {value, times, of}.
    suggestion: Mapped[JsonObject | None] = mapped_column(JsonText)
    blocking: Mapped[bool] = mapped_column(default=True)
    # A question that lets somebody act.
    asks_approval: Mapped[bool] = mapped_column(default=False, server_default=false())
    # A late answer to a question that did not block has reached the agent.
    handed_over: Mapped[bool] = mapped_column(default=False)
    default: Mapped[Any] = mapped_column(JsonText, nullable=True)
    deadline: Mapped[datetime | None]
    # The same, with a time beyond all others for none: an order that an index serves.
    waits_until: Mapped[datetime] = mapped_column(default=NEVER)
    on_timeout: Mapped[str | None]
    # It runs unless somebody objects: {seconds, left, allow_irreversible, reached_at}. While time counts, `deadline`
    # says when.
    veto: Mapped[JsonObject | None] = mapped_column(JsonText)
    # Reminders and escalations to come: [{at, act, tell}], earliest first.
    schedule: Mapped[list[Any]] = mapped_column(default=list)
    # When the clock next has something to do here.
    due_at: Mapped[datetime | None]
    approvals_required: Mapped[int] = mapped_column(default=1)
    approvers: Mapped[list[str]] = mapped_column(default=list)
    stages: Mapped[list[Any] | None] = mapped_column(JsonText)
    signatures: Mapped[list[Any]] = mapped_column(default=list)
    four_eyes: Mapped[bool] = mapped_column(default=False)
    # Its rule wants whoever decides to sign in: no answer link, no button elsewhere.
    sign_in: Mapped[bool] = mapped_column(default=False, server_default=false())
    started_by: Mapped[str | None]
    # Who asks from outside, by label and user id; none: the run does. They read the answer, its agent never does.
    asked_by: Mapped[list[str] | None] = mapped_column(JsonText)
    # Who changed what is approved, by label and user id: under four eyes they cannot approve.
    edited_by: Mapped[list[str]] = mapped_column(default=list)
    assignee: Mapped[str | None]
    answer: Mapped[JsonObject | None] = mapped_column(JsonText)
    settled_by: Mapped[str | None]
    settled_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(default=now)

    __table_args__ = (
        Index("asks_by_run", "run_id", "id"),
        Index("asks_by_workspace", "workspace_id", "id"),
        Index(
            "asks_open_by_likeness",
            "workspace_id",
            "likeness",
            # All that a list of groups is made and ordered by: it never looks into the rows.
            "id",
            "risk_order",
            "impact_order",
            "waits_until",
            "status",
            sqlite_where=text("status = 'pending'"),
            postgresql_where=text("status = 'pending'"),
        ),
        # What people decided before about an agent's tool.
        Index(
            "asks_decided_by_tool",
            "workspace_id",
            "agent",
            "tool",
            "id",
            sqlite_where=text(f"status IN ({DECIDED_STATUSES})"),
            postgresql_where=text(f"status IN ({DECIDED_STATUSES})"),
        ),
        # The answers that people gave before to the same question.
        Index(
            "asks_answered",
            "workspace_id",
            "likeness",
            "id",
            sqlite_where=text("status = 'answered'"),
            postgresql_where=text("status = 'answered'"),
        ),
        Index(
            "asks_open",
            "workspace_id",
            "id",
            sqlite_where=text("status = 'pending'"),
            postgresql_where=text("status = 'pending'"),
        ),
        Index(
            "asks_open_by_risk",
            "workspace_id",
            "risk_order",
            "impact_order",
            "id",
            sqlite_where=text("status = 'pending'"),
            postgresql_where=text("status = 'pending'"),
        ),
        Index(
            "asks_open_by_deadline",
            "workspace_id",
            "waits_until",
            "id",
            sqlite_where=text("status = 'pending'"),
            postgresql_where=text("status = 'pending'"),
        ),
        Index(
            "asks_open_by_kind",
            "workspace_id",
            "kind",
            "risk_order",
            sqlite_where=text("status = 'pending'"),
            postgresql_where=text("status = 'pending'"),
        ),
        Index(
            "asks_decided",
            "workspace_id",
            "settled_at",
            "id",
            sqlite_where=text(LISTED_AS_DECIDED),
            postgresql_where=text(LISTED_AS_DECIDED),
        ),
        Index(
            "asks_decided_by",
            "workspace_id",
            "settled_by",
            "settled_at",
            "id",
            sqlite_where=text(LISTED_AS_DECIDED),
            postgresql_where=text(LISTED_AS_DECIDED),
        ),
        # What runs unless somebody objects.
        Index(
            "asks_with_window",
            "workspace_id",
            sqlite_where=text("status = 'pending' AND veto IS NOT NULL"),
            postgresql_where=text("status = 'pending' AND veto IS NOT NULL"),
        ),
        Index(
            "asks_due",
            "due_at",
            sqlite_where=text("status = 'pending'"),
            postgresql_where=text("status = 'pending'"),
        ),
    )
