"""A person wants calls taken back: judged by policy as any call, at once where their own word is enough."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.signatures.coverage import covers
from signoff.asks.signatures.parties import names
from signoff.asks.signatures.who_may_answer import NobodysWord, is_among, speaks_for_somebody
from signoff.asks.states import UNDO, AskKind
from signoff.audit.actions import record
from signoff.claims.actions import hold, wake
from signoff.claims.pause_all import may_start
from signoff.kit import clock
from signoff.kit.actor import Actor, Role
from signoff.kit.jsons import JsonObject, digest
from signoff.kit.settings import Settings
from signoff.policy.evaluate import Allow, AskFirst, Autonomy, Deny, ProposedCall, Stance, Verdict, evaluate
from signoff.runs.asking.new_ask import new_ask
from signoff.runs.asking.open_ask import open_from_outside
from signoff.runs.calls import add_calls, approve_call, wait_for_ask
from signoff.runs.large_values import value_of
from signoff.runs.models import Call, Run
from signoff.runs.rule_inputs.policy_inputs import policy_inputs, rules_for
from signoff.runs.undoing.new_undo_call import new_undo_call
from signoff.runs.undoing.undo_calls import AlreadyUndone, CannotBeUndone, undone, why_not_undone
from signoff.tools.undo.compensating import Compensation

STRICTER = "Newer rules want others to agree first. Ask for it again."


def request_undo(
    session: Session, actor: Actor, settings: Settings, run: Run, wanted: Sequence[Compensation]
) -> list[Call]:
    """Take these back, in this order. A rule may want others to agree: then it waits for them."""
    actor.require(Role.MEMBER)
    # One after the other: of two who press at once, one sees the other's.
    hold(session, run.id)
    if not may_start(session, run.workspace_id):
        raise CannotBeUndone("Everything is paused, so nothing can be undone now. Lift the pause first.")
    known, made = undone(session, [run.id]), list[Call]()
    for each in wanted:
        refuse_undone(each.target, known.get(each.target.id))
        made.append(_request_one(session, actor, settings, run, each))
    wake(session, run.id, clock.now())
    return made


def refuse_undone(target: Call, by: Call | None) -> None:
    """See that a call can be undone, as far as the rows tell."""
    why = why_not_undone(target, by)
    if by is not None:
        state = {"call_id": by.id, "status": by.status, "requested_by": by.requested_by}
        raise AlreadyUndone(why or "", state=state)
    if why is not None:
        raise CannotBeUndone(why)


def why_not_now(session: Session, run: Run, made: Call, ask: Ask | None, wanted: Compensation) -> str | None:
    """What the rules of this moment say against an undo that may start: they have the last word."""
    verdict, version = _judged(session, run, _proposed(session, run, wanted))
    if isinstance(verdict, Deny):
        return "; ".join(verdict.reasons)
    if isinstance(verdict, Allow):
        return None
    if ask is not None:
        return None if covers(ask, verdict) else STRICTER
    if made.verdict["verdict"] == Allow.word:
        # A rule let it through that does so no longer.
        return STRICTER
    # Whoever pressed is not here to be looked at again: their word counts where any approver's would.
    is_same = made.verdict.get("policy_version", 0) == version
    return None if is_same or (_takes_one(verdict) and not verdict.conditions.approvers) else STRICTER


def _proposed(session: Session, run: Run, wanted: Compensation) -> ProposedCall:
    return ProposedCall(
        tool=wanted.tool.name,
        assessment=wanted.assessment,
        operation_type=wanted.tool.operation_type,
        arguments=wanted.arguments,
        schema=wanted.tool.schema,
        **policy_inputs(run, run.id, value_of(session, run, "input")),
    )


def _judged(session: Session, run: Run, call: ProposedCall) -> tuple[Verdict, int]:
    """By which version of the rules as well."""
    policy = rules_for(session, run)
    return evaluate(call, Stance(Autonomy.APPROVE_ALL), policy, clock.now()), policy.version


def _request_one(session: Session, actor: Actor, settings: Settings, run: Run, wanted: Compensation) -> Call:
    call = _proposed(session, run, wanted)
    verdict, version = _judged(session, run, call)
    if isinstance(verdict, Deny):
        raise CannotBeUndone("; ".join(verdict.reasons))
    made = new_undo_call(
        session, wanted.target, wanted.tool.name, wanted.arguments, _verdict(verdict, version), actor.label
    )
    if isinstance(verdict, Allow) or _own_word_is_enough(session, actor, verdict):
        approve_call(made)
    else:
        ask = _ask(actor, run, made, wanted, call, verdict, version)
        open_from_outside(session, settings, actor, run, ask, verdict)
        wait_for_ask(made, ask.id)
    add_calls(session, [made])
    entry = {"tool": made.tool, "arguments": made.arguments, "digest": digest(made.arguments), "undoes": made.undoes}
    record(session, actor, "call.undo_requested", made.id, entry | {"status": made.status}, run_id=run.id)
    return made


def _takes_one(verdict: AskFirst) -> bool:
    wanted = verdict.conditions
    return wanted.approvals == 1 and not wanted.stages and not wanted.four_eyes


def _own_word_is_enough(session: Session, actor: Actor, verdict: AskFirst) -> bool:
    """Whether who presses could approve it alone: then their press is the approval."""
    if not _takes_one(verdict):
        return False
    try:
        speaks_for_somebody(actor)
    except NobodysWord:
        return False
    if actor.scope is not None and not actor.scope.includes(Role.APPROVER):
        # Whom a rule names is the person: a token that may less than they stays less.
        return False
    if verdict.conditions.approvers:
        return is_among(session, actor, list(verdict.conditions.approvers))
    return actor.role.includes(Role.APPROVER)


def _verdict(verdict: Verdict, version: int) -> JsonObject:
    found = {"verdict": verdict.word, "reasons": list(verdict.reasons), "rule": verdict.rule}
    impact = {"impact": verdict.risk.impact.to_json()} if verdict.risk.impact else {}
    return found | {"risk": verdict.risk.level.value} | impact | ({"policy_version": version} if version else {})


def _ask(
    actor: Actor, run: Run, call: Call, wanted: Compensation, proposed: ProposedCall, verdict: AskFirst, version: int
) -> Ask:
    tool = wanted.tool
    return new_ask(
        run,
        AskKind.APPROVAL,
        f"Undo {wanted.target.tool}: {tool.headline(wanted.arguments)}"[:300],
        call_id=call.id,
        description=f"{actor.label} wants to undo a call of this run. It is not done before somebody agrees.",
        tool=tool.name,
        action_type=UNDO,
        operation_type=tool.operation_type,
        arguments=wanted.arguments,
        # What takes a call back is made from what it did: nobody changes it on the way.
        arguments_schema={"const": wanted.arguments},
        proposed_call=proposed.to_json(),
        preview=wanted.preview,
        risk_level=verdict.risk.level.value,
        risk_reasons=list(dict.fromkeys([*verdict.reasons, *verdict.risk.reasons])),
        impact=verdict.risk.impact.to_json() if verdict.risk.impact else None,
        rule=verdict.rule,
        policy_version=version or None,
        blocking=False,
        asked_by=names(actor),
    )
