"""An answer that came after its run had ended for want of it: a new run may begin with it."""

from typing import Any

from sqlalchemy.orm import Session

from signoff.asks import queries
from signoff.asks.answers.outcome import value_schema
from signoff.asks.deadlines.timing import at_expiry
from signoff.asks.models import Ask
from signoff.asks.signatures.conditions import needs_several
from signoff.asks.signatures.who_may_answer import permit
from signoff.asks.states import AskKind, AskStatus
from signoff.audit.actions import record
from signoff.kit import jsons
from signoff.kit.actor import Actor
from signoff.kit.errors import Conflict, FieldError, Invalid
from signoff.kit.schema.check import problems

# What is answered in words. A call that nobody approved in time is proposed again.
IN_WORDS = frozenset({AskKind.QUESTION, AskKind.CLARIFICATION, AskKind.RECOVERY})


class NotWanted(Conflict):
    """The run did not end for want of this answer."""

    code = "answer_not_wanted"


def ended_its_run(ask: Ask) -> bool:
    """Whether the run ended because nobody answered this in time, and a late answer could still help."""
    expired = ask.status == AskStatus.EXPIRED.value and at_expiry(ask) in ("cancel", "fail")
    return expired and ask.run_id is not None and AskKind(ask.kind) in IN_WORDS and not needs_several(ask)


def late_answer(session: Session, actor: Actor, run_id: str, ask_id: str, value: Any) -> str:
    """Question and answer as the new run reads them. Whoever could have answered in time may."""
    ask = queries.ask(session, actor, ask_id)
    if ask.run_id != run_id or not ended_its_run(ask):
        raise NotWanted("This run did not end because of that question.", state={"id": ask.id, "status": ask.status})
    permit(session, actor, ask, "respond")
    wrong = problems(value_schema(ask), value, "value")
    if wrong:
        raise Invalid("This answer does not match the question.", errors=[FieldError("answers", wrong[0].message)])
    record(session, actor, "ask.answered_late", ask.id, {"title": ask.title, "value": value}, run_id=run_id)
    words = value if isinstance(value, str) else jsons.dumps(value)
    return f"Nobody answered this in time:\n{ask.description}\n\n{actor.label} answers now:\n{words}\n"
