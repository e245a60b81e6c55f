"""The record over HTTP. Here and not in `audit`, which lies below the people who may read it."""

from collections.abc import Iterator
from datetime import datetime

from fastapi import Request
from fastapi.responses import StreamingResponse
from sqlalchemy.orm import Session

from signoff.audit import queries
from signoff.audit.anchor_writer import AnchorWriter
from signoff.audit.models import AuditEntry
from signoff.audit.schemas import AuditEntryOut, KeyOut, ProofOut
from signoff.kit import jsons
from signoff.kit.actor import Actor, Role
from signoff.kit.paging import Page, page
from signoff.kit.routing import Paging, api_router
from signoff.workspaces.access import Caller

router = api_router("audit", "/api/audit")


@router.get("")
def list_entries(
    caller: Caller,
    window: Paging,
    actor: str | None = None,
    action: str | None = None,
    subject: str | None = None,
    run: str | None = None,
    since: datetime | None = None,
) -> Page[AuditEntryOut]:
    """Who did what, newest first."""

    def work(session: Session, me: Actor) -> Page[AuditEntryOut]:
        found = queries.entries(me, who=actor, action=action, subject=subject, run_id=run, since=since)
        return page(session, found, [AuditEntry.number], window, AuditEntryOut.model_validate, descending=True)

    return caller.read(work)


@router.get("/verify")
def verify(request: Request, caller: Caller) -> ProofOut:
    """Check the whole chain, its seals and its anchors: any change shows at its place."""
    anchor_writer: AnchorWriter = request.app.state.anchor_writer

    def work(session: Session, actor: Actor) -> ProofOut:
        proof = ProofOut.model_validate(anchor_writer.prove(session, actor.workspace_id))
        return proof.model_copy(update={"key": anchor_writer.sealer.key_id})

    return caller.read(work)


@router.get("/key")
def show_key(request: Request, caller: Caller) -> KeyOut:
    """The public key, to check an export with elsewhere."""
    anchor_writer: AnchorWriter = request.app.state.anchor_writer
    return caller.read(
        lambda _session, _actor: KeyOut(id=anchor_writer.sealer.key_id, public=anchor_writer.sealer.public)
    )


@router.get("/export")
def export(caller: Caller) -> StreamingResponse:
    """Every entry, one JSON object a line, oldest first."""
    workspace_id = caller.read(lambda _, actor: actor.workspace_id, Role.ADMIN)

    def lines() -> Iterator[str]:
        with Session(caller.db.reader) as session:
            for entry in queries.walk(session, workspace_id):
                yield jsons.exact({**entry, "at": entry["at"].isoformat()}) + "\n"

    return StreamingResponse(lines(), media_type="application/x-ndjson")
