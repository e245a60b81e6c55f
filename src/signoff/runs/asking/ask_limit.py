"""How many asks a run may have open, and how many may be opened for it in an hour."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy.orm import Session

from signoff.asks.queries import open_by_run, opened_since
from signoff.kit import clock
from signoff.kit.settings import Settings
from signoff.runs.models import Call
from signoff.runs.states import ASKING, CallStatus

HOUR = timedelta(hours=1)


def ask_limit_error(session: Session, settings: Settings, run_id: str, made: Sequence[Call]) -> str | None:
    """Why this run, which made these calls, may not open another ask now. What others ask about it takes nothing of
    its hour."""
    waiting = len({call.ask_id for call in made if call.status == CallStatus.WAITING.value})
    if any(call.ask_id and call.tool == "ask_question" and call.status not in ASKING for call in made):
        # Questions that did not block may be open still, and only their rows know.
        waiting = open_by_run(session, [run_id]).get(run_id, 0)
    if waiting >= settings.max_open_asks:
        return f"{waiting} asks of this run wait already, and more are not allowed. Wait for their answers."
    hour_ago = clock.now() - HOUR
    lately = len({call.ask_id for call in made if call.ask_id and call.created_at > hour_ago})
    if lately >= settings.max_asks_per_hour:
        return f"This run has asked {lately} times within an hour, and more is not allowed. Go on without asking."
    return None


def outside_limit_error(session: Session, settings: Settings, run_id: str) -> str | None:
    """Why nobody may ask about this run from outside now: by its rows, whoever asked."""
    waiting = open_by_run(session, [run_id]).get(run_id, 0)
    if waiting >= settings.max_open_asks:
        return f"This run already has {waiting} open asks. Wait for their answers."
    lately = opened_since(session, run_id, clock.now() - HOUR)
    if lately >= settings.max_asks_per_hour:
        return f"This run already had {lately} asks within an hour. Try again later."
    return None
