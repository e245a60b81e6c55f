"""What a run had done before it asked: its last steps with their times, and how many came before those."""

from collections.abc import Callable
from datetime import datetime
from typing import TypeAlias

from pydantic import BaseModel, Field
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.kit.jsons import JsonObject
from signoff.runs.models import Call
from signoff.runs.states import CallStatus

MOST_SHOWN = 10
# What a call of a tool does, in a few words.
Headline: TypeAlias = Callable[[str, JsonObject], str]


class StepBefore(BaseModel):
    tool: str
    headline: str
    status: CallStatus
    seconds: float = Field(description="How long it took, without the time that people took to let it through.")
    ended_at: datetime


class StepsBefore(BaseModel):
    """The last steps before an ask, oldest first."""

    items: list[StepBefore]
    earlier: int = Field(description="How many steps came before these.")
    seconds: float = Field(description="From the first step of all to the ask.")


def steps_before(session: Session, ask: Ask, headline: Headline) -> StepsBefore:
    """What had ended when the ask was opened, in one query."""
    count, began = func.count().over(), func.min(Call.created_at).over()
    ended = select(Call, count, began).where(Call.run_id == ask.run_id, Call.ended_at <= ask.created_at)
    rows = session.execute(ended.order_by(Call.turn.desc(), Call.position.desc()).limit(MOST_SHOWN)).all()
    if not rows:
        return StepsBefore(items=[], earlier=0, seconds=0.0)
    items = [_step(row[0], headline) for row in reversed(rows)]
    total, first = rows[0][1], rows[0][2]
    return StepsBefore(items=items, earlier=total - len(items), seconds=(ask.created_at - first).total_seconds())


def _step(call: Call, headline: Headline) -> StepBefore:
    ended = call.ended_at or call.created_at
    # What waited for people and never started took no time of its own.
    begun = call.started_at or (ended if call.ask_id else call.created_at)
    return StepBefore(
        tool=call.tool,
        headline=headline(call.tool, call.arguments),
        status=CallStatus(call.status),
        seconds=max((ended - begun).total_seconds(), 0.0),
        ended_at=ended,
    )
