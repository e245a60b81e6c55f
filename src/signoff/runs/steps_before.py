"""What a run had done before it asked: its last steps with their times, and how many came before those."""

from collections.abc import Callable
from datetime import datetime
from typing import TypeAlias

from pydantic import BaseModel, Field
from sqlalchemy import func, select
from sqlalchemy.orm import Session, load_only

from signoff.asks.models import Ask
from signoff.kit.jsons import JsonObject
from signoff.runs.models import Call
from signoff.runs.states import CallStatus

MOST_SHOWN = 10
# Results can be long, and nobody sees them here.
_SHOWN = (
    *(Call.tool, Call.proposed_arguments, Call.edited_arguments, Call.status, Call.ask_id),
    *(Call.created_at, Call.started_at, Call.ended_at),
)
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
    """What had ended when the ask was opened: the last steps, and of all of them only how many and since when."""
    ended = (Call.run_id == ask.run_id, Call.ended_at <= ask.created_at)
    last = select(Call).where(*ended).order_by(Call.turn.desc(), Call.position.desc()).limit(MOST_SHOWN)
    calls = session.scalars(last.options(load_only(*_SHOWN))).all()
    if not calls:
        return StepsBefore(items=[], earlier=0, seconds=0.0)
    items = [_step(call, headline) for call in reversed(calls)]
    total, first = session.execute(select(func.count(), func.min(Call.created_at)).where(*ended)).one()
    return StepsBefore(items=items, earlier=total - len(items), seconds=(ask.created_at - first).total_seconds())


def _step(call: Call, headline: Headline) -> StepBefore:
    ended = call.ended_at or call.created_at
    # What waited for people and never started took no time of its own.
    begun = call.started_at or (ended if call.ask_id else call.created_at)
    status = CallStatus(call.status)
    return StepBefore(
        tool=call.tool,
        headline=headline(call.tool, call.arguments),
        status=status,
        seconds=max((ended - begun).total_seconds(), 0.0),
        ended_at=ended,
    )
