"""When the model gives no answer: try later, ask a person, or fail with everything kept."""

import random
from datetime import timedelta

from sqlalchemy.orm import Session

from signoff.asks import actions as asks
from signoff.asks.models import Ask
from signoff.asks.states import AskKind
from signoff.engine.asking import budget, option
from signoff.engine.failures import AskSomeone, TryLater
from signoff.engine.held import Desk, Held
from signoff.kit import clock, jsons
from signoff.runs import steps
from signoff.runs.states import Reason, RunStatus

LONGEST_BACKOFF = 300.0


async def try_later(desk: Desk, held: Held, problem: TryLater) -> bool:
    run = held.run
    run.retries += 1
    if run.retries > desk.settings.retry_attempts:
        return await fail(desk, held, f"The model did not answer after {run.retries} tries. Last: {problem}")
    backoff = min(desk.settings.retry_seconds * 2 ** (run.retries - 1), LONGEST_BACKOFF)
    # A little noise, so that many runs do not come back at the same moment.
    pause = problem.after if problem.after is not None else backoff * (1 + random.random() / 4)  # noqa: S311
    until = clock.now() + timedelta(seconds=min(pause, 3600))

    def store(session: Session) -> None:
        note = {"message": f"The model did not answer: {problem}. Trying again at {until:%H:%M:%S} UTC."}
        values = {"owner": None, "lease_until": None, "wake_at": until, "retries": run.retries, "error": note}
        values["falls"] = 0
        steps.write_run(session, held.claim, run, None, **values, **held.work())

    await desk.db.awrite(store)
    return True


async def ask_someone(desk: Desk, held: Held, problem: AskSomeone) -> bool:
    recovery = _recovery(held, str(problem))
    await desk.db.awrite(lambda s: _park(s, held, recovery, RunStatus.WAITING_INPUT))
    return True


async def ask_for_budget(desk: Desk, held: Held) -> bool:
    """The money is used up and the run may ask for more: it waits instead of ending."""
    why = f"The limit of {held.limits.max_cost_credits:g} credits is used up. Approve to let the run go on."
    ask = budget(held, None, {"credits": held.limits.max_cost_credits}, why)
    await desk.db.awrite(lambda s: _park(s, held, ask, RunStatus.WAITING_APPROVAL))
    return True


def _park(session: Session, held: Held, ask: Ask, to: RunStatus) -> None:
    """The run itself waits for this ask."""
    run = held.run
    run.ask_id = ask.id
    asks.open_ask(session, held.actor, ask)
    release = steps.resting(held.wakes, held.deadline)
    steps.write_run(session, held.claim, run, to, ask_id=ask.id, **release, **held.work())


def _recovery(held: Held, problem: str) -> Ask:
    return held.ask(
        AskKind.RECOVERY,
        f"The model of {held.definition.name} refuses to work",
        description=f"{problem}\n\nMend the key or the quota, then try again; or give up: the run fails, all is kept.",
        response_type="choice",
        options=[
            option("retry", "Try again"),
            option("skip", "Give up", "The run fails; everything is kept."),
        ],
    )


async def fail(desk: Desk, held: Held, message: str) -> bool:
    error = {"message": jsons.clean_text(message)}
    await desk.db.awrite(
        lambda s: steps.end(s, held.claim, held.run, RunStatus.FAILED, Reason.ERROR, error=error, **held.work())
    )
    return True
