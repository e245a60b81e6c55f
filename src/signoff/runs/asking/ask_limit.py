"""How many asks a run may have open, and how many it may open in an hour. What others ask about it counts apart."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy.orm import Session

from signoff.asks.queries import outside_open, outside_since, own_open
from signoff.kit import clock
from signoff.kit.settings import Settings
from signoff.runs.models import Call
from signoff.runs.states import ASKING, CallStatus

HOUR = timedelta(hours=1)
# They stand in everybody's inbox beside what the run waits for.
MOST_FROM_OUTSIDE = 5


def ask_limit_error(session: Session, settings: Settings, run_id: str, made: Sequence[Call]) -> str | None:
    """Why this run, which made these calls, may not open another ask now. What others ask about it takes nothing of
    its room or its hour."""
    waiting = len({call.ask_id for call in made if call.status == CallStatus.WAITING.value})
    if any(call.ask_id and call.tool == "ask_question" and call.status not in ASKING for call in made):
        # Questions that did not block may be open still, and only their rows know.
        waiting = own_open(session, run_id)
    if waiting >= settings.max_open_asks:
        return f"{waiting} asks of this run wait already, and more are not allowed. Wait for their answers."
    hour_ago = clock.now() - HOUR
    lately = len({call.ask_id for call in made if call.ask_id and call.created_at > hour_ago})
    if lately >= settings.max_asks_per_hour:
        return f"This run has asked {lately} times within an hour, and more is not allowed. Go on without asking."
    return None


def outside_limit_error(session: Session, settings: Settings, run_id: str) -> str | None:
    """Why nobody may ask about this run from outside now: by what others asked about it, whoever they are."""
    waiting = outside_open(session, run_id)
    if waiting >= min(MOST_FROM_OUTSIDE, settings.max_open_asks):
        return f"{waiting} questions from outside about this run are open already. Wait for their answers."
    lately = outside_since(session, run_id, clock.now() - HOUR)
    if lately >= settings.max_asks_per_hour:
        return f"This run already had {lately} questions from outside within an hour. Try again later."
    return None
