"""What stays of an answer: allowances, proposed rules, lessons."""

from sqlalchemy.orm import Session

from signoff.asks.answers.corrections import corrections, reason_of
from signoff.asks.answers.outcome import Answer, Remember
from signoff.asks.models import Ask
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import FieldError, Invalid
from signoff.kit.jsons import JsonObject
from signoff.lessons.actions import learn
from signoff.rules import actions as rules


def check_remember(actor: Actor, ask: Ask, given: Answer) -> None:
    """An allowance may lift what autonomy asks for, never what a rule wants a person for."""
    if given.remember in (None, "rule"):
        return
    if ask.rule is not None:
        why = f"the rule {ask.rule!r} requires a person every time; propose another rule instead (remember: rule)"
        raise Invalid(f"This cannot be remembered: {why}.", errors=[FieldError("remember", why)])
    if given.remember == "agent":
        # It loosens what the agent may do in every later run: that is an admin's business.
        actor.require(Role.ADMIN)


def remember(session: Session, actor: Actor, ask: Ask, what: Remember) -> None:
    """Keep an approval for later calls, or propose it as a rule."""
    if ask.tool is None:
        return
    if what == "rule":
        rules.propose(session, actor, ask.agent, ask.tool, ask.id)
        return
    rules.remember(
        session,
        actor,
        agent=ask.agent,
        run_id=ask.run_id if what == "run" else None,
        tool=ask.tool,
        risk_level=ask.risk_level or "low",
        ask_id=ask.id,
    )


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
