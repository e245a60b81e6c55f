"""Workflows: definitions, versions, and runs of them."""

from typing import Annotated

from fastapi import Query, Request
from sqlalchemy.orm import Session

from signoff.catalog import queries as catalog
from signoff.kit import jsons
from signoff.kit.actor import Actor, Role
from signoff.kit.jsons import JsonObject
from signoff.kit.paging import Page, page
from signoff.kit.routing import Paging, api_router, errors
from signoff.rules.people import everybody
from signoff.runs import queries as runs
from signoff.runs.queries import UnknownRun
from signoff.runs.schemas import RunIn, RunOut
from signoff.runs.workflow.queries import outputs_by_step
from signoff.runs.workflow.start import start_workflow
from signoff.runs.workflow.values import input_of
from signoff.tools.connections.available import ConnectionTools
from signoff.tools.registry import Registry
from signoff.workflows import actions, queries
from signoff.workflows.checks.known import Known
from signoff.workflows.checks.validation import problem_of_count, problems_of, problems_of_drafts, warnings_of
from signoff.workflows.definition import WorkflowDefinition
from signoff.workflows.models import Workflow, WorkflowRevision
from signoff.workflows.preview import preview
from signoff.workflows.queries import NotDeployed, UnknownWorkflow
from signoff.workflows.reading import BadWorkflow, Problem, ReadWorkflow, located, read_workflow
from signoff.workflows.schemas import (
    DeployIn,
    DiffOut,
    ExecuteIn,
    Preview,
    PreviewIn,
    ProblemOut,
    Validated,
    VersionIn,
    VersionOut,
    WorkflowOut,
)
from signoff.workspaces.access import Caller

router = api_router("workflows", "/api/workflows")
Draft = Annotated[bool, Query(description="Only save it: what is deployed goes on being what runs.")]
CHANGES = errors(UnknownWorkflow, actions.SlugTaken, actions.SavedMeanwhile, BadWorkflow)


def _known(session: Session, actor: Actor, request: Request) -> Known:
    """All that a step may name."""
    agents = list(session.scalars(catalog.agents(actor)))
    definitions = catalog.definitions(session, agents)
    there = list(session.scalars(queries.workflows(actor)))
    drafts = queries.definitions(session, [each for each in there if each.deployed_id is None])
    registry: Registry = request.app.state.registry
    connected: ConnectionTools = request.app.state.connection_tools
    tools = [*registry.all(), *connected.of_workspace(session, actor.workspace_id)]
    return Known(
        {each.slug: definitions[each.revision_id].definition.get("output_schema") for each in agents},
        {each.slug: queries.frozen(session, each.deployed_id or drafts[each.id].id) for each in there},
        {tool.name: tool.schema for tool in tools if tool.can_be_step},
        everybody(session, actor),
        frozenset(tool.name for tool in tools if tool.of_agent),
        frozenset(each.slug for each in there if each.deployed_id is None),
    )


def _checked(session: Session, actor: Actor, request: Request, body: JsonObject, *, draft: bool) -> ReadWorkflow:
    read, known = read_workflow(body), _known(session, actor, request)
    found = problems_of(read.definition, known)
    if not draft:
        found += problems_of_drafts(read.definition, known)
    if found:
        raise BadWorkflow([located(each, read.root) for each in found])
    return read


def _shown(session: Session, found: Workflow, version: int | None = None) -> WorkflowOut:
    return WorkflowOut.of(found, queries.revision(session, found, version))


@router.get("")
def list_workflows(caller: Caller, window: Paging) -> Page[WorkflowOut]:
    def work(session: Session, actor: Actor) -> Page[WorkflowOut]:
        found = page(session, queries.workflows(actor), [Workflow.slug], window, lambda each: each)
        newest = queries.definitions(session, found.items)
        return found.of([WorkflowOut.of(each, newest[each.id]) for each in found.items])

    return caller.read(work)


@router.post("", status_code=201, responses=CHANGES)
def create_workflow(body: JsonObject, request: Request, caller: Caller, draft: Draft = False) -> WorkflowOut:
    """Save a workflow, as JSON or as `{yaml}`, and let it be what runs unless it is a draft."""

    def work(session: Session, actor: Actor) -> WorkflowOut:
        read = _checked(session, actor, request, body, draft=draft)
        return _shown(session, actions.create(session, actor, read, draft=draft))

    return caller.write(work, Role.ADMIN)


@router.get("/schema")
def get_schema(caller: Caller) -> JsonObject:
    """The JSON Schema of the format, for editors."""
    caller.read(lambda _session, _actor: None)
    return WorkflowDefinition.model_json_schema(by_alias=True)


@router.post("/validate")
def validate_workflow(body: JsonObject, request: Request, caller: Caller) -> Validated:
    """Every problem at its place; nothing is saved."""

    def work(session: Session, actor: Actor) -> Validated:
        try:
            read = read_workflow(body)
        except BadWorkflow as bad:
            return _validated(bad.problems, [], None)
        known = _known(session, actor, request)
        return _validated(problems_of(read.definition, known), warnings_of(read.definition, known), read)

    return caller.read(work, Role.MEMBER)


def _validated(errors: list[Problem], warnings: list[Problem], read: ReadWorkflow | None) -> Validated:
    root = read.root if read is not None else None

    def shown(problems: list[Problem]) -> list[ProblemOut]:
        return [ProblemOut.model_validate(located(each, root), from_attributes=True) for each in problems]

    return Validated(ok=not errors, errors=shown(errors), warnings=shown(warnings))


@router.get("/{slug}", responses=errors(UnknownWorkflow))
def get_workflow(slug: str, caller: Caller, version: int | None = None) -> WorkflowOut:
    return caller.read(lambda session, actor: _shown(session, queries.workflow(session, actor, slug), version))


@router.put("/{slug}", responses=CHANGES)
def save_workflow(
    slug: str, body: JsonObject, request: Request, caller: Caller, draft: Draft = False, base_version: int | None = None
) -> WorkflowOut:
    """Save a new version. With `base_version`, only if nobody else saved one since."""

    def work(session: Session, actor: Actor) -> WorkflowOut:
        found = queries.workflow(session, actor, slug)
        given = {"slug": slug, **body} if "yaml" not in body else body
        read = _checked(session, actor, request, given, draft=draft)
        if read.definition.slug != slug:
            raise BadWorkflow([Problem(None, "slug", f"A workflow keeps its slug. Write {slug!r}, or make a new one.")])
        actions.save(session, actor, found, read, draft=draft, base=base_version)
        return _shown(session, found)

    return caller.write(work, Role.ADMIN)


@router.delete("/{slug}", status_code=204, responses=errors(UnknownWorkflow))
def delete_workflow(slug: str, caller: Caller) -> None:
    """No new runs; those under way go on, and all versions are kept for them."""
    caller.write(lambda s, actor: actions.delete(s, actor, queries.workflow(s, actor, slug)), Role.ADMIN)


@router.post("/{slug}/deploy", responses=errors(UnknownWorkflow, BadWorkflow))
def deploy_workflow(slug: str, body: DeployIn, request: Request, caller: Caller) -> WorkflowOut:
    """Let a version, or else the newest, be the one that runs. It is checked once more, with what it names."""

    def work(session: Session, actor: Actor) -> WorkflowOut:
        found = queries.workflow(session, actor, slug)
        revision = queries.revision(session, found, body.version)
        _checked(session, actor, request, revision.definition, draft=False)
        actions.deploy(session, actor, found, body.version)
        return _shown(session, found)

    return caller.write(work, Role.ADMIN)


@router.get("/{slug}/versions", responses=errors(UnknownWorkflow))
def list_workflow_versions(slug: str, caller: Caller, window: Paging) -> Page[VersionOut]:
    def work(session: Session, actor: Actor) -> Page[VersionOut]:
        found = queries.workflow(session, actor, slug)

        def shown(row: WorkflowRevision) -> VersionOut:
            deployed = row.number == found.deployed_version
            return VersionOut(version=row.number, saved_by=row.saved_by, created_at=row.created_at, deployed=deployed)

        return page(session, queries.revisions(found), [WorkflowRevision.number], window, shown, descending=True)

    return caller.read(work)


@router.get("/{slug}/versions/{version}/diff/{other}", responses=errors(UnknownWorkflow))
def compare_versions(slug: str, version: int, other: int, caller: Caller) -> DiffOut:
    def work(session: Session, actor: Actor) -> DiffOut:
        found = queries.workflow(session, actor, slug)
        yaml_a, yaml_b = (queries.revision(session, found, each).source for each in (version, other))
        return DiffOut(yaml_a=yaml_a, yaml_b=yaml_b)

    return caller.read(work)


@router.post("/{slug}/restore", responses=errors(UnknownWorkflow, BadWorkflow))
def restore_version(slug: str, body: VersionIn, caller: Caller) -> WorkflowOut:
    """Take an old version up again, as a new draft."""

    def work(session: Session, actor: Actor) -> WorkflowOut:
        found = queries.workflow(session, actor, slug)
        old = queries.revision(session, found, body.version)
        read = ReadWorkflow(WorkflowDefinition.model_validate(old.definition), old.source)
        actions.restore(session, actor, found, body.version, read)
        return _shown(session, found)

    return caller.write(work, Role.ADMIN)


@router.post("/{slug}/preview", responses=errors(UnknownWorkflow, UnknownRun, BadWorkflow))
def preview_workflow(slug: str, body: PreviewIn, request: Request, caller: Caller) -> Preview:
    """What each step would receive, as far as samples or an earlier run can tell."""

    def work(session: Session, actor: Actor) -> Preview:
        found = queries.workflow(session, actor, slug)
        if body.yaml is not None:
            definition = _previewed(body.yaml)
        else:
            definition = WorkflowDefinition.model_validate(queries.revision(session, found, body.version).definition)
        agents, given = _known(session, actor, request).agents, jsons.exact(body.input)
        if body.run is None:
            return Preview(steps=preview(definition, given, agents))
        run = runs.run_of_workflow(session, actor, slug, body.run)
        given = given if "input" in body.model_fields_set else input_of(session, run.id)
        return Preview(steps=preview(definition, given, agents, outputs_by_step(session, run)))

    return caller.read(work, Role.MEMBER)


def _previewed(text: str) -> WorkflowDefinition:
    """What is not saved yet may have problems, but not more steps than go: each takes its time."""
    read = read_workflow({"yaml": text})
    if too_many := problem_of_count(read.definition):
        raise BadWorkflow([located(too_many, read.root)])
    return read.definition


@router.post("/{slug}/execute", status_code=201, responses=errors(UnknownWorkflow, NotDeployed))
def execute_workflow(slug: str, body: ExecuteIn, caller: Caller) -> RunOut:
    """Start it: the same as a run of it."""

    def work(session: Session, actor: Actor) -> RunOut:
        given = RunIn(workflow=slug, input=body.input, test=body.test)
        return runs.show(session, start_workflow(session, actor, given))

    return caller.write(work)
