"""What happens to asks. Every way to answer ends in `answer`; time acts through `expiry`."""

from contextlib import suppress
from typing import Any

from sqlalchemy import and_, bindparam, or_, select, update
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import set_committed_value

from signoff.asks.answers.deviation import deviation
from signoff.asks.answers.judge_edits import judge_again, judge_steps
from signoff.asks.answers.late import ended_its_run
from signoff.asks.answers.outcome import Answer, Outcome, changes, is_read, outcome
from signoff.asks.answers.remember import check_remember, keep_lessons, remember
from signoff.asks.effects.held import is_held
from signoff.asks.effects.previews import bound_digest, brief, is_anew
from signoff.asks.effects.veto import has_window, notice, reach
from signoff.asks.events import ASK_SETTLED, ASK_UPDATED, emit_changed, emit_opened
from signoff.asks.inbox.parts import keep_settled, keep_signers
from signoff.asks.likeness import likeness, offer_first, usual_answer
from signoff.asks.models import Ask
from signoff.asks.risk import set_order
from signoff.asks.signatures import conditions
from signoff.asks.signatures.deputies import hold as hold_deputy
from signoff.asks.signatures.deputies import in_whose_name
from signoff.asks.signatures.parties import outside_asker, remember_editor, steers
from signoff.asks.signatures.signers import as_they_count, strike_out
from signoff.asks.signatures.who_may_answer import is_among, may, meaning, permit, speaks_for_somebody
from signoff.asks.states import ASK, DECIDED_OR_LET_THROUGH, SETTLED, UNDO, AskStatus
from signoff.audit.actions import record
from signoff.claims.actions import hold, wake_with_workflows
from signoff.kit import clock
from signoff.kit.actor import Actor, Role
from signoff.kit.db.columns import table
from signoff.kit.db.database import commit_of
from signoff.kit.db.prepared import Prepared, row_of
from signoff.kit.errors import Conflict
from signoff.kit.jsons import JsonObject
from signoff.notifications.actions import notify
from signoff.notifications.models import NoticeKind
from signoff.policy.risk import Risk
from signoff.workspaces import queries as people


class AlreadySettled(Conflict):
    """Someone answered first, or the run ended."""

    code = "ask_already_settled"


class SeenDifferent(Conflict):
    """The ask changed since the person looked at it: what they saw is not what they would sign."""

    code = "ask_changed"


def open_ask(
    session: Session, actor: Actor, ask: Ask, recipients: tuple[str, ...] = (), channels: tuple[str, ...] = ()
) -> None:
    """Put something before the people of the workspace. The caller parks the run in the same transaction.

    Recipients have it in their list of notices, too; who else is reached outside follows from who may answer."""
    ask.digest = bound_digest(ask)
    set_order(ask)
    ask.likeness = likeness(ask)
    ask.suggestion = usual_answer(session, ask)
    offer_first(ask)
    if has_window(ask) and _is_listed_for_objector(session, ask, recipients):
        reach(ask, is_held(session, ask))
    _INSERT.run(session, row_of(ask))
    facts = {"kind": ask.kind, "tool": ask.tool, "digest": ask.digest, "rule": ask.rule, "preview": ask.preview}
    put_on_record(session, actor, "opened", ask, **facts)
    emit_opened(session, ask)
    if ask.due_at is not None:
        commit = commit_of(session)
        commit.due = min(commit.due or ask.due_at, ask.due_at)
    notify(
        session,
        ask.workspace_id,
        ask.run_id,
        "asks",
        outside_asker(ask) or ask.agent,
        notice(ask),
        recipients=list(recipients),
        ask_id=ask.id,
        kind=NoticeKind.ASK,
        listed=bool(recipients),
        channels=channels,
        urgent=ask.risk_level == Risk.CRITICAL.value,
    )


def _is_listed_for_objector(session: Session, ask: Ask, recipients: tuple[str, ...]) -> bool:
    """Whether it stands in the list of notices of somebody who may object."""
    told = people.everybody(session, ask.workspace_id) if recipients else []
    return any(is_among(session, each, list(recipients)) and may(session, each, ask, "deny") for each in told)


def put_on_record(session: Session, actor: Actor, verb: str, ask: Ask, **facts: Any) -> None:
    """What became of an ask, with all that was seen: who reads the record later may not find the ask any more."""
    if "digest" in facts:
        seen = {"arguments": ask.arguments, "original_arguments": ask.original_arguments, "plan": ask.plan}
        facts = seen | {"preview": brief(ask.preview)} | facts
    if actor.absent is not None:
        facts["on_behalf_of"] = actor.absent.label
    facts = {"title": ask.title} | {name: value for name, value in facts.items() if value is not None}
    record(session, actor, f"ask.{verb}", ask.id, facts, run_id=ask.run_id)


def log_decision(session: Session, ask: Ask, rule: str) -> None:
    """Keep a decision that a rule took, as if it had been asked for."""
    ask.status, ask.settled_by = AskStatus.AUTO_APPROVED.value, f"rule: {rule}"
    # It never stood open: what did so is listed as decided.
    ask.created_at = ask.settled_at = clock.now()
    ask.digest = bound_digest(ask)
    set_order(ask)
    session.add(ask)
    session.flush()


def answer(session: Session, actor: Actor, ask: Ask, given: Answer) -> None:
    """Take one person's answer. The first decisive one settles the ask and makes its run ready."""
    if conditions.needs_several(ask) or ask.four_eyes or given.arguments is not None:
        _lock_as_seen(session, ask)
    speaks_for_somebody(actor)
    refuse_settled(ask)
    # Whose stage it is goes by who still counts, as it is shown.
    counted = as_they_count(session, ask.workspace_id, [ask]).get(ask.id) if ask.stages else None
    actor = hold_deputy(session, in_whose_name(session, actor, ask, meaning(ask, given), counted))
    permit(session, actor, ask, meaning(ask, given), counted)
    _refuse_unseen(ask, given.digest, approves=meaning(ask, given) == "approve")
    result = outcome(ask, given)
    conditions.refuse_parts(ask, result.answer)
    judge_steps(session, ask, result.answer.get("steps") or [], given.impact_of)
    decides = meaning(ask, given) != "approve" or _decides(session, actor, ask, given, result)
    check_remember(actor, ask, given)
    if not decides:
        return
    speaks = is_read(ask, result)
    result = _signed_outcome(ask, result)
    wake_run(session, ask)
    settle(session, actor, ask, result.status, result.answer)
    if ask.run_id and speaks:
        # What is said to the agent in words steers it, as a message would.
        steers(session, actor, ask.run_id)
    keep_lessons(session, actor, ask, result.answer)
    if given.remember is not None:
        remember(session, actor, ask, given.remember, given.past)
    facts = {"status": ask.status, "answer": result.answer, "digest": ask.digest}
    put_on_record(session, actor, "answered", ask, **facts, **deviation(ask, result.answer))
    emit_changed(session, ask, ASK_SETTLED)


def _refuse_unseen(ask: Ask, seen: str | None, *, approves: bool) -> None:
    """Nobody signs blindly: once an ask was edited, or lets something else happen, an answer says what it is about."""
    is_edited = ask.original_arguments is not None
    if seen is None and (is_edited or (approves and is_anew(ask))):
        why = "This ask was edited." if is_edited else "What this would change is different since it was asked."
        what_to_do = f"{why} Read it again and send its current `digest` with your answer."
        raise SeenDifferent(what_to_do, state=conditions.progress(ask))
    if seen is not None and seen != ask.digest:
        raise SeenDifferent(
            "This ask was changed since you opened it. Read it again, then decide.", state=conditions.progress(ask)
        )


def _lock_as_seen(session: Session, ask: Ask) -> None:
    """Hold the ask. Who meant to sign what stood there a moment ago must not sign what somebody else made of it."""
    seen, status = ask.digest, ask.status
    if status == AskStatus.PENDING.value:
        lock(session, ask)
    if ask.digest != seen:
        raise SeenDifferent(
            "Someone else changed this ask at the same time. Read it again, then decide.",
            state=conditions.progress(ask),
        )


def _decides(session: Session, actor: Actor, ask: Ask, given: Answer, result: Outcome) -> bool:
    """Whether this approval is the last word. It may be one of several, or an edit that others must sign."""
    changed = result.answer.get("arguments")
    if changed is not None:
        judge_again(session, ask, changed, given.impact_of)
    if changes(result):
        remember_editor(actor, ask)
    alone = not conditions.needs_several(ask) and (changed is None or not ask.four_eyes)
    if alone and may(session, actor, ask, "approve"):
        if changed is not None:
            _show_edited(session, ask, given.preview)
        return True
    if changed is not None:
        conditions.change_arguments(ask, changed, given.preview)
        if ask.run_id:
            # The agent reads what ran in place of what it proposed.
            steers(session, actor, ask.run_id)
    for struck in strike_out(session, actor, ask):
        put_on_record(session, Actor.system(ask.workspace_id), "struck_out", ask, by=struck["by"], why=struck["void"])
    # Whose turn it is may be another's now: signatures before are void, or this person's own edit made it theirs.
    mine = may(session, actor, ask, "approve")
    last = conditions.sign(ask, actor, given.note) if mine else False
    session.flush()
    keep_signers(session, ask)
    if not last:
        signed = {"digest": ask.digest, "signatures": len(conditions.counting(ask)), "of": ask.approvals_required}
        if mine or changed is not None:
            put_on_record(session, actor, "signed" if mine else "edited", ask, **signed)
        emit_changed(session, ask, ASK_UPDATED)
    return last


def _show_edited(session: Session, ask: Ask, preview: JsonObject | None) -> None:
    """What somebody approves with changes would do what they made of it: that has to hold when it starts."""
    ask.preview = preview
    ask.digest = bound_digest(ask)
    session.flush()


def _signed_outcome(ask: Ask, result: Outcome) -> Outcome:
    """The last signature stands for what all of them signed, unless its author changed it and needs nobody else."""
    if ask.original_arguments is None or result.status is not AskStatus.APPROVED:
        return result
    return Outcome(result.status, {"arguments": ask.arguments, **result.answer})


def answer_by_message(session: Session, actor: Actor, ask: Ask, text: str) -> None:
    """Somebody spoke to the run instead of answering its question: that is the answer."""
    permit(session, actor, ask, "respond")
    wake_run(session, ask)
    settle(session, actor, ask, AskStatus.ANSWERED, {"decision": "respond", "value": text, "by_message": True})
    put_on_record(session, actor, "answered", ask, status=ask.status, digest=ask.digest)
    emit_changed(session, ask, ASK_SETTLED)


def cancel(session: Session, actor: Actor, ask: Ask) -> None:
    """Withdraw an ask; its run goes on and learns that nobody will answer."""
    speaks_for_somebody(actor)
    actor.require(Role.MEMBER)
    _cancel(session, actor, ask)


def _cancel(session: Session, actor: Actor, ask: Ask) -> None:
    refuse_settled(ask)
    wake_run(session, ask)
    settle(session, actor, ask, AskStatus.CANCELLED, None)
    put_on_record(session, actor, "cancelled", ask)
    emit_changed(session, ask, ASK_SETTLED)


def withdraw(session: Session, actor: Actor, ask_id: str) -> None:
    """Close an ask that its run no longer needs; if somebody was faster, their answer comes to nothing."""
    ask = session.get(Ask, ask_id)
    if ask is not None and ask.status == AskStatus.PENDING.value:
        with suppress(AlreadySettled):
            _cancel(session, actor, ask)


def cancel_open(session: Session, actor: Actor, run_id: str) -> int:
    """The run has ended: nobody needs to answer any more."""
    ids = [row[0] for row in _CANCEL_OPEN.rows(session, {"run": run_id, "by": actor.label, "at": clock.now()})]
    for ask in (
        session.scalars(select(Ask).where(Ask.id.in_(ids)).execution_options(populate_existing=True)) if ids else ()
    ):
        put_on_record(session, actor, "cancelled", ask, because="the run ended")
        emit_changed(session, ask, ASK_SETTLED)
    if ids:
        keep_settled(session, ids)
    return len(ids)


def lock(session: Session, ask: Ask) -> None:
    """Hold the run's row, then the ask's, and see how it stands: who ends a run takes them in the same order."""
    if ask.run_id:
        hold(session, ask.run_id)
    session.refresh(ask, with_for_update=True)
    refuse_settled(ask)


def wake_run(session: Session, ask: Ask) -> None:
    """The run first, then the ask: who ends a run takes the same two rows in the same order."""
    if ask.run_id:
        wake_with_workflows(session, ask.run_id, clock.now())


def settle(
    session: Session, actor: Actor, ask: Ask, to: AskStatus, given: JsonObject | None, by: str | None = None
) -> None:
    """Move a pending ask, or say how it ended: legality and the race are one WHERE."""
    if given is not None and actor.absent is not None:
        given = given | {"on_behalf_of": actor.absent.label}
    values: dict[str, Any] = {"answer": given, "settled_by": by or actor.label, "settled_at": clock.now()}
    values["signatures"] = ask.signatures
    if conditions.needs_several(ask) and to is AskStatus.DENIED:
        values["signatures"] = [*ask.signatures, conditions.signature(actor, "deny", (given or {}).get("note"))]
    bound = {f"new_{name}": value for name, value in values.items()} | {"ask": ask.id}
    if to in DECIDED_OR_LET_THROUGH:
        bound["seen"] = ask.digest
    if _SETTLE[to].first(session, bound) is None:
        # Only the row knows how it ended, or who changed it.
        session.refresh(ask)
        refuse_settled(ask)
        raise SeenDifferent(
            "Someone else changed this ask at the same time. Read it again, then decide.",
            state=conditions.progress(ask),
        )
    for name, value in (values | {"status": to.value}).items():
        set_committed_value(ask, name, value)
    if ask.assignee or conditions.needs_several(ask):
        keep_settled(session, [ask.id])


def _settle_statement(to: AskStatus) -> Prepared:
    legal = _asks.c.status.in_([source.value for source in ASK.sources(to)])
    if to in DECIDED_OR_LET_THROUGH:
        # An answer is about what its author saw, not about what somebody else makes of it meanwhile.
        legal = and_(legal, _asks.c.digest == bindparam("seen"))
    names = ("answer", "settled_by", "settled_at", "signatures")
    values = {name: bindparam(f"new_{name}", type_=_asks.c[name].type) for name in names}
    change = update(_asks).where(legal, _asks.c.id == bindparam("ask")).values(status=to.value, **values)
    return Prepared(change.returning(_asks.c.id))


_asks = table(Ask)
_SETTLE = {to: _settle_statement(to) for to in SETTLED}
_INSERT = Prepared.insert(_asks)
_CANCEL_OPEN = Prepared(
    update(_asks)
    .where(
        _asks.c.run_id == bindparam("run"),
        _asks.c.status == AskStatus.PENDING.value,
        or_(_asks.c.action_type.is_(None), _asks.c.action_type != UNDO),
    )
    .values(
        status=AskStatus.CANCELLED.value,
        settled_by=bindparam("by"),
        settled_at=bindparam("at", type_=_asks.c.settled_at.type),
    )
    .returning(_asks.c.id)
)


def refuse_settled(ask: Ask) -> None:
    if ask.status != AskStatus.PENDING.value:
        by = f" by {ask.settled_by}" if ask.settled_by else ""
        raise AlreadySettled(f"This ask was already {ask.status}{by}.", state=settlement(ask))


def settlement(ask: Ask) -> JsonObject:
    """How an ask ended, for those who came too late."""
    at = ask.settled_at.isoformat() if ask.settled_at else None
    onward = {"continue": {"run_id": ask.run_id, "ask_id": ask.id}} if ended_its_run(ask) else {}
    ended = {"id": ask.id, "status": ask.status, "answer": ask.answer}
    return {**ended, "settled_by": ask.settled_by, "settled_at": at, **onward}
