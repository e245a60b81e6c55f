from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import set_committed_value

from signoff.asks.answers import Answer, needed_role, outcome
from signoff.asks.models import Ask
from signoff.asks.states import ASK, AskKind, AskStatus
from signoff.audit.actions import record
from signoff.claims.actions import wake
from signoff.kit import clock, events
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Conflict
from signoff.kit.jsons import JsonObject, digest
from signoff.kit.states import move
from signoff.policy.risk import Risk


class AlreadySettled(Conflict):
    """Someone answered first, or the run ended."""

    code = "ask_already_settled"


def open_ask(session: Session, actor: Actor, ask: Ask) -> None:
    """Put something before the people of the workspace. The caller parks the run in the same transaction."""
    if ask.arguments is not None:
        ask.digest = digest(ask.arguments)
    ask.risk_order = Risk.CRITICAL.rank - (Risk(ask.risk_level).rank if ask.risk_level else 0)
    session.add(ask)
    session.flush()
    record(
        session,
        actor,
        "ask.opened",
        ask.id,
        {"kind": ask.kind, "tool": ask.tool, "digest": ask.digest},
        run_id=ask.run_id,
    )
    _tell(session, "ask.created", ask)


def answer(session: Session, actor: Actor, ask: Ask, given: Answer) -> None:
    """Settle an ask and make its run ready. The first decisive answer wins."""
    actor.require(needed_role(AskKind(ask.kind)))
    _refuse_settled(ask)
    result = outcome(ask, given)
    _wake(session, ask)
    _settle(session, actor, ask, result.status, result.answer)
    seen = {"status": ask.status, "answer": result.answer, "digest": ask.digest}
    record(
        session, actor, "ask.answered", ask.id, {key: value for key, value in seen.items() if value}, run_id=ask.run_id
    )
    _tell(session, "ask.settled", ask)


def cancel(session: Session, actor: Actor, ask: Ask) -> None:
    """Withdraw an ask; its run goes on and learns that nobody will answer."""
    actor.require(Role.MEMBER)
    _refuse_settled(ask)
    _wake(session, ask)
    _settle(session, actor, ask, AskStatus.CANCELLED, None)
    record(session, actor, "ask.cancelled", ask.id, run_id=ask.run_id)
    _tell(session, "ask.settled", ask)


def cancel_open(session: Session, actor: Actor, run_id: str) -> int:
    """The run has ended: nobody needs to answer any more."""
    now = clock.now()
    change = update(Ask).where(Ask.run_id == run_id, Ask.status == AskStatus.PENDING.value)
    change = change.values(status=AskStatus.CANCELLED.value, settled_by=actor.label, settled_at=now)
    ids = list(session.scalars(change.returning(Ask.id).execution_options(synchronize_session=False)))
    for ask in (
        session.scalars(select(Ask).where(Ask.id.in_(ids)).execution_options(populate_existing=True)) if ids else ()
    ):
        record(session, actor, "ask.cancelled", ask.id, {"because": "the run ended"}, run_id=run_id)
        _tell(session, "ask.settled", ask)
    return len(ids)


def _wake(session: Session, ask: Ask) -> None:
    """The run first, then the ask: who ends a run takes the same two rows in the same order."""
    if ask.run_id:
        wake(session, ask.run_id, clock.now())


def _settle(session: Session, actor: Actor, ask: Ask, to: AskStatus, given: JsonObject | None) -> None:
    values: dict[str, Any] = {"answer": given, "settled_by": actor.label, "settled_at": clock.now()}
    if not move(session, ASK, Ask.status, to, Ask.id == ask.id, **values):
        # Only the row knows how it ended.
        session.refresh(ask)
        _refuse_settled(ask)
    for name, value in (values | {"status": to.value}).items():
        set_committed_value(ask, name, value)


def _refuse_settled(ask: Ask) -> None:
    if ask.status != AskStatus.PENDING.value:
        by = f" by {ask.settled_by}" if ask.settled_by else ""
        raise AlreadySettled(f"This ask is {ask.status} already{by}.", state=settlement(ask))


def settlement(ask: Ask) -> JsonObject:
    """How an ask ended, for those who came too late."""
    at = ask.settled_at.isoformat() if ask.settled_at else None
    return {"id": ask.id, "status": ask.status, "answer": ask.answer, "settled_by": ask.settled_by, "settled_at": at}


def _tell(session: Session, type_: str, ask: Ask) -> None:
    brief = {"id": ask.id, "kind": ask.kind, "status": ask.status, "title": ask.title, "run_id": ask.run_id}
    events.emit(session, ask.workspace_id, type_, ask.run_id, {"ask": brief | {"settled_by": ask.settled_by}})
