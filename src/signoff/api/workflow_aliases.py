"""The seed's paths to the runs of workflows and to what waits in them."""

from typing import Annotated, Any

from fastapi import Query
from sqlalchemy import Select, or_
from sqlalchemy.orm import Session

from signoff.asks import queries as asks
from signoff.asks.models import Ask
from signoff.asks.presentation import shown_page
from signoff.asks.schemas import AskOut
from signoff.asks.states import AskKind
from signoff.claims.models import of_family
from signoff.kit.actor import Actor, Role
from signoff.kit.paging import Page
from signoff.kit.routing import CountedPaging, api_router, errors
from signoff.runs import queries as runs
from signoff.runs.models import Run
from signoff.runs.queries import UnknownRun
from signoff.runs.routes import retry_run
from signoff.runs.schemas import RetryIn, RunOut
from signoff.runs.states import IllegalMove
from signoff.workspaces.access import Caller

router = api_router("seed paths", "/api")
OfRun = Annotated[str | None, Query(description="Only those of this run and of all that it started.")]
OfKind = Annotated[AskKind | None, Query(description="Only of this kind. `approval` unless you name a run.")]
FROM_START = RetryIn()


@router.get("/checkpoints")
def list_checkpoints(
    caller: Caller, window: CountedPaging, run: OfRun = None, kind: OfKind = None, status: str = "pending"
) -> Page[AskOut]:
    """What waits in runs of workflows and in their steps (seed 001), oldest first."""
    wanted = kind or (AskKind.APPROVAL if run is None else None)

    def work(session: Session, actor: Actor) -> Page[AskOut]:
        found = asks.asks(actor, status=status, kind=wanted.value if wanted else None)
        return shown_page(session, actor, found.where(Ask.run_id.in_(_of_workflows(actor, run))), window)

    return caller.read(work)


@router.get("/workflows/{slug}/executions/{run_id}", responses=errors(UnknownRun))
def get_execution(slug: str, run_id: str, caller: Caller) -> RunOut:
    """One run of a workflow (seed 001)."""
    return caller.read(lambda session, actor: runs.show(session, runs.run_of_workflow(session, actor, slug, run_id)))


@router.post("/workflows/{slug}/executions/{run_id}/retry", status_code=201, responses=errors(UnknownRun, IllegalMove))
def retry_execution(slug: str, run_id: str, caller: Caller, body: RetryIn = FROM_START) -> RunOut:
    """Try it again, as a new run: from the start, or from the last good step (seed 001)."""
    caller.read(lambda session, actor: runs.run_of_workflow(session, actor, slug, run_id), Role.MEMBER)
    return retry_run(run_id, body, caller)


def _of_workflows(actor: Actor, run_id: str | None) -> Select[Any]:
    """The runs of workflows and of their steps; or one run with all below it."""
    if run_id is not None:
        return of_family(run_id)
    return runs.runs(actor).with_only_columns(Run.id).where(or_(Run.kind == "workflow", Run.workflow.is_not(None)))
