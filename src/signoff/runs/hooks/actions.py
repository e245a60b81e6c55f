"""Webhooks that start workflows: turned on and off by admins, called by whoever knows the secret."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy.orm import Session

from signoff.asks.signatures.parties import names
from signoff.audit.actions import record
from signoff.kit import clock, crypto, jsons
from signoff.kit.actor import Actor
from signoff.kit.errors import Conflict, FieldError, Forbidden, Invalid
from signoff.runs.hooks.models import WorkflowHook
from signoff.runs.hooks.queries import hook_of
from signoff.runs.hooks.schemas import HookIn
from signoff.runs.models import Run
from signoff.runs.schemas import RunIn
from signoff.runs.workflow.start import start_workflow
from signoff.workflows.checks.template_problem import template_problem
from signoff.workflows.context import Context
from signoff.workflows.definition import Source, Template
from signoff.workflows.mapping import MissingInput, mapped
from signoff.workflows.models import Workflow
from signoff.workspaces.credentials import bond_of
from signoff.workspaces.mandates import mandated

SOURCES: TypeAdapter[dict[str, Source]] = TypeAdapter(dict[str, Source])


class HookIsOff(Conflict):
    """It was never turned on, or is off again."""

    code = "hook_is_off"


class HookRefused(Exception):
    """Nobody in whose name it could start anything is left. Callers learn no more than of a wrong secret."""


def turn_on(session: Session, actor: Actor, workflow: Workflow, given: HookIn) -> tuple[WorkflowHook, str]:
    """Let other services start a workflow by a new secret; an older one is good no more."""
    if actor.user_id is None:
        raise Forbidden("A webhook needs a person in whose name it starts runs.")
    _refuse_bad_templates(given.input or {})
    secret, hook = crypto.new_secret("hook"), hook_of(session, workflow)
    renewed = hook is not None
    if hook is None:
        hook = WorkflowHook(workflow_id=workflow.id, workspace_id=workflow.workspace_id)
        session.add(hook)
    if "input" in given.model_fields_set:
        hook.input = _written(given)
    hook.digest, hook.owner_id = crypto.hash_secret(secret), actor.user_id
    hook.scope, hook.makers = actor.scope.value if actor.scope else None, list(actor.made_by)
    hook.bond_id, hook.parties = bond_of(session, actor).bond_id, _with(hook, actor)
    hook.created_by, hook.created_at = actor.label, clock.now()
    session.flush()
    record(session, actor, f"workflow.hook_{'renewed' if renewed else 'on'}", workflow.slug, {"input": hook.input})
    return hook, secret


def change(session: Session, actor: Actor, workflow: Workflow, given: HookIn) -> WorkflowHook:
    """Say anew how a body becomes the input. The secret stays."""
    hook = hook_of(session, workflow)
    if hook is None:
        raise HookIsOff("The webhook is off. Turn it on first.", state={"on": False})
    _refuse_bad_templates(given.input or {})
    if "input" in given.model_fields_set and hook.input != _written(given):
        hook.input, hook.parties = _written(given), _with(hook, actor)
        session.flush()
        record(session, actor, "workflow.hook_changed", workflow.slug, {"input": hook.input})
    return hook


def turn_off(session: Session, actor: Actor, workflow: Workflow) -> None:
    """The secret is good no more. Off already is off."""
    hook = hook_of(session, workflow)
    if hook is not None:
        session.delete(hook)
        session.flush()
        record(session, actor, "workflow.hook_off", workflow.slug)


def caller_of(session: Session, hook: WorkflowHook, slug: str, address: str | None) -> Actor:
    """Who a call of the hook is: the hook, with the rights of whoever turned it on."""
    owner = mandated(session, hook.mandate, "hook")
    if isinstance(owner, str):
        raise HookRefused(owner)
    return replace(owner, name=f"webhook:{slug}", address=address)


def start(session: Session, actor: Actor, hook: WorkflowHook, slug: str, body: str) -> Run:
    """Start the workflow on what came, every number as it was written."""
    text = body if hook.input is None else _mapped(SOURCES.validate_python(hook.input), body)
    value: Any = jsons.loads(text)
    if value is None:
        raise Invalid("A workflow's input is an object.", errors=[FieldError("input", "must be an object")])
    run = start_workflow(session, actor, RunIn(workflow=slug, input=value), text)
    run.parties = list(dict.fromkeys([*names(actor), *hook.parties]))
    return run


def _mapped(sources: Mapping[str, Source], body: str) -> str:
    try:
        return mapped(sources, Context.start(body))
    except MissingInput as missing:
        detail = f"The body does not have what the workflow needs: {missing}"
        raise Invalid(detail, errors=[FieldError("input", str(missing))]) from None


def _refuse_bad_templates(sources: Mapping[str, Source]) -> None:
    templates = ((name, each.template) for name, each in sources.items() if isinstance(each, Template))
    wrong = [FieldError(f"input.{name}", words) for name, each in templates if (words := template_problem(each))]
    if wrong:
        raise Invalid("A template cannot be used.", errors=wrong)


def _written(given: HookIn) -> Any:
    return given.model_dump(exclude_unset=True)["input"]


def _with(hook: WorkflowHook, actor: Actor) -> list[str]:
    return list(dict.fromkeys([*(hook.parties or []), *names(actor)]))
