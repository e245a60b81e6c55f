"""What stays of an answer: allowances, proposed rules, lessons."""

from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from signoff.asks.answers.corrections import corrections, reason_of
from signoff.asks.answers.outcome import Answer, Remember
from signoff.asks.answers.similar_decisions import KnownPast, approved_calls, past_decisions, suggested
from signoff.asks.models import Ask
from signoff.asks.states import AskStatus
from signoff.kit import clock
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Conflict, FieldError, Invalid
from signoff.kit.jsons import JsonObject
from signoff.lessons.actions import learn
from signoff.policy.call import CHECKPOINT, ProposedCall
from signoff.policy.format.triggers import Threshold
from signoff.policy.impact import NOT_KNOWN
from signoff.policy.patterns.derive import given as with_conditions
from signoff.policy.patterns.derive import reads
from signoff.policy.patterns.pattern import BadPattern, Pattern
from signoff.policy.risk import Risk
from signoff.rules import actions as rules
from signoff.rules.models import Allowance


class NothingToNarrow(Conflict):
    """An allowance is as narrow as it can be."""

    code = "nothing_to_narrow"


# An allowance for an agent ends, whether or not somebody says when.
DEFAULT_HOURS, MOST_HOURS = 7 * 24, 30 * 24
# Else what somebody lets pass because nothing is done would be done for real the next time.
IN_A_TEST = "it is a test, in which nothing is really done"


def check_remember(actor: Actor, ask: Ask, given: Answer) -> None:
    """An allowance may lift what autonomy asks for, never what a rule wants a person for."""
    wanted = given.remember
    if wanted is None:
        return
    if ask.test:
        raise _refused(IN_A_TEST)
    if wanted.scope == "rule":
        return
    why = why_not(ask)
    if why is not None:
        raise _refused(why)
    if wanted.scope == "agent":
        # It loosens what the agent may do in every later run: that is an admin's business.
        actor.require(Role.ADMIN)


def why_not(ask: Ask) -> str | None:
    """Why no allowance can be made of an ask, whoever answers it."""
    if ask.test:
        return IN_A_TEST
    if ask.operation_type == CHECKPOINT:
        return "a checkpoint of a workflow asks every time"
    if ask.rule is not None:
        return f"the rule {ask.rule!r} requires a person every time; propose another rule instead (remember: rule)"
    if ask.tool is None or ask.proposed_call is None:
        return "what the rules looked at was not kept"
    return None


def remember(session: Session, actor: Actor, ask: Ask, what: Remember, known: KnownPast | None) -> None:
    """Keep an approval for later calls, or propose it as a rule."""
    if ask.tool is None:
        return
    if what.scope == "rule":
        rules.propose(session, actor, ask.agent, ask.tool, ask.id)
        return
    if what.scope == "run" and ask.run_id is None:
        raise _refused("it belongs to no run")
    for risk, pattern in _patterns(session, ask, what, known):
        rules.remember(
            session,
            actor,
            pattern,
            agent=ask.agent,
            run_id=ask.run_id if what.scope == "run" else None,
            tool=ask.tool,
            risk_level=risk.value,
            ask_id=ask.id,
            expires_at=_end(what, clock.now()),
        )


def narrow(session: Session, actor: Actor, wide: Allowance) -> Allowance:
    """Put a narrow allowance with an end in the place of a wide one: what the call that it was given for stands for."""
    if wide.pattern is not None:
        raise NothingToNarrow("This allowance is already narrow.")
    ask = session.get(Ask, wide.ask_id)
    if ask is None or ask.status != AskStatus.APPROVED.value or why_not(ask) is not None:
        raise NothingToNarrow("The call it was given for is no longer on record. Remove the allowance instead.")
    what = Remember("run" if wide.run_id else "agent")
    made = [
        rules.remember(
            session,
            actor,
            pattern,
            agent=wide.agent,
            run_id=wide.run_id,
            tool=wide.tool,
            risk_level=wide.risk_level,
            ask_id=wide.ask_id,
            expires_at=_end(what, clock.now()),
        )
        for _, pattern in _patterns(session, ask, what)
    ]
    rules.revoke(session, actor, wide)
    return made[0]


def _patterns(session: Session, ask: Ask, what: Remember, known: KnownPast | None = None) -> list[tuple[Risk, Pattern]]:
    """One for each call that was approved, as it was approved, with its own risk; alike ones share theirs."""
    calls = approved_calls(ask)
    if what.where is not None and len(calls) > 1:
        raise _refused("conditions work for one call, and this ask has several")
    past = past_decisions(session, ask, known) if what.by_the_past else []
    try:
        made = [
            (call.assessment, suggested(call, past) if what.where is None else _own(call, what.where)) for call in calls
        ]
    except BadPattern as error:
        raise _refused(str(error)) from None
    bound = [(risk.level, replace(pattern, impact=risk.impact or NOT_KNOWN)) for risk, pattern in made]
    return list({(level, pattern.to_text()): (level, pattern) for level, pattern in bound}.values())


def _own(call: ProposedCall, where: tuple[Threshold, ...]) -> Pattern:
    """A person's own conditions, which the call that they approve must satisfy."""
    pattern = with_conditions(call.arguments, where, reads=reads(call))
    if not pattern.holds(call):
        raise BadPattern("where: the call you approve does not match this")
    return pattern


def _end(what: Remember, now: datetime) -> datetime | None:
    """For a run its end is the run's, unless one is given; for an agent there always is one."""
    hours = what.expires_in_hours
    if hours is None:
        hours = None if what.scope == "run" else DEFAULT_HOURS
    return None if hours is None else now + timedelta(hours=hours)


def _refused(why: str) -> Invalid:
    return Invalid(f"This cannot be remembered: {why}.", errors=[FieldError("remember", why)])


def keep_lessons(session: Session, actor: Actor, ask: Ask, given: JsonObject) -> None:
    """Every correction is a lesson for the agent and the tool that it was made to."""
    for each in corrections(ask, given):
        learn(
            session,
            actor,
            each.kind,
            agent=ask.agent,
            tool=each.tool,
            scenario=ask.run_title,
            ask_id=ask.id,
            run_id=ask.run_id,
            original=each.original,
            changed=each.changed,
            reason=reason_of(given),
        )
