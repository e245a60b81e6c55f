import shutil
from collections.abc import Callable
from datetime import datetime
from typing import Annotated

from fastapi import Query
from sqlalchemy.orm import Session

from signoff.asks import queries as asks
from signoff.asks.presentation import shown_page
from signoff.asks.schemas import AskOut
from signoff.catalog.queries import UnknownAgent
from signoff.deliverables import queries as deliverables
from signoff.deliverables.models import Deliverable
from signoff.deliverables.schemas import DeliverableOut
from signoff.files.models import Upload
from signoff.files.placement import placement
from signoff.files.queries import UnknownUpload, given_to, waiting_place
from signoff.files.quota import FolderFull
from signoff.kit.actor import Actor, Role
from signoff.kit.db import events
from signoff.kit.ids import new_id
from signoff.kit.paging import Page, page
from signoff.kit.routing import OfProject, Paging, api_router, errors
from signoff.lessons import queries as lessons
from signoff.lessons.models import ToldLesson
from signoff.lessons.schemas import ToldLessonOut
from signoff.runs import actions, queries
from signoff.runs.folder.copied_folder import copied_folder
from signoff.runs.folder.given_files import from_uploads
from signoff.runs.granting.actions import ConnectionsMissing
from signoff.runs.lineage.continue_run import continue_run as go_on
from signoff.runs.lineage.retry import retry
from signoff.runs.models import Call, Message, Run
from signoff.runs.queries import UnknownRun
from signoff.runs.schemas import (
    ActivityOut,
    CallOut,
    ContinueIn,
    Dashboard,
    MessageIn,
    MessageOut,
    RetryIn,
    RunCount,
    RunIn,
    RunOut,
)
from signoff.runs.states import IllegalMove
from signoff.runs.transcript.reading import show_message
from signoff.runs.workflow.queries import steps_of
from signoff.runs.workflow.schemas import StepOut
from signoff.runs.workflow.start import start
from signoff.workflows.queries import NotDeployed, UnknownWorkflow
from signoff.workspaces.access import Access, Caller

router = api_router("runs", "/api/runs")


@router.post(
    "",
    status_code=201,
    responses=errors(UnknownAgent, UnknownWorkflow, NotDeployed, UnknownUpload, FolderFull, ConnectionsMissing),
)
def start_run(body: RunIn, caller: Caller) -> RunOut:
    """Start an agent on a task, or a workflow on an input."""
    settings = caller.settings
    with placement(settings.runs_folder) as placed:
        files = from_uploads(settings, body.files, placed) if body.files else None

        def work(session: Session, actor: Actor) -> RunOut:
            return queries.show(session, start(session, actor, body, files))

        started = caller.write(work)
    for each in body.files:
        waiting_place(settings, each).unlink(missing_ok=True)
    return started


@router.get("")
def list_runs(
    caller: Caller,
    window: Paging,
    status: Annotated[str | None, Query(description="One status, or several separated by commas.")] = None,
    kind: str | None = None,
    agent: str | None = None,
    workflow: str | None = None,
    project: OfProject = None,
    q: str | None = None,
    since: datetime | None = None,
    below: Annotated[
        bool,
        Query(
            description="Also those that other runs started and that wait for nobody, such as the steps of a workflow."
        ),
    ] = True,
) -> Page[RunOut]:
    """Runs, newest first."""
    narrowed = {"status": status, "kind": kind, "agent": agent, "workflow": workflow}

    def work(session: Session, actor: Actor) -> Page[RunOut]:
        query = queries.runs(actor, **narrowed, project_id=project, q=q, since=since, below=below)
        found = page(session, query, [Run.id], window, lambda run: run, descending=True)
        return found.of(queries.show_all(session, found.items))

    return caller.read(work)


@router.get("/dashboard")
def get_dashboard(caller: Caller, project: OfProject) -> Dashboard:
    """What needs somebody, what is at work, what was done."""
    return caller.read(lambda session, actor: queries.dashboard(session, actor, project))


@router.get("/count")
def count_runs(caller: Caller, project: OfProject) -> RunCount:
    return caller.read(lambda session, actor: queries.count(session, actor, project))


@router.get("/{run_id}", responses=errors(UnknownRun))
def get_run(run_id: str, caller: Caller) -> RunOut:
    return caller.read(lambda session, actor: queries.show(session, queries.run(session, actor, run_id)))


@router.get("/{run_id}/steps", responses=errors(UnknownRun))
def list_steps(
    run_id: str,
    caller: Caller,
    longest: Annotated[int | None, Query(ge=0, description="Leave out data of more characters than this.")] = None,
) -> Page[StepOut]:
    """The steps of a workflow's run, with what each got and made."""

    def work(session: Session, actor: Actor) -> Page[StepOut]:
        found = steps_of(session, queries.run(session, actor, run_id), longest)
        return Page(items=found, next_cursor=None, total=len(found))

    return caller.read(work)


@router.delete("/{run_id}", status_code=204, responses=errors(UnknownRun, IllegalMove))
def delete_run(run_id: str, caller: Caller) -> None:
    """Remove an ended run with all it made: for admins. The audit record stays."""
    caller.write(lambda session, actor: actions.delete(session, actor, queries.run(session, actor, run_id)), Role.ADMIN)
    for folder in (caller.settings.runs_folder, caller.settings.undo_folder):
        shutil.rmtree(folder / run_id, ignore_errors=True)


@router.post("/{run_id}/messages", status_code=201, responses=errors(UnknownRun, IllegalMove))
def post_message(run_id: str, body: MessageIn, caller: Caller) -> MessageOut:
    """Speak to a run at work; it reads this at its next iteration."""

    def work(session: Session, actor: Actor) -> MessageOut:
        run = queries.run(session, actor, run_id)
        return show_message(actions.post_message(session, actor, run, body.text), [])

    return caller.write(work)


def _steer(caller: Access, run_id: str, action: Callable[[Session, Actor, Run], None]) -> RunOut:
    def work(session: Session, actor: Actor) -> RunOut:
        run = queries.run(session, actor, run_id)
        action(session, actor, run)
        return queries.show(session, run)

    return caller.write(work)


@router.post("/{run_id}/cancel", responses=errors(UnknownRun, IllegalMove))
def cancel_run(run_id: str, caller: Caller) -> RunOut:
    """End it now. Drafts are kept, open asks are cancelled."""
    return _steer(caller, run_id, actions.cancel)


@router.post("/{run_id}/complete", responses=errors(UnknownRun, IllegalMove))
def complete_run(run_id: str, caller: Caller) -> RunOut:
    """Take what there is as the result."""
    return _steer(caller, run_id, actions.complete)


@router.post("/{run_id}/pause", responses=errors(UnknownRun, IllegalMove))
def pause_run(run_id: str, caller: Caller) -> RunOut:
    return _steer(caller, run_id, actions.pause)


@router.post("/{run_id}/resume", responses=errors(UnknownRun, IllegalMove))
def resume_run(run_id: str, caller: Caller) -> RunOut:
    return _steer(caller, run_id, actions.resume)


@router.post("/{run_id}/skip-clarification", responses=errors(UnknownRun, IllegalMove))
def skip_clarification(run_id: str, caller: Caller) -> RunOut:
    """Begin with the work, whatever is unclear."""
    return _steer(caller, run_id, actions.skip_clarification)


@router.post("/{run_id}/continue", status_code=201, responses=errors(UnknownRun, UnknownAgent, IllegalMove))
def continue_run(run_id: str, body: ContinueIn, caller: Caller) -> RunOut:
    """Go on from an ended run with new instructions, or with the answers that it lacked, as a new run."""

    ended, made = caller.read(lambda session, actor: queries.run(session, actor, run_id), Role.MEMBER), new_id()

    def work(session: Session, actor: Actor) -> RunOut:
        found = queries.run(session, actor, run_id)
        return queries.show(session, go_on(session, actor, found, made, body.instructions, body.answers))

    with copied_folder(caller.settings.runs_folder, ended.id, made):
        return caller.write(work)


@router.post("/{run_id}/retry", status_code=201, responses=errors(UnknownRun, UnknownAgent, IllegalMove))
def retry_run(run_id: str, body: RetryIn, caller: Caller) -> RunOut:
    """Try an ended run again, as a new run: from the start, or from the last step that was whole."""
    last_good, made = body.from_ == "last_good", new_id()

    def look(session: Session, actor: Actor) -> tuple[Run, list[Upload]]:
        return queries.run(session, actor, run_id), given_to(session, run_id)

    ended, given = caller.read(look, Role.MEMBER)
    # From the start it has only what people gave.
    only = None if last_good else [each.path for each in given if each.path]

    def work(session: Session, actor: Actor) -> RunOut:
        found = queries.run(session, actor, run_id)
        return queries.show(session, retry(session, actor, found, made, from_last_good=last_good, given=copied))

    with copied_folder(caller.settings.runs_folder, ended.id, made, only) as paths:
        copied = [each for each in given if each.path in paths]
        return caller.write(work)


@router.get("/{run_id}/messages", responses=errors(UnknownRun))
def list_messages(run_id: str, caller: Caller, window: Paging) -> Page[MessageOut]:
    """The transcript, oldest first."""

    def work(session: Session, actor: Actor) -> Page[MessageOut]:
        run = queries.run(session, actor, run_id)
        found = page(session, queries.messages(run), [Message.id], window, lambda message: message)
        shown = queries.show_messages(session, run, found.items)
        return found.of(shown)

    return caller.read(work)


@router.get("/{run_id}/calls", responses=errors(UnknownRun))
def list_calls(run_id: str, caller: Caller, window: Paging) -> Page[CallOut]:
    def work(session: Session, actor: Actor) -> Page[CallOut]:
        run = queries.run(session, actor, run_id)
        found = page(session, queries.calls(run), [Call.turn, Call.position], window, lambda call: call)
        return found.of(queries.show_calls(session, run, found.items))

    return caller.read(work)


@router.get("/{run_id}/asks", responses=errors(UnknownRun))
def list_run_asks(run_id: str, caller: Caller, window: Paging, status: str | None = None) -> Page[AskOut]:
    def work(session: Session, actor: Actor) -> Page[AskOut]:
        queries.run(session, actor, run_id)
        return shown_page(session, actor, asks.asks(actor, run_id=run_id, status=status), window)

    return caller.read(work)


@router.get("/{run_id}/deliverables", responses=errors(UnknownRun))
def list_run_deliverables(run_id: str, caller: Caller, window: Paging) -> Page[DeliverableOut]:
    """What it handed over; of a workflow, what its steps did."""

    def work(session: Session, actor: Actor) -> Page[DeliverableOut]:
        queries.run(session, actor, run_id)
        found = deliverables.deliverables(actor, run_id=run_id)
        return page(session, found, [Deliverable.id], window, DeliverableOut.model_validate)

    return caller.read(work)


@router.get("/{run_id}/lessons", responses=errors(UnknownRun))
def list_told_lessons(run_id: str, caller: Caller, window: Paging) -> Page[ToldLessonOut]:
    """Which lessons its agent was told, in the words of that moment."""

    def work(session: Session, actor: Actor) -> Page[ToldLessonOut]:
        queries.run(session, actor, run_id)
        return page(session, lessons.told(actor, run_id), [ToldLesson.id], window, ToldLessonOut.model_validate)

    return caller.read(work)


@router.get("/{run_id}/activity", responses=errors(UnknownRun))
def list_activity(run_id: str, caller: Caller, window: Paging) -> Page[ActivityOut]:
    """Everything that happened, oldest first."""

    def work(session: Session, actor: Actor) -> Page[ActivityOut]:
        queries.run(session, actor, run_id)
        found = page(session, events.of_run(run_id), [events.Event.position], window, _activity)
        whole = events.complete(session, [(each.type, each.data) for each in found.items])
        for each, data in zip(found.items, whole, strict=True):
            each.data = data
        return found

    return caller.read(work)


def _activity(event: events.Event) -> ActivityOut:
    return ActivityOut(id=event.position, type=event.type, run_id=event.run_id, at=event.at, data=event.data)
