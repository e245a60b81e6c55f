"""How far a workflow's run may go: its time, which does not run while people have it, and its money."""

from datetime import datetime, timedelta

from signoff.catalog.schemas import Limits
from signoff.engine.workflow.claimed_workflow import ClaimedWorkflow
from signoff.kit import clock
from signoff.kit.jsons import JsonObject
from signoff.kit.text.time_words import in_words
from signoff.runs.ending import Ending
from signoff.runs.limits import Usage, reached
from signoff.runs.states import Reason, RunStatus
from signoff.runs.workflow.credits_above import NO_MONEY, credits_left_to
from signoff.runs.workflow.people_time import time_of_people, waits_for_people


def at_a_limit(claimed: ClaimedWorkflow) -> Ending | None:
    """How it ends where nothing more may begin."""
    at, run = deadline(claimed), claimed.run
    if at is not None and at <= clock.now():
        error: JsonObject = {"message": f"The workflow's time limit of {in_words(_seconds(claimed) or 0)} is reached."}
        return Ending(RunStatus.TIMEOUT, Reason.MAX_DURATION, error)
    # Its time is the clock's, not the sum of what its steps take beside each other.
    limits = Limits.model_validate({**run.limits, "max_duration_hours": 0})
    limit = reached(limits, Usage(run.iterations, run.cost_credits, 0))
    if limit is None:
        return None
    error = {"message": f"The workflow's {limit.words} is reached."}
    return Ending(RunStatus.TIMEOUT, limit.reason, error)


def out_of_money(claimed: ClaimedWorkflow) -> Ending | None:
    """How it ends if a step stopped because nothing is left: what others spend beside it counts, too."""
    if credits_left_to(claimed.session, claimed.run) > 0:
        return None
    return Ending(RunStatus.TIMEOUT, Reason.MAX_COST, {"message": NO_MONEY})


def deadline(claimed: ClaimedWorkflow) -> datetime | None:
    """When its time is over. None: it has no end, or a person has it now; when they are done, it looks again."""
    most, run = _seconds(claimed), claimed.run
    if most is None or run.started_at is None:
        return None
    at = run.started_at + timedelta(seconds=most)
    if run.limits["waiting_counts"]:
        return at
    if waits_for_people(claimed.session, run):
        return None
    return at + time_of_people(claimed.session, run, clock.now())


def _seconds(claimed: ClaimedWorkflow) -> float | None:
    own, given = claimed.definition.timeout_seconds, claimed.run.limits["max_duration_hours"] * 3600
    return min(own, given) if own and given else own or given or None
