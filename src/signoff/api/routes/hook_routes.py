"""Where other services start workflows, and where admins let them."""

from typing import Annotated

from fastapi import Header, Request
from sqlalchemy.orm import Session

from signoff.api.body_limits import mended
from signoff.kit.actor import Actor, Role
from signoff.kit.db import idempotency
from signoff.kit.db.database import Database
from signoff.kit.errors import Invalid, NotFound, TooMany, Unauthorized
from signoff.kit.routing import RawBody, api_router, errors
from signoff.kit.settings import Settings
from signoff.runs.hooks import actions
from signoff.runs.hooks.models import WorkflowHook
from signoff.runs.hooks.queries import hook_by_secret, hook_of
from signoff.runs.hooks.schemas import HookIn, HookOut, HookStarted, MadeHook
from signoff.workflows import queries as workflows
from signoff.workflows.queries import NotDeployed, UnknownWorkflow
from signoff.workspaces.access import Access, Caller
from signoff.workspaces.mandates import mandated

router = api_router("workflows")
ACCEPTED = 202
# The same for all, so that nobody learns which workflow there is.
REFUSED = "There is no such webhook, or this is not its secret. Send it as `Authorization: Bearer …`."


@router.post(
    "/hooks/workflows/{slug}",
    status_code=ACCEPTED,
    responses=errors(Unauthorized, NotDeployed, Invalid, TooMany),
)
def start_by_hook(
    slug: str,
    request: Request,
    body: RawBody,
    authorization: Annotated[str, Header()] = "",
    x_signoff_secret: Annotated[str, Header()] = "",
    idempotency_key: Annotated[str, Header()] = "",
    webhook_id: Annotated[str, Header()] = "",
) -> HookStarted:
    """Start a workflow with its webhook's secret; the body is its input. The same key or id starts it once."""
    db: Database = request.app.state.db
    settings: Settings = request.app.state.settings
    scheme, _, bearer = authorization.partition(" ")
    secret = x_signoff_secret or (bearer.strip() if scheme.lower() == "bearer" else "")
    address = request.client.host if request.client else None
    key = idempotency_key or webhook_id
    print_of_body = request.app.state.keyring.fingerprint(f"POST {request.url.path}\n".encode() + body) if key else ""

    def who(session: Session) -> tuple[WorkflowHook, Actor]:
        hook = hook_by_secret(session, slug, secret)
        if hook is None:
            raise Unauthorized(REFUSED)
        try:
            return hook, actions.caller_of(session, hook, slug, address)
        except actions.HookRefused:
            raise Unauthorized(REFUSED) from None

    def work(session: Session) -> HookStarted:
        # The secret may have been renewed since it was looked at.
        hook, actor = who(session)
        if key:
            idempotency.claim_key(session, actor, key, print_of_body)
        run = actions.start(session, actor, hook, slug, text)
        started = HookStarted(run_id=run.id, status=run.status)
        if key:
            idempotency.store_response(session, actor, key, ACCEPTED, started)
        return started

    try:
        # First only looked at: strangers do not get to write.
        workflow_id = db.read(lambda session: who(session)[0].workflow_id)
    except Unauthorized:
        request.app.state.attempts.wrong_tokens.count(f"{address}", settings.wrong_tokens_per_minute)
        raise
    request.app.state.hook_starts.count(workflow_id, settings.hook_starts_per_minute)
    text = mended(body).decode() if body.strip() else "{}"
    return db.write(work)


@router.get("/api/workflows/{slug}/hook", responses=errors(UnknownWorkflow))
def get_hook(slug: str, caller: Caller) -> HookOut:
    """Whether other services may start it, and how. The secret is not shown again."""

    def work(session: Session, actor: Actor) -> HookOut:
        return _shown(caller, session, slug, hook_of(session, workflows.workflow(session, actor, slug)))

    return caller.read(work)


@router.post("/api/workflows/{slug}/hook", responses=errors(UnknownWorkflow, Invalid))
def turn_hook_on(slug: str, body: HookIn, caller: Caller) -> MadeHook:
    """Let other services start it with a secret, which is shown once. Once more: a new secret in its place."""

    def work(session: Session, actor: Actor) -> MadeHook:
        hook, secret = actions.turn_on(session, actor, workflows.workflow(session, actor, slug), body)
        return MadeHook(**_shown(caller, session, slug, hook).model_dump(), secret=secret)

    return caller.write(work, Role.ADMIN)


@router.patch("/api/workflows/{slug}/hook", responses=errors(UnknownWorkflow, actions.HookIsOff, Invalid))
def change_hook(slug: str, body: HookIn, caller: Caller) -> HookOut:
    """Say how a body becomes the input. The secret stays."""

    def work(session: Session, actor: Actor) -> HookOut:
        hook = actions.change(session, actor, workflows.workflow(session, actor, slug), body)
        return _shown(caller, session, slug, hook)

    return caller.write(work, Role.ADMIN)


@router.delete("/api/workflows/{slug}/hook", status_code=204, responses=errors(UnknownWorkflow, NotFound))
def turn_hook_off(slug: str, caller: Caller) -> None:
    """Its secret is good no more."""
    caller.write(lambda s, actor: actions.turn_off(s, actor, workflows.workflow(s, actor, slug)), Role.ADMIN)


def _shown(caller: Access, session: Session, slug: str, hook: WorkflowHook | None) -> HookOut:
    address = f"{caller.settings.base_url}/hooks/workflows/{slug}"
    if hook is None:
        return HookOut(on=False, address=address, input=None, created_by=None, created_at=None, problem=None)
    owner = mandated(session, hook.mandate, "hook")
    problem = f"{owner} Renew the secret." if isinstance(owner, str) else None
    sources = None if hook.input is None else actions.SOURCES.validate_python(hook.input)
    return HookOut(
        on=True, address=address, input=sources, created_by=hook.created_by, created_at=hook.created_at, problem=problem
    )
