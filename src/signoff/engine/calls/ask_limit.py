"""How many asks a run may have open, and how many it may open in an hour."""

from datetime import timedelta

from sqlalchemy.orm import Session

from signoff.asks.queries import open_by_run
from signoff.engine.claimed_run import ClaimedRun
from signoff.kit import clock
from signoff.kit.settings import Settings
from signoff.runs.states import ASKING, CallStatus


def ask_limit_error(session: Session, claimed: ClaimedRun, settings: Settings) -> str | None:
    """Why this run may not open another ask now."""
    waiting = len({call.ask_id for call in claimed.calls if call.status == CallStatus.WAITING.value})
    if any(call.ask_id and call.tool == "ask_question" and call.status not in ASKING for call in claimed.calls):
        # Questions that did not block may be open still, and only their rows know.
        waiting = open_by_run(session, [claimed.run.id]).get(claimed.run.id, 0)
    if waiting >= settings.max_open_asks:
        return f"{waiting} asks of this run wait already, and more are not allowed. Wait for their answers."
    hour_ago = clock.now() - timedelta(hours=1)
    lately = len({call.ask_id for call in claimed.calls if call.ask_id and call.created_at > hour_ago})
    if lately >= settings.max_asks_per_hour:
        return f"This run has asked {lately} times within an hour, and more is not allowed. Go on without asking."
    return None
