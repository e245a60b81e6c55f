"""Which asks are alike, and what people usually answered."""

from collections import Counter

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.queries import ANSWERED, PENDING
from signoff.asks.states import AskKind, AskStatus
from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.policy.targets import targets

LOOKED_AT = 50
QUESTIONS = frozenset({AskKind.QUESTION.value, AskKind.CLARIFICATION.value})
SINGLE = {
    AskKind.PLAN.value: "Each plan is decided separately",
    AskKind.MILESTONE.value: "Each milestone is decided separately",
    AskKind.BUDGET.value: "Each budget is decided separately",
    AskKind.RECOVERY.value: "Each recovery is answered separately",
}


def likeness(ask: Ask) -> str | None:
    """Approvals are alike by agent, tool, target, impact, risk and rule; questions by their words and what they take.

    Of the ask, a row with the columns that are named here will do.
    """
    if ask.kind in QUESTIONS:
        words = " ".join(ask.description.lower().split())
        values = [option["value"] for option in ask.options or []]
        return jsons.digest(["question", words, ask.response_type, sorted(map(jsons.dumps, values))])[:32]
    if ask.kind == AskKind.APPROVAL.value:
        aim = [ask.agent, ask.tool, targets(ask.arguments or {}), ask.call_ids is not None]
        does = ask.impact and [*ask.impact["kinds"], *(["reversible"] if ask.impact.get("reversible") else [])]
        # What one person may decide alone must not stand among what needs others.
        terms = [ask.risk_level, ask.rule, ask.approvals_required, ask.stages, ask.approvers, ask.four_eyes]
        return jsons.digest(["approval", aim, does, terms])[:32]
    return None


def apart(ask: Ask) -> str | None:
    """Why an ask is decided by itself only, never together with others."""
    if ask.kind in SINGLE:
        return SINGLE[ask.kind]
    if ask.approvals_required > 1 or ask.stages:
        return "Needs several signatures, so each is signed separately"
    if ask.four_eyes:
        return "Needs four eyes, so each is decided separately"
    if ask.call_ids is not None:
        return "Contains several calls, so each is decided separately"
    if ask.response_type == "form":
        return "Each form is filled in separately"
    return None


def usual_answer(session: Session, ask: Ask) -> JsonObject | None:
    """The answer that people gave most often to the same question: {value, times, of}."""
    if ask.likeness is None or ask.kind not in QUESTIONS:
        return None
    same = (Ask.workspace_id == ask.workspace_id, Ask.likeness == ask.likeness)
    query = select(Ask.answer).where(*same, ANSWERED)
    given = [
        answer.get("value") for answer in session.scalars(query.order_by(Ask.id.desc()).limit(LOOKED_AT)) if answer
    ]
    if not given:
        return None
    text, times = Counter(jsons.dumps(value) for value in given).most_common(1)[0]
    return {"value": jsons.loads(text), "times": times, "of": len(given)}


def offer_first(ask: Ask) -> None:
    """Put the usual answer at the head of the choices."""
    if ask.suggestion and ask.options:
        usual = ask.suggestion["value"]
        ask.options = sorted(ask.options, key=lambda option: option["value"] != usual)


def alike_counts(session: Session, workspace_id: str, asks: list[Ask]) -> dict[str, int]:
    """How many open asks share each likeness, in one indexed query."""
    wanted = {ask.likeness for ask in asks if ask.likeness and ask.status == AskStatus.PENDING.value}
    if not wanted:
        return {}
    query = select(Ask.likeness, func.count()).where(
        Ask.workspace_id == workspace_id, Ask.likeness.in_(wanted), PENDING
    )
    return {row[0] or "": row[1] for row in session.execute(query.group_by(Ask.likeness))}
