"""Veto windows in the database: who was reached, what stops their time, and what silence does in the end."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.asks import actions
from signoff.asks.deadlines.timing import next_due, set_deadline
from signoff.asks.effects import veto
from signoff.asks.events import ASK_SETTLED, ASK_UPDATED, emit_changed
from signoff.asks.models import Ask
from signoff.asks.queries import PENDING
from signoff.asks.signatures.who_may_answer import may
from signoff.asks.states import AskStatus
from signoff.claims.models import claimable
from signoff.claims.pause_all import is_paused
from signoff.kit.actor import Actor
from signoff.kit.db.database import commit_of
from signoff.kit.jsons import JsonObject
from signoff.rules import queries as rules
from signoff.workspaces import queries as people
from signoff.workspaces.models import Member

PAUSED = "paused"
# While the rules' emergency stop is on, the time is put off by so much again and again.
LOOK_AGAIN = timedelta(minutes=1)


def note_reached(session: Session, ask_id: str, member_id: str | None) -> None:
    """A message about it went out to this member, or to a place where several read it; or they opened it."""
    ask = session.get(Ask, ask_id)
    if ask is None or not veto.has_window(ask):
        return
    if member_id is not None and not _may_object(session, ask, member_id):
        return
    try:
        actions.lock(session, ask)
    except actions.AlreadySettled:
        return
    if veto.reach(ask, is_held(session, ask)):
        _changed(session, ask, "window_started")


def _may_object(session: Session, ask: Ask, member_id: str) -> bool:
    member = session.get(Member, member_id)
    if member is None or member.workspace_id != ask.workspace_id:
        return False
    return may(session, people.actor_of(session, member, "session"), ask, "deny")


def unreached(session: Session, ask_ids: Sequence[str]) -> list[str]:
    """Which of these wait for somebody to be reached; most have no window at all."""
    windows = select(Ask).where(Ask.id.in_(ask_ids), PENDING, Ask.veto.is_not(None))
    return [ask.id for ask in session.scalars(windows) if (ask.veto or {}).get("reached_at") is None]


def is_held(session: Session, ask: Ask) -> bool:
    """Whether everything is paused, or its run is."""
    if is_paused(session, ask.workspace_id):
        return True
    status = select(claimable.c.status).where(claimable.c.id == ask.run_id)
    return ask.run_id is not None and session.scalar(status) == PAUSED


def hold_windows(session: Session, *where: Any) -> None:
    """Stop the time of these; what is left is kept."""
    for ask in _windows(session, *where):
        if veto.hold_window(ask):
            _changed(session, ask, "window_held")


def resume_windows(session: Session, *where: Any) -> None:
    """Let the time of these run on, unless something else holds them."""
    for ask in _windows(session, *where):
        if not is_held(session, ask) and veto.go_on(ask):
            _changed(session, ask, "window_resumed")


def _windows(session: Session, *where: Any) -> list[Ask]:
    return list(session.scalars(select(Ask).where(PENDING, Ask.veto.is_not(None), *where).order_by(Ask.run_id, Ask.id)))


def end_window(session: Session, ask: Ask, at: datetime) -> None:
    """The time is over and nobody objected: its rule lets it through. The caller holds the ask."""
    given = ask.veto or {}
    if is_held(session, ask):
        veto.hold_window(ask)
        session.flush()
        return
    if rules.in_force(session, ask.workspace_id).stopped:
        set_deadline(ask, at + LOOK_AGAIN)
        ask.due_at = next_due(ask)
        session.flush()
        return
    why_not = veto.why_not(ask, bool(given.get("allow_irreversible")))
    if why_not is not None:
        # Somebody made something else of it meanwhile.
        veto.close_window(ask)
        _changed(session, ask, "window_closed", why=why_not)
        return
    system, seconds = Actor.system(ask.workspace_id), given["seconds"]
    answer: JsonObject = {
        "decision": "approve",
        "note": f"Nobody objected within {veto.in_words(seconds)}.",
        "rule": ask.rule,
    }
    answer["unopposed"] = True
    actions.wake_run(session, ask)
    actions.settle(session, system, ask, AskStatus.AUTO_APPROVED, answer, by=f"rule: {ask.rule}")
    facts = {"kind": ask.kind, "rule": ask.rule, "unopposed": True, "reached_at": given["reached_at"]}
    actions.put_on_record(session, system, "auto_approved", ask, **facts, answer=answer, digest=ask.digest)
    emit_changed(session, ask, ASK_SETTLED)


def _changed(session: Session, ask: Ask, verb: str, **facts: Any) -> None:
    session.flush()
    if ask.due_at is not None:
        commit = commit_of(session)
        commit.due = min(commit.due or ask.due_at, ask.due_at)
    at = ask.deadline.isoformat() if ask.deadline else None
    actions.put_on_record(session, Actor.system(ask.workspace_id), verb, ask, runs_at=at, **facts)
    emit_changed(session, ask, ASK_UPDATED)
