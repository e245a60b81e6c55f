from typing import Annotated

from fastapi import Query
from sqlalchemy.orm import Session

from signoff.catalog import queries as catalog
from signoff.catalog.queries import UnknownAgent
from signoff.kit.actor import Actor, Role
from signoff.kit.paging import Page, page
from signoff.kit.routing import Paging, api_router, errors
from signoff.memory import actions, queries
from signoff.memory.actions import KeyTaken, MemoryFull
from signoff.memory.models import MemoryNote
from signoff.memory.queries import UnknownNote
from signoff.memory.schemas import NoteChange, NoteIn, NoteOut
from signoff.workspaces.access import Caller

router = api_router("memory", "/api/agents/{slug}/memory")
Search = Annotated[str | None, Query(max_length=1_000, description="Words to look for; the best come first.")]


@router.get("", responses=errors(UnknownAgent))
def list_notes(slug: str, caller: Caller, window: Paging, q: Search = None) -> Page[NoteOut]:
    """What an agent keeps from run to run, newest first; with `q`, what has its words."""

    def work(session: Session, actor: Actor) -> Page[NoteOut]:
        catalog.agent(session, actor, slug)
        if q and q.strip():
            found = queries.search(session, actor, slug, q, window.limit)
            return Page(items=[NoteOut.model_validate(each) for each in found], total=len(found))
        return page(
            session, queries.notes(actor, slug), [MemoryNote.id], window, NoteOut.model_validate, descending=True
        )

    return caller.read(work)


@router.post("", status_code=201, responses=errors(UnknownAgent, MemoryFull))
def keep_note(slug: str, body: NoteIn, caller: Caller) -> NoteOut:
    """Keep something for an agent. Its note of the same name is replaced."""

    def work(session: Session, actor: Actor) -> NoteOut:
        catalog.agent(session, actor, slug)
        return NoteOut.model_validate(actions.keep(session, actor, slug, body.text, body.key).note)

    return caller.write(work, Role.APPROVER)


@router.patch("/{note_id}", responses=errors(UnknownAgent, UnknownNote, KeyTaken))
def change_note(slug: str, note_id: str, body: NoteChange, caller: Caller) -> NoteOut:
    def work(session: Session, actor: Actor) -> NoteOut:
        note = _note(session, actor, slug, note_id)
        actions.change(session, actor, note, body)
        return NoteOut.model_validate(note)

    return caller.write(work, Role.APPROVER)


@router.delete("/{note_id}", status_code=204, responses=errors(UnknownAgent, UnknownNote))
def forget_note(slug: str, note_id: str, caller: Caller) -> None:
    caller.write(lambda s, actor: actions.forget(s, actor, _note(s, actor, slug, note_id)), Role.APPROVER)


def _note(session: Session, actor: Actor, slug: str, note_id: str) -> MemoryNote:
    catalog.agent(session, actor, slug)
    return queries.note(session, actor, slug, note_id)
