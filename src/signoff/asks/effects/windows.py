"""Veto windows in the database: who was reached, what stops their time, and what silence does in the end."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import flag_modified

from signoff.asks import actions
from signoff.asks.effects import veto
from signoff.asks.effects.held import held_among, is_held
from signoff.asks.events import ASK_SETTLED, ASK_UPDATED, emit_changed, emit_each_changed
from signoff.asks.models import Ask
from signoff.asks.queries import PENDING
from signoff.asks.signatures.who_may_answer import may
from signoff.asks.states import AskStatus
from signoff.kit.actor import Actor
from signoff.kit.db.database import commit_of
from signoff.kit.jsons import JsonObject
from signoff.kit.text.time_words import in_words
from signoff.rules.actions import follow_changes
from signoff.workspaces import queries as people
from signoff.workspaces.models import Member


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
    if veto.is_unreached(ask):
        counts = veto.reach(ask, is_held(session, ask))
        _changed(session, [ask], "window_started" if counts else "window_held")


def _may_object(session: Session, ask: Ask, member_id: str) -> bool:
    member = session.get(Member, member_id)
    if member is None or member.workspace_id != ask.workspace_id:
        return False
    return may(session, people.actor_of(session, member, "session"), ask, "deny")


def unreached(session: Session, ask_ids: Sequence[str]) -> list[str]:
    """Which of these wait for somebody to be reached; most have no window at all."""
    windows = select(Ask).where(Ask.id.in_(ask_ids), PENDING, Ask.veto.is_not(None))
    return [ask.id for ask in session.scalars(windows) if veto.is_unreached(ask)]


def hold_windows(session: Session, *where: Any) -> None:
    """Stop the time of these; what is left is kept."""
    _changed(session, [ask for ask in _windows(session, *where) if veto.hold_window(ask)], "window_held")


def resume_windows(session: Session, *where: Any) -> None:
    """Let the time of these run on, unless something else holds them."""
    suspended = [ask for ask in _windows(session, *where) if veto.is_suspended(ask)]
    held = held_among(session, suspended)
    _changed(session, [ask for ask in suspended if ask not in held and veto.go_on(ask)], "window_resumed")


def leave_out(session: Session, since: datetime, at: datetime, gap: timedelta) -> None:
    """Nobody could object from then until now: those whose time counted meanwhile go on with what was left then."""
    changed = list[Ask]()
    for ask in _windows(session, Ask.deadline.is_not(None)):
        last = max(since, veto.counts_since(ask))
        # What was over while somebody was there ends as it should have.
        over = ask.deadline is not None and ask.deadline <= last
        if at - last > gap and not over and veto.hold_window(ask, last) and veto.go_on(ask, at):
            changed.append(ask)
    _changed(session, changed, "window_extended", since=since.isoformat(), why="No server was running.")


def _follow_rules(session: Session, workspace_id: str, stopped: bool) -> None:
    """Silence approves by a rule: while no rule does, its time stands still."""
    (hold_windows if stopped else resume_windows)(session, Ask.workspace_id == workspace_id)


follow_changes(_follow_rules)


def _windows(session: Session, *where: Any) -> list[Ask]:
    """Held until the commit, those too whose time does not count: somebody may be about to let it begin or go on."""
    session.flush()
    found = select(Ask).where(PENDING, Ask.veto.is_not(None), *where).order_by(Ask.run_id, Ask.id)
    return list(session.scalars(found.with_for_update().execution_options(populate_existing=True)))


def end_window(session: Session, ask: Ask) -> None:
    """The time is over and nobody objected: its rule lets it through. The caller holds the ask."""
    given = ask.veto or {}
    if is_held(session, ask):
        # It was opened in the very moment of the pause or the stop, so neither could see it.
        veto.hold_window(ask)
        _changed(session, [ask], "window_held")
        return
    why_not = veto.why_not(ask, bool(given.get("allow_irreversible")))
    if why_not is not None:
        # Somebody made something else of it meanwhile.
        veto.close_window(ask)
        _changed(session, [ask], "window_closed", why=why_not)
        return
    system, seconds = Actor.system(ask.workspace_id), given["seconds"]
    answer: JsonObject = {
        "decision": "approve",
        "note": f"Nobody objected within {in_words(seconds)}.",
        "rule": ask.rule,
    }
    answer["unopposed"] = True
    actions.wake_run(session, ask)
    actions.settle(session, system, ask, AskStatus.AUTO_APPROVED, answer, by=f"rule: {ask.rule}")
    facts = {"kind": ask.kind, "rule": ask.rule, "unopposed": True, "reached_at": given["reached_at"]}
    actions.put_on_record(session, system, "auto_approved", ask, **facts, answer=answer, digest=ask.digest)
    emit_changed(session, ask, ASK_SETTLED)


def _changed(session: Session, asks: Sequence[Ask], verb: str, **facts: Any) -> None:
    if not asks:
        return
    for ask in asks:
        # The same columns of each, changed or not: then they go in one statement.
        for column in ("veto", "deadline", "waits_until", "due_at"):
            flag_modified(ask, column)
    session.flush()
    commit = commit_of(session)
    for ask in asks:
        if ask.due_at is not None:
            commit.due = min(commit.due or ask.due_at, ask.due_at)
        at = ask.deadline.isoformat() if ask.deadline else None
        actions.put_on_record(session, Actor.system(ask.workspace_id), verb, ask, runs_at=at, **facts)
    emit_each_changed(session, asks, ASK_UPDATED)
