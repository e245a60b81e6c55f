import base64
import binascii
from dataclasses import dataclass

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.deliverables.events import DELIVERABLE_CREATED, DeliverableBrief
from signoff.deliverables.models import Deliverable
from signoff.deliverables.store import FileStore
from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.db import events
from signoff.kit.db.columns import table
from signoff.kit.db.prepared import Prepared
from signoff.kit.errors import Invalid
from signoff.kit.jsons import clean_text

TYPES = {
    "markdown": "text/markdown",
    "csv": "text/csv",
    "json": "application/json",
    "pdf": "application/pdf",
    "code": "text/plain",
    "image": "image/png",
    "html": "text/html",
    "patch": "text/x-diff",
}
EXTENSIONS = {
    "markdown": ".md",
    "csv": ".csv",
    "json": ".json",
    "pdf": ".pdf",
    "image": ".png",
    "html": ".html",
    "patch": ".patch",
}
# What a copy for another run has in common with the original; large ones share the stored file.
CARRIED = (
    "workspace_id",
    "name",
    "type",
    "mime_type",
    "description",
    "size_bytes",
    "storage",
    "content",
    "file_key",
    "external_url",
)
BINARY = frozenset({"pdf", "image"})


@dataclass(frozen=True)
class Draft:
    """What a run wants to hand over."""

    name: str
    type: str
    content: bytes
    description: str = ""


def draft(name: str, type_: str, content: str, description: str = "") -> Draft:
    """Check what a model wants to hand over. Pictures and PDFs come as base64."""
    name, description = clean_text(name).strip(), clean_text(description)
    if not name or len(name) > 200 or any(mark in name for mark in "/\\\x00\n\r"):
        raise Invalid("A deliverable's name must have 1 to 200 characters, without slashes or line breaks.")
    if type_ not in TYPES:
        raise Invalid(f"The type must be one of: {', '.join(TYPES)}.")
    if type_ not in BINARY:
        return Draft(name, type_, content.encode("utf-8", "replace"), description)
    try:
        return Draft(name, type_, base64.b64decode(content, validate=True), description)
    except (binascii.Error, ValueError):
        raise Invalid(f"The content of a {type_} deliverable must be base64.") from None


@dataclass(frozen=True)
class Origin:
    """The run that hands something over."""

    run_id: str
    run_title: str
    agent: str
    agent_name: str | None


def create(
    session: Session, actor: Actor, origin: Origin, given: Draft, store: FileStore, inline_bytes: int
) -> Deliverable:
    """Hand over a file; the same name again makes a new version."""
    same = (Deliverable.run_id == origin.run_id, Deliverable.name == given.name)
    version = (session.scalar(select(func.max(Deliverable.version)).where(*same)) or 0) + 1
    if version > 1:
        session.execute(update(Deliverable).where(*same, Deliverable.newest).values(newest=False))
    inline = len(given.content) <= inline_bytes
    deliverable = Deliverable(
        workspace_id=actor.workspace_id,
        run_id=origin.run_id,
        run_title=origin.run_title,
        agent=origin.agent,
        agent_name=origin.agent_name,
        name=given.name,
        type=given.type,
        mime_type=TYPES[given.type],
        description=given.description,
        version=version,
        size_bytes=len(given.content),
        storage="inline" if inline else "file",
        content=given.content if inline else None,
        file_key=None if inline else store.put(given.content),
    )
    session.add(deliverable)
    session.flush()
    events.emit(session, actor.workspace_id, DELIVERABLE_CREATED, origin.run_id, {"deliverable": brief(deliverable)})
    return deliverable


def carry_over(session: Session, workspace_id: str, from_run: str, origin: Origin) -> list[Deliverable]:
    """The run that goes on from another begins with what that one had handed over, as drafts of its own."""
    kept = (Deliverable.run_id == from_run, Deliverable.newest, Deliverable.status != "archived")
    found = select(Deliverable).where(Deliverable.workspace_id == workspace_id, *kept).order_by(Deliverable.id)
    carried = list[Deliverable]()
    for each in session.scalars(found):
        same = {name: getattr(each, name) for name in CARRIED}
        named = {"run_id": origin.run_id, "run_title": origin.run_title, "agent": origin.agent}
        carried.append(Deliverable(**same, **named, agent_name=origin.agent_name, version=1))
    session.add_all(carried)
    session.flush()
    return carried


def finalise(session: Session, run_id: str) -> None:
    """The run is done: its drafts are final."""
    _FINALISE.run(session, {"run": run_id, "at": clock.now()})


def change_status(session: Session, actor: Actor, deliverable: Deliverable, status: str) -> None:
    deliverable.status = status
    deliverable.updated_at = clock.now()
    record(
        session,
        actor,
        "deliverable.changed",
        deliverable.id,
        {"name": deliverable.name, "status": status},
        run_id=deliverable.run_id,
    )


def delete(session: Session, actor: Actor, deliverable: Deliverable) -> None:
    """The file store keeps the bytes: another version or run may share them."""
    record(session, actor, "deliverable.deleted", deliverable.id, {"name": deliverable.name}, run_id=deliverable.run_id)
    session.delete(deliverable)


def brief(deliverable: Deliverable) -> DeliverableBrief:
    return {
        "id": deliverable.id,
        "run_id": deliverable.run_id,
        "name": deliverable.name,
        "type": deliverable.type,
        "version": deliverable.version,
        "size_bytes": deliverable.size_bytes,
        "status": deliverable.status,
    }


_TABLE = table(Deliverable)
_FINALISE = Prepared(
    update(_TABLE)
    .where(_TABLE.c.run_id == bindparam("run"), _TABLE.c.status == "draft", _TABLE.c.newest)
    .values(status="final", updated_at=bindparam("at", type_=_TABLE.c.updated_at.type))
)
