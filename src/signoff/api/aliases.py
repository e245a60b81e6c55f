"""The paths that the seeds name: each request is translated to ours, goes the same way, and gets our shapes back."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, cast

from fastapi import Query
from sqlalchemy import ColumnElement, Select
from sqlalchemy.orm import Session

from signoff.api.alias_bodies import (
    ApprovalBatch,
    CheckpointApproval,
    CheckpointRejection,
    JobQuestion,
    Noted,
    PlanApproval,
    PlanRejection,
    QuestionAnswer,
)
from signoff.asks import actions
from signoff.asks import queries as asks
from signoff.asks.actions import AlreadySettled
from signoff.asks.answers.outcome import Answer, Decision
from signoff.asks.answers.schemas import BatchOut, PreviewIn, PreviewOut
from signoff.asks.give_answers import Find, give_answer, give_answers
from signoff.asks.models import Ask
from signoff.asks.presentation import show, shown_page
from signoff.asks.queries import UnknownAsk
from signoff.asks.routes import ToolImpacts, ToolPreviews, preview_answer
from signoff.asks.schemas import AskOut
from signoff.asks.states import AskKind
from signoff.gate.run_questions import DeniedByRule, QuestionType, ask_about
from signoff.kit.actor import Actor
from signoff.kit.errors import Conflict, Invalid, TooMany
from signoff.kit.jsons import JsonObject
from signoff.kit.paging import Page, Window
from signoff.kit.routing import CountedPaging, OfProject, api_router, errors
from signoff.runs import queries as runs
from signoff.runs.actions import cancel as cancel_run
from signoff.runs.queries import UnknownRun
from signoff.runs.schemas import RunOut
from signoff.runs.states import IllegalMove
from signoff.workspaces.access import Access, Caller

router = api_router("seed paths", "/api")
Pending = Annotated[str, Query(description="Default: `pending`.")]
SETTLES = errors(UnknownAsk, AlreadySettled, Invalid)
WORDS: dict[str, Decision] = {"approved": "approve", "denied": "deny", "approve": "approve", "deny": "deny"}

IS_QUESTION = Ask.kind.in_([AskKind.QUESTION.value, AskKind.RECOVERY.value])
OF_TYPE: dict[QuestionType, ColumnElement[bool]] = {
    "blocking": (Ask.kind == AskKind.QUESTION.value) & Ask.blocking.is_(True),
    "non_blocking": (Ask.kind == AskKind.QUESTION.value) & Ask.blocking.is_(False),
    "approval": (Ask.kind == AskKind.QUESTION.value) & Ask.asks_approval.is_(True),
    "error_recovery": Ask.kind == AskKind.RECOVERY.value,
}


class NoPlan(Conflict):
    """The run has no plan to decide about."""

    code = "no_plan"


NO_NOTE, ALL_STEPS, NO_REASON = Noted(), PlanApproval(), PlanRejection()


@router.get("/approvals")
def list_approvals(
    caller: Caller, window: CountedPaging, project: OfProject, status: Pending = "pending", agent_id: str | None = None
) -> Page[AskOut]:
    """Approvals (seed 000), oldest first; `agent_id` is an agent's slug."""
    wanted = {"status": status, "kind": AskKind.APPROVAL.value, "agent": agent_id, "project_id": project}
    return _list(caller, window, lambda actor: asks.asks(actor, **wanted))


@router.post("/approvals/batch")
def answer_approvals(body: ApprovalBatch, caller: Caller, preview_of: ToolPreviews) -> BatchOut:
    """Approve or deny many at once (seed 000); each has its own result, and one that fails stops no other."""
    answer = Answer(WORDS[body.decision], note=body.note, preview_of=preview_of)

    def approval(session: Session, actor: Actor, ask_id: str) -> Ask:
        return _of_kind(session, actor, ask_id, AskKind.APPROVAL)

    return give_answers(caller, body.approval_ids, answer, body.digests, approval)


@router.get("/approvals/{ask_id}", responses=errors(UnknownAsk))
def get_approval(ask_id: str, caller: Caller) -> AskOut:
    """One approval (seed 000)."""
    return _show(caller, _approval(ask_id))


@router.post("/approvals/{ask_id}/approve", responses=SETTLES)
def approve_approval(ask_id: str, caller: Caller, preview_of: ToolPreviews, body: Noted = NO_NOTE) -> AskOut:
    """Let the call run as it was proposed (seed 000)."""
    answer = Answer("approve", note=body.note, digest=body.digest, preview_of=preview_of)
    return give_answer(caller, _approval(ask_id), lambda _: answer)


@router.post("/approvals/{ask_id}/deny", responses=SETTLES)
def deny_approval(ask_id: str, caller: Caller, body: Noted = NO_NOTE) -> AskOut:
    """Refuse the call; the agent reads the note and goes on (seed 000)."""
    return give_answer(caller, _approval(ask_id), lambda _: Answer("deny", note=body.note, digest=body.digest))


@router.get("/checkpoints/{ask_id}", responses=errors(UnknownAsk))
def get_checkpoint(ask_id: str, caller: Caller) -> AskOut:
    """One checkpoint (seed 001)."""
    return _show(caller, _approval(ask_id))


@router.put("/checkpoints/{ask_id}/approve", responses=SETTLES)
def approve_checkpoint(
    ask_id: str, body: CheckpointApproval, caller: Caller, impact_of: ToolImpacts, preview_of: ToolPreviews
) -> AskOut:
    """Let the call run, with changed parameters if there are any (seed 001)."""

    def translated(ask: Ask) -> Answer:
        merged = None if body.modified_params is None else _merged(ask, body.modified_params)
        effects = partial(Answer, impact_of=impact_of, preview_of=preview_of)
        return effects("approve", arguments=merged, note=body.feedback, digest=body.digest)

    return give_answer(caller, _approval(ask_id), translated, look_first=body.modified_params is not None)


@router.put("/checkpoints/{ask_id}/reject", responses=SETTLES)
def reject_checkpoint(ask_id: str, body: CheckpointRejection, caller: Caller) -> AskOut:
    """Refuse the call and end its run (seed 001)."""
    answer = Answer("deny", note=body.reason, end_run=True, digest=body.digest)
    return give_answer(caller, _approval(ask_id), lambda _: answer)


@router.put("/checkpoints/{ask_id}/modify", responses=errors(UnknownAsk))
def modify_checkpoint(
    ask_id: str, body: JsonObject, caller: Caller, impact_of: ToolImpacts, preview_of: ToolPreviews
) -> PreviewOut:
    """What these parameters, bare or as `modified_params`, would change (seed 001). Nothing is decided."""

    def merged(session: Session, actor: Actor) -> JsonObject:
        inside = body["modified_params"] if set(body) == {"modified_params"} else None
        changes = cast("JsonObject", inside) if isinstance(inside, dict) else body
        return _merged(_approval(ask_id)(session, actor), changes)

    return preview_answer(ask_id, PreviewIn(arguments=caller.read(merged)), caller, impact_of, preview_of)


@router.get("/jobs/{run_id}/questions", responses=errors(UnknownRun))
def list_job_questions(run_id: str, caller: Caller, window: CountedPaging) -> Page[AskOut]:
    """Every question of a run (seed 002). Agents ask by their tool `ask_question`."""
    caller.read(lambda session, actor: runs.run(session, actor, run_id))
    return _list(caller, window, lambda actor: asks.asks(actor, run_id=run_id).where(IS_QUESTION))


@router.post(
    "/jobs/{run_id}/questions",
    status_code=201,
    responses=errors(UnknownRun, DeniedByRule, IllegalMove, Invalid, TooMany),
)
def ask_about_job(run_id: str, body: JobQuestion, caller: Caller) -> AskOut:
    """Ask people something about a run that is not over, from outside (seed 002). The run does not wait for it: who
    asks reads the answer at `/api/asks/{id}?wait=`. Rules and settings about questions hold for it as for agents'."""

    def work(session: Session, actor: Actor) -> AskOut:
        run = runs.run(session, actor, run_id)
        return show(session, actor, ask_about(session, actor, caller.settings, run, body.asked()))

    return caller.write(work)


@router.post("/agents/{slug}/executions/{run_id}/cancel", responses=errors(UnknownRun, IllegalMove))
def cancel_execution(slug: str, run_id: str, caller: Caller) -> RunOut:
    """End a run of this agent now; its drafts are kept (seed 000)."""

    def work(session: Session, actor: Actor) -> RunOut:
        run = runs.run(session, actor, run_id)
        if run.agent != slug:
            raise UnknownRun("This agent has no such run.")
        cancel_run(session, actor, run)
        return runs.show(session, run)

    return caller.write(work)


@router.get("/questions/pending")
def list_pending_questions(
    caller: Caller,
    window: CountedPaging,
    type: Annotated[QuestionType | None, Query(description="What kind of question it is.")] = None,
    project: OfProject = None,
) -> Page[AskOut]:
    """Questions that wait for somebody (seed 002), oldest first. The workspace is the caller's."""

    def query(actor: Actor) -> Select[Ask]:
        found = asks.asks(actor, status="pending", project_id=project).where(IS_QUESTION)
        return found if type is None else found.where(OF_TYPE[type])

    return _list(caller, window, query)


@router.post("/questions/{ask_id}/answer", responses=SETTLES)
def answer_question(ask_id: str, body: QuestionAnswer, caller: Caller) -> AskOut:
    """Answer a question (seed 002)."""
    answer = Answer("respond", value=body.response.value, note=body.response.text, digest=body.digest)
    return give_answer(caller, _question(ask_id), lambda _: answer)


@router.post("/questions/{ask_id}/cancel", responses=errors(UnknownAsk, AlreadySettled))
def cancel_question(ask_id: str, caller: Caller) -> AskOut:
    """Withdraw a question; its run goes on without an answer (seed 002)."""

    def work(session: Session, actor: Actor) -> AskOut:
        ask = _question(ask_id)(session, actor)
        actions.cancel(session, actor, ask)
        return show(session, actor, ask)

    return caller.write(work)


@router.post("/runs/{run_id}/approve", responses=errors(UnknownRun, NoPlan, AlreadySettled, Invalid))
def approve_plan(run_id: str, caller: Caller, impact_of: ToolImpacts, body: PlanApproval = ALL_STEPS) -> AskOut:
    """Let steps of the run's plan through (seed 003)."""
    answer = Answer("approve", steps=body.approved_steps, digest=body.digest, impact_of=impact_of)
    return give_answer(caller, _plan(run_id), lambda _: answer)


@router.post("/runs/{run_id}/reject", responses=errors(UnknownRun, NoPlan, AlreadySettled))
def reject_plan(run_id: str, caller: Caller, body: PlanRejection = NO_REASON) -> AskOut:
    """Refuse the run's plan and end the run (seed 003). To have it planned again, answer the ask itself."""
    answer = Answer("deny", note=body.reason, end_run=True, digest=body.digest)
    return give_answer(caller, _plan(run_id), lambda _: answer)


def _approval(ask_id: str) -> Find:
    return lambda session, actor: _of_kind(session, actor, ask_id, AskKind.APPROVAL)


def _question(ask_id: str) -> Find:
    return lambda session, actor: _of_kind(session, actor, ask_id, AskKind.QUESTION, AskKind.RECOVERY)


def _of_kind(session: Session, actor: Actor, ask_id: str, *kinds: AskKind) -> Ask:
    ask = asks.ask(session, actor, ask_id)
    if AskKind(ask.kind) not in kinds:
        raise UnknownAsk(f"{kinds[0].value.capitalize()} not found.")
    return ask


def _plan(run_id: str) -> Find:
    """The run's latest plan; whoever comes too late learns how that one was settled."""

    def find(session: Session, actor: Actor) -> Ask:
        run = runs.run(session, actor, run_id)
        plans = asks.asks(actor, run_id=run.id, kind=AskKind.PLAN.value)
        ask = session.scalars(plans.order_by(Ask.id.desc()).limit(1)).first()
        if ask is None:
            raise NoPlan(f"This run has no plan to approve; it is {run.status}.", state={"status": run.status})
        return ask

    return find


def _merged(ask: Ask, changes: JsonObject) -> JsonObject:
    return {**(ask.arguments or {}), **changes}


def _list(caller: Access, window: Window, query: Callable[[Actor], Select[Ask]]) -> Page[AskOut]:
    return caller.read(lambda session, actor: shown_page(session, actor, query(actor), window))


def _show(caller: Access, find: Find) -> AskOut:
    return caller.read(lambda session, actor: show(session, actor, find(session, actor)))
