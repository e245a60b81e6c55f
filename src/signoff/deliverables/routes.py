import inspect
import logging
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import chain
from typing import Annotated, Any

from fastapi import Depends, Query, Request, Response
from fastapi.responses import RedirectResponse, StreamingResponse
from sqlalchemy import Select
from sqlalchemy.orm import Session

from signoff.claims.models import of_work
from signoff.deliverables import actions, queries
from signoff.deliverables.drafts import safe_link
from signoff.deliverables.models import Deliverable
from signoff.deliverables.queries import UnknownDeliverable
from signoff.deliverables.schemas import DeliverableChange, DeliverableOut
from signoff.deliverables.states import IllegalStatus
from signoff.files.ranges import OutOfRange, wanted_part
from signoff.files.stores import FileStore
from signoff.files.stores.port import NotStored, StoreUnavailable
from signoff.files.untrusted import headers_for
from signoff.files.zips import apart, zipped
from signoff.kit.actor import Actor
from signoff.kit.db.unavailable import Unavailable
from signoff.kit.errors import FieldError, Invalid
from signoff.kit.paging import Page, page
from signoff.kit.routing import CountedPaging, OfProject, Paging, api_router, errors
from signoff.workspaces.access import Caller

log = logging.getLogger(__name__)
router = api_router("deliverables", "/api/deliverables")
Narrowed = Callable[[Actor], Select[Deliverable]]


def _narrowed(
    run: str | None = None,
    agent: str | None = None,
    type: str | None = None,
    status: Annotated[
        str | None, Query(description="draft, final, archived or all; without, all but archived ones.")
    ] = None,
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
            found = found.where(Deliverable.run_id.in_(of_work(execution_id)))
        return found if agent_id is None else found.where(Deliverable.agent == agent_id)

    return query


class Download(StreamingResponse):
    """One that breaks off in the middle ends without its end, so that nobody takes it for whole."""

    async def stream_response(self, send: Any) -> None:
        try:
            await super().stream_response(send)
        except (Unavailable, NotStored) as error:
            log.warning("a download broke off: %s", error.detail)


Filters = Annotated[Narrowed, Depends(_narrowed)]
FILTERS = frozenset(inspect.signature(_narrowed).parameters) - {"project"} | {"project_id", "projectId"}


@router.get("")
def list_deliverables(caller: Caller, window: CountedPaging, narrowed: Filters) -> Page[DeliverableOut]:
    """The newest version of everything handed over, newest first."""

    def work(session: Session, actor: Actor) -> Page[DeliverableOut]:
        return page(session, narrowed(actor), [Deliverable.id], window, DeliverableOut.model_validate, descending=True)

    return caller.read(work)


@router.get("/download", responses=errors(UnknownDeliverable, Invalid, StoreUnavailable))
def download_all(caller: Caller, request: Request, narrowed: Filters) -> Response:
    """All deliverables, or those that fit the filters, as one ZIP."""
    _refuse_unknown(request)
    store: FileStore = request.app.state.store
    found = caller.read(lambda session, actor: queries.bundle(session, narrowed(actor)))
    named = {"Content-Disposition": 'attachment; filename="deliverables.zip"'}

    def content(each: Deliverable) -> Iterator[bytes]:
        if each.file_key is not None:
            return store.read(each.file_key)
        # One at a time: all of them together may be large.
        return iter([caller.read(lambda session, _actor: queries.inline_content(session, each.id))])

    for each in found:
        if each.file_key is not None:
            # Whether the store answers is known before there is half an archive.
            _begun(store.read(each.file_key, 0, 1))
            break
    entries = zip(apart(map(queries.file_name, found)), map(content, found), strict=True)
    return Download(zipped(entries), media_type="application/zip", headers=named)


@router.get("/{deliverable_id}", responses=errors(UnknownDeliverable))
def get_deliverable(deliverable_id: str, caller: Caller) -> DeliverableOut:
    def work(session: Session, actor: Actor) -> DeliverableOut:
        return DeliverableOut.model_validate(queries.deliverable(session, actor, deliverable_id))

    return caller.read(work)


@router.patch("/{deliverable_id}", responses=errors(UnknownDeliverable, IllegalStatus))
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


@router.get("/{deliverable_id}/content", responses=errors(UnknownDeliverable, Invalid, StoreUnavailable))
def get_content(deliverable_id: str, caller: Caller, request: Request, download: bool = False) -> Response:
    """The file itself, or a range of it; with `download`, as an attachment. A link leads to where it points."""
    store: FileStore = request.app.state.store
    found = caller.read(lambda session, actor: queries.deliverable(session, actor, deliverable_id))
    if found.external_url is not None:
        # Rows can be changed by hand: it is looked at again before a browser is sent there.
        return RedirectResponse(safe_link(found.external_url), 302, {"Referrer-Policy": "no-referrer"})
    # Its type was seen when it came; rows from before only say what the agent said.
    pdf = found.mime_type == "application/pdf" and b"".join(queries.content(found, store, 0, 5)) == b"%PDF-"
    headers = headers_for("application/pdf" if pdf else "", queries.file_name(found), download=download) | {
        "Accept-Ranges": "bytes"
    }
    try:
        part = wanted_part(request.headers.get("range"), found.size_bytes)
    except OutOfRange:
        return Response(status_code=416, headers={"Content-Range": f"bytes */{found.size_bytes}"})
    start, length = part or (0, found.size_bytes)
    headers["Content-Length"] = str(length)
    if part:
        headers["Content-Range"] = f"bytes {start}-{start + length - 1}/{found.size_bytes}"
    pieces = _begun(queries.content(found, store, start, length))
    return Download(pieces, 206 if part else 200, headers, media_type=found.mime_type)


def _begun(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The same, with the first at hand: what fails before it is an answer of its own and no broken download."""
    return chain([next(pieces, b"")], pieces)


def _refuse_unknown(request: Request) -> None:
    """A filter that nobody knows would be left out, and hand over everything instead of a part."""
    unknown = sorted(set(request.query_params) - FILTERS)
    if unknown:
        known = f"known are {', '.join(sorted(FILTERS))}"
        raise Invalid("Unknown filter.", errors=[FieldError(each, known) for each in unknown])
