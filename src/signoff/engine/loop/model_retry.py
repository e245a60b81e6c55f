"""When the model gives no reply: try later, then ask a person, who may wait; only what never works fails at once."""

import random
from datetime import timedelta
from typing import Any

from sqlalchemy.orm import Session

from signoff.asks.answers.approve_by_rule import approve_at_once
from signoff.asks.models import Ask
from signoff.asks.states import AskKind
from signoff.engine.calls.ask_builders import budget, option
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.engine.model.errors import TryLater
from signoff.kit import clock, jsons
from signoff.kit.jsons import JsonObject
from signoff.policy.evaluate import Allow, Deny
from signoff.runs.asking.judge_ask import judge_ask
from signoff.runs.asking.open_ask import apply_conditions, open_without_limit, recipients
from signoff.runs.ending import Ending, end
from signoff.runs.states import Reason, RunStatus
from signoff.runs.worker.fenced_writes import Release, write_run

LONGEST_BACKOFF = 300.0


async def try_later(engine: EngineContext, claimed: ClaimedRun, problem: TryLater) -> bool:
    run = claimed.run
    run.retries += 1
    if run.retries > engine.settings.retry_attempts:
        seen = f"The model did not answer after {run.retries} tries. Last: {problem}"
        return await ask_someone(engine, claimed, seen, problem.remedy)
    backoff = min(engine.settings.retry_seconds * 2 ** (run.retries - 1), LONGEST_BACKOFF)
    # A little noise, so that many runs do not come back at the same moment.
    pause = problem.after if problem.after is not None else backoff * (1 + random.random() / 4)  # noqa: S311
    until = clock.now() + timedelta(seconds=min(pause, 3600))

    def store(session: Session) -> None:
        note = {"message": f"The model did not answer: {problem}. Trying again at {until:%H:%M:%S} UTC."}
        release = Release(claimed.wakes, until)
        write_run(session, claimed.claim, run, release=release, retries=run.retries, error=note, **claimed.work())

    await engine.db.awrite(store)
    return True


async def ask_someone(engine: EngineContext, claimed: ClaimedRun, seen: str, remedy: str) -> bool:
    """Wait for a person for as long as it takes. What was seen is kept: who gives up finds it on the failed run."""
    recovery = _recovery(claimed, jsons.clean_text(seen), remedy)
    kept: JsonObject = {"error": {"message": jsons.clean_text(seen)}, "retries": 0}
    claimed.run.retries = 0
    await engine.crash_point("unanswered")
    await engine.db.awrite(lambda s: _park(s, claimed, recovery, RunStatus.WAITING_INPUT, **kept))
    return True


async def ask_for_budget(engine: EngineContext, claimed: ClaimedRun) -> bool:
    """The money is used up and the run may ask for more: it waits instead of ending."""
    why = f"The limit of {claimed.limits.max_cost_credits:g} credits is used up. Approve to let the run go on."
    ask = budget(claimed, None, {"credits": claimed.limits.max_cost_credits}, why)
    return await engine.db.awrite(lambda s: _ask_for_money(s, claimed, ask))


def _ask_for_money(session: Session, claimed: ClaimedRun, ask: Ask) -> bool:
    """As the rules want it. True: the run waits, or has ended."""
    run = claimed.run
    wanted = {"credits": claimed.limits.max_cost_credits}
    verdict = judge_ask(session, run, ask, "", wanted)
    if isinstance(verdict, Deny):
        ending = Ending(RunStatus.TIMEOUT, Reason.MAX_COST, {"message": "; ".join(verdict.reasons)})
        end(session, claimed.claim, run, ending, calls=claimed.calls, **claimed.work())
        return True
    if isinstance(verdict, Allow):
        approve_at_once(session, ask, verdict)
        run.ask_id, claimed.settled[ask.id] = ask.id, ask
        write_run(session, claimed.claim, run, None, ask_id=ask.id, **claimed.work())
        return False
    if verdict.rule is not None:
        apply_conditions(ask, verdict)
    _park(session, claimed, ask, RunStatus.WAITING_APPROVAL, recipients(run, ask, verdict))
    return True


def _park(
    session: Session, claimed: ClaimedRun, ask: Ask, to: RunStatus, notified: tuple[str, ...] = (), **kept: Any
) -> None:
    """The run itself waits for this ask."""
    run, release = claimed.run, Release(claimed.wakes, claimed.deadline)
    if write_run(session, claimed.claim, run, to, **claimed.work()) is not to:
        # A person paused or ended it meanwhile: nobody is asked about what nobody wants to go on.
        write_run(session, claimed.claim, run, release=release)
        return
    run.ask_id = ask.id
    open_without_limit(session, run, ask, notified)
    write_run(session, claimed.claim, run, release=release, ask_id=ask.id, **kept)


def _recovery(claimed: ClaimedRun, seen: str, remedy: str) -> Ask:
    trouble = f"{claimed.definition.name} can't reach its model"
    return claimed.ask(
        AskKind.RECOVERY,
        trouble,
        description=f"{trouble}. {remedy}\n\n{seen}",
        response_type="choice",
        options=[
            option("retry", "Try again", "The run continues where it stopped."),
            option("skip", "Give up", "The run fails. Everything is kept."),
        ],
    )


async def fail(engine: EngineContext, claimed: ClaimedRun, message: str) -> bool:
    ending = Ending(RunStatus.FAILED, Reason.ERROR, {"message": jsons.clean_text(message)})
    await engine.db.awrite(lambda s: end(s, claimed.claim, claimed.run, ending, calls=claimed.calls, **claimed.work()))
    return True
