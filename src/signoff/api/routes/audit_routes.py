"""The record over HTTP. Here and not in `audit`, which lies below the people who may read it."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import StreamingResponse
from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.audit import queries
from signoff.audit.anchor_writer import AnchorWriter
from signoff.audit.models import AuditEntry
from signoff.audit.queries import Wanted
from signoff.audit.schemas import AuditEntryOut, KeyOut, ProofOut
from signoff.catalog import queries as catalog
from signoff.catalog.models import Agent
from signoff.kit import jsons
from signoff.kit.actor import Actor, Role
from signoff.kit.paging import Page, page
from signoff.kit.routing import Paging, api_router
from signoff.runs.models import Run
from signoff.workspaces import queries as members
from signoff.workspaces.access import Caller

router = api_router("audit", "/api/audit")
MOST_NAMED = 500


@router.get("")
def list_entries(
    caller: Caller,
    window: Paging,
    actor: Annotated[str | None, Query(description="Part of an email, of a name, or of `agent:slug`.")] = None,
    action: Annotated[str | None, Query(description="Part of an action: `ask.`, `deleted`.")] = None,
    subject: Annotated[str | None, Query(description="An id, or part of one, or of a run's or an ask's title.")] = None,
    run: str | None = None,
    since: datetime | None = None,
) -> Page[AuditEntryOut]:
    """Who did what, newest first."""

    def work(session: Session, me: Actor) -> Page[AuditEntryOut]:
        who = Wanted(actor, _named_people(session, me, actor)) if actor else None
        what = Wanted(subject, _named_things(session, me, subject)) if subject else None
        how = Wanted(action) if action else None
        found = queries.entries(me, who=who, action=how, subject=what, run_id=run, since=since)
        return page(session, found, [AuditEntry.number], window, AuditEntryOut.model_validate, descending=True)

    return caller.read(work)


def _named_people(session: Session, me: Actor, part: str) -> list[str]:
    """Members and agents whose name has this in it, as the record names them."""
    wanted = part.casefold()
    people = [email for email, name in members.emails(session, me.workspace_id) if wanted in name.casefold()]
    named = catalog.agents(me).where(Agent.name.icontains(part, autoescape=True)).limit(MOST_NAMED)
    return [*people[:MOST_NAMED], *(Actor.agent(me.workspace_id, agent.slug).label for agent in session.scalars(named))]


def _named_things(session: Session, me: Actor, part: str) -> list[str]:
    """The latest runs and asks whose title has this in it; the record itself keeps ids."""
    titled = (
        select(each.id)
        .where(each.workspace_id == me.workspace_id, each.title.icontains(part, autoescape=True))
        .order_by(each.id.desc())
        .limit(MOST_NAMED)
        for each in (Run, Ask)
    )
    return [each for query in titled for each in session.scalars(query)]


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
