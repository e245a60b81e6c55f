"""What stays of an answer: allowances, proposed rules, lessons."""

from sqlalchemy.orm import Session

from signoff.asks.answers.outcome import Answer, Remember
from signoff.asks.models import Ask
from signoff.asks.states import AskKind
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import FieldError, Invalid
from signoff.kit.jsons import JsonObject, clean_text
from signoff.lessons.actions import learn
from signoff.rules import actions as rules


def check_remember(actor: Actor, ask: Ask, given: Answer) -> None:
    """An allowance may lift what autonomy asks for, never what a rule wants a person for."""
    if given.remember in (None, "rule"):
        return
    if ask.rule is not None:
        why = f"the rule {ask.rule!r} wants a person each time; propose another rule instead (remember: rule)"
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


def keep_lesson(session: Session, actor: Actor, ask: Ask, given: JsonObject) -> None:
    """Every edit and refusal of an action is a lesson."""
    kind = _kind(ask, given)
    tool = ask.tool or ("propose_plan" if ask.kind == AskKind.PLAN.value else None)
    if kind is None or tool is None:
        return
    plan = {"steps": given["steps"]} if given.get("steps") is not None else None
    learn(
        session,
        actor,
        kind,
        agent=ask.agent,
        tool=tool,
        scenario=ask.run_title,
        ask_id=ask.id,
        run_id=ask.run_id,
        original=next((each for each in (ask.original_arguments, ask.arguments, ask.plan) if each is not None), None),
        changed=given["arguments"] if given.get("arguments") is not None else plan,
        reason=_reason(given),
    )


def _reason(given: JsonObject) -> str | None:
    said = given.get("note") or (given.get("value") if given.get("decision") == "respond" else None)
    return clean_text(said) if isinstance(said, str) else None


def _kind(ask: Ask, given: JsonObject) -> str | None:
    if ask.kind not in (AskKind.APPROVAL.value, AskKind.PLAN.value):
        return None
    match given.get("decision"):
        case "deny":
            return "refused"
        case "respond":
            return "redirected"
        case _:
            steps = given.get("steps")
            fewer = steps is not None and (
                len(steps) < len((ask.plan or {}).get("steps", [])) or any(step.get("edited") for step in steps)
            )
            return "edited" if given.get("arguments") is not None or fewer else None
