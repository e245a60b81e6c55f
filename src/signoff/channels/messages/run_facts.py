"""What a message says about how a run ended: seed 001's failure card, for every kind of run."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from signoff.channels.messages import words
from signoff.channels.port import Fact, Link
from signoff.deliverables.models import Deliverable
from signoff.kit.jsons import JsonObject
from signoff.notifications.models import NoticeKind
from signoff.runs.models import Run
from signoff.runs.workflow.models import RunStep
from signoff.runs.workflow.states import StepStatus

LONGEST_ERROR = 200
WENT_WRONG = frozenset(
    each.value for each in (NoticeKind.FAILED, NoticeKind.TIMEOUT, NoticeKind.REJECTED, NoticeKind.EXPIRY)
)


def run_facts(session: Session, run: Run, said: str = "") -> tuple[Fact, ...]:
    """Which run, whose, how far it came, what went wrong, when, how long it took, and what is kept of it.

    What is `said` beside the facts is not said twice."""
    facts = [Fact("Workflow" if run.kind == "workflow" else "Agent", words.title(_who(run))), Fact("Run id", run.id)]
    if run.test:
        facts.append(Fact("Test", "Nothing reached the outside"))
    error = run.error or {}
    if error.get("step_number") and error.get("steps"):
        facts += _failed_step(session, run, error)
    elif run.step:
        facts.append(Fact("Step", words.title(run.step)))
    elif run.progress and run.progress.get("current_step"):
        facts.append(Fact("Step", words.title(str(run.progress["current_step"]))))
    message = str(error.get("message") or "")
    if message and message != said:
        facts.append(Fact("Error", words.shown(message, LONGEST_ERROR)))
    if run.ended_at:
        facts.append(Fact("Time", f"{run.ended_at:%Y-%m-%d %H:%M:%S} UTC"))
        began = run.started_at or run.created_at
        facts.append(Fact("Duration", words.duration((run.ended_at - began).total_seconds())))
    kept = session.scalar(select(func.count()).select_from(Deliverable).where(Deliverable.run_id == run.id)) or 0
    if kept:
        facts.append(Fact("Kept", f"{kept} deliverable{'s' if kept != 1 else ''}"))
    return tuple(facts)


def _failed_step(session: Session, run: Run, error: JsonObject) -> list[Fact]:
    """Which step of a workflow it was, whose, and what the others leave behind."""
    name, number, steps = (error.get(each) for each in ("step_name", "step_number", "steps"))
    facts = [Fact("Step", f"Step {number} of {steps}, {words.title(str(name))}")]
    if error.get("agent"):
        facts.append(Fact("Failed agent", words.title(str(error["agent"]))))
    done = (RunStep.run_id == run.id, RunStep.status == StepStatus.SUCCEEDED.value)
    kept = list(session.scalars(select(RunStep.step).where(*done).order_by(RunStep.position)))
    return [*facts, Fact("Results kept", words.title(", ".join(kept)))] if kept else facts


def run_links(run_url: str, kind: str) -> tuple[Link, ...]:
    """What to do next: look at it and, where it went wrong, do it again."""
    if kind not in WENT_WRONG:
        return ()
    return (Link("Retry", f"{run_url}?action=retry"),)


def _who(run: Run) -> str:
    return (run.workflow if run.kind == "workflow" else run.agent_name or run.agent) or ""
