"""What an ask lets those know who follow its workspace: one shape for each type of event."""

from collections.abc import Sequence
from typing import Annotated, NotRequired, TypedDict

from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.states import AskKind, AskStatus
from signoff.kit.db.events import EventType, emit
from signoff.notifications.actions import look_again
from signoff.policy.risk import Risk


class AskBrief(TypedDict):
    id: str
    kind: Annotated[str, AskKind]
    status: Annotated[str, AskStatus]
    title: str
    run_id: str | None
    settled_by: str | None
    # Only where its run is a test.
    test: NotRequired[bool]


class NewAsk(AskBrief):
    """With what a notification says about it."""

    tool: str | None
    risk_level: Annotated[str, Risk] | None
    agent: str
    estimated_cost_credits: float | None


class AskOpened(TypedDict):
    ask: NewAsk


class AskChanged(TypedDict):
    ask: AskBrief


class AskViewing(TypedDict):
    ask_id: str
    by: str


ASK_CREATED = EventType("ask.created", AskOpened)
ASK_UPDATED = EventType("ask.updated", AskChanged)
ASK_SETTLED = EventType("ask.settled", AskChanged)
ASK_VIEWING = EventType("ask.viewing", AskViewing)


def emit_opened(session: Session, ask: Ask) -> None:
    """Something new waits for a person."""
    new: NewAsk = {
        **_brief(ask),
        "tool": ask.tool,
        "risk_level": ask.risk_level,
        "agent": ask.agent,
        "estimated_cost_credits": ask.estimated_cost_credits,
    }
    emit(session, ask.workspace_id, ASK_CREATED, ask.run_id, {"ask": new})


def emit_changed(session: Session, ask: Ask, kind: EventType[AskChanged]) -> None:
    """An ask is another than it was, or settled: whoever follows hears of it, and messages outside are changed."""
    emit_each_changed(session, [ask], kind)


def emit_each_changed(session: Session, asks: Sequence[Ask], kind: EventType[AskChanged]) -> None:
    """The same for many."""
    look_again(session, [ask.id for ask in asks])
    for ask in asks:
        emit(session, ask.workspace_id, kind, ask.run_id, {"ask": _brief(ask)})


def _brief(ask: Ask) -> AskBrief:
    brief: AskBrief = {
        "id": ask.id,
        "kind": ask.kind,
        "status": ask.status,
        "title": ask.title,
        "run_id": ask.run_id,
        "settled_by": ask.settled_by,
    }
    return {**brief, "test": True} if ask.test else brief
