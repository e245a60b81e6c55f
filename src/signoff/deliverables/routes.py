import inspect
from collections.abc import Callable
from datetime import datetime
from typing import Annotated
from urllib.parse import quote

from fastapi import Depends, Query, Request, Response
from sqlalchemy import Select
from sqlalchemy.orm import Session

from signoff.deliverables import actions, queries
from signoff.deliverables.models import Deliverable
from signoff.deliverables.queries import UnknownDeliverable
from signoff.deliverables.schemas import DeliverableChange, DeliverableOut
from signoff.deliverables.store import FileStore
from signoff.kit.actor import Actor
from signoff.kit.errors import FieldError, Invalid
from signoff.kit.paging import Page, page
from signoff.kit.routing import CountedPaging, OfProject, Paging, api_router, errors
from signoff.workspaces.access import Caller

router = api_router("deliverables", "/api/deliverables")
Narrowed = Callable[[Actor], Select[Deliverable]]
# What an agent made is never trusted: no scripts, no styles, no requests, whatever the type says.
UNTRUSTED = {
    "Content-Security-Policy": "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'",
    "X-Content-Type-Options": "nosniff",
}


def _narrowed(
    run: str | None = None,
    agent: str | None = None,
    type: str | None = None,
    status: str | None = None,
    since: datetime | None = None,
    execution_id: Annotated[str | None, Query(description="A run's id, as seed 000 calls it.")] = None,
    agent_id: Annotated[str | None, Query(description="An agent's slug, as seed 000 calls it.")] = None,
    project: OfProject = None,
) -> Narrowed:
    """Every filter counts: two that say different things find nothing."""

    def query(actor: Actor) -> Select[Deliverable]:
        narrowed = {"run_id": run, "agent": agent, "type_": type, "status": status, "project_id": project}
        found = queries.deliverables(actor, **narrowed, since=since)
        if execution_id is not None:
            found = found.where(Deliverable.run_id == execution_id)
        return found if agent_id is None else found.where(Deliverable.agent == agent_id)

    return query


Filters = Annotated[Narrowed, Depends(_narrowed)]
FILTERS = frozenset(inspect.signature(_narrowed).parameters) - {"project"} | {"project_id", "projectId"}


@router.get("")
def list_deliverables(caller: Caller, window: CountedPaging, narrowed: Filters) -> Page[DeliverableOut]:
    """The newest version of everything handed over, newest first."""

    def work(session: Session, actor: Actor) -> Page[DeliverableOut]:
        return page(session, narrowed(actor), [Deliverable.id], window, DeliverableOut.model_validate, descending=True)

    return caller.read(work)


@router.get("/download", responses=errors(UnknownDeliverable, Invalid))
def download_all(caller: Caller, request: Request, narrowed: Filters) -> Response:
    """All deliverables, or those that fit the filters, as one ZIP."""
    _refuse_unknown(request)
    store: FileStore = request.app.state.store
    content = caller.read(lambda session, actor: queries.bundle(session, narrowed(actor), store))
    disposition = {"Content-Disposition": 'attachment; filename="deliverables.zip"'}
    return Response(content, media_type="application/zip", headers=disposition)


@router.get("/{deliverable_id}", responses=errors(UnknownDeliverable))
def get_deliverable(deliverable_id: str, caller: Caller) -> DeliverableOut:
    def work(session: Session, actor: Actor) -> DeliverableOut:
        return DeliverableOut.model_validate(queries.deliverable(session, actor, deliverable_id))

    return caller.read(work)


@router.patch("/{deliverable_id}", responses=errors(UnknownDeliverable))
def change_deliverable(deliverable_id: str, body: DeliverableChange, caller: Caller) -> DeliverableOut:
    def work(session: Session, actor: Actor) -> DeliverableOut:
        found = queries.deliverable(session, actor, deliverable_id)
        actions.change_status(session, actor, found, body.status)
        return DeliverableOut.model_validate(found)

    return caller.write(work)


@router.delete("/{deliverable_id}", status_code=204, responses=errors(UnknownDeliverable))
def delete_deliverable(deliverable_id: str, caller: Caller) -> None:
    caller.write(lambda s, actor: actions.delete(s, actor, queries.deliverable(s, actor, deliverable_id)))


@router.get("/{deliverable_id}/versions", responses=errors(UnknownDeliverable))
def list_versions(deliverable_id: str, caller: Caller, window: Paging) -> Page[DeliverableOut]:
    def work(session: Session, actor: Actor) -> Page[DeliverableOut]:
        of = queries.deliverable(session, actor, deliverable_id)
        found = queries.versions(actor, of)
        return page(session, found, [Deliverable.version], window, DeliverableOut.model_validate, descending=True)

    return caller.read(work)


@router.get("/{deliverable_id}/content", responses=errors(UnknownDeliverable))
def get_content(deliverable_id: str, caller: Caller, request: Request, download: bool = False) -> Response:
    """The file itself; with `download`, as an attachment."""
    store: FileStore = request.app.state.store

    def work(session: Session, actor: Actor) -> Response:
        found = queries.deliverable(session, actor, deliverable_id)
        kind = "attachment" if download else "inline"
        name = {"Content-Disposition": f"{kind}; filename*=UTF-8''{quote(queries.file_name(found))}"}
        content = queries.content(found, store)
        return Response(content, media_type=found.mime_type, headers=_bounds(found.mime_type, content) | name)

    return caller.read(work)


def _refuse_unknown(request: Request) -> None:
    """A filter that nobody knows would be left out, and hand over everything instead of a part."""
    unknown = sorted(set(request.query_params) - FILTERS)
    if unknown:
        known = f"known are {', '.join(sorted(FILTERS))}"
        raise Invalid("Unknown filter.", errors=[FieldError(each, known) for each in unknown])


def _bounds(mime_type: str, content: bytes) -> dict[str, str]:
    """A real PDF is shown by a program of the browser's own, which a sandbox would forbid; it runs no scripts here."""
    if mime_type == "application/pdf" and content.startswith(b"%PDF-"):
        return UNTRUSTED | {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
    return UNTRUSTED
