"""A button or a command signs only what its message shows: the one door for whatever is decided in a chat."""

from sqlalchemy.orm import Session

from signoff.asks.answers.outcome import ALLOWED, Answer, Decision
from signoff.asks.models import Ask
from signoff.asks.states import AskKind, AskStatus
from signoff.channels.deciding import Find, Found, answer_from_outside, needs_sign_in
from signoff.channels.messages.compose import view_of
from signoff.kit.db.database import Database
from signoff.kit.errors import Forbidden


def answer_as_shown(db: Database, find: Find, given: Answer) -> str:
    """Take what somebody decided in a chat. Returns how the ask stands then, in words."""

    def found(session: Session) -> Found:
        actor, ask = find(session)
        refuse_unshown(ask, given.decision)
        return actor, ask

    return answer_from_outside(db, found, given)


def refuse_unshown(ask: Ask, decision: Decision) -> None:
    """No button of ours says so: it was made up, or made before the ask was what it is."""
    if ask.status != AskStatus.PENDING.value or needs_sign_in(ask) or decision not in ALLOWED[AskKind(ask.kind)]:
        # Refused in words of their own.
        return
    if decision not in view_of(ask).decisions:
        raise Forbidden("This can only be decided in the app. Open it there.")
