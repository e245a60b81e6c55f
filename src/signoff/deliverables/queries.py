from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import InstrumentedAttribute, Session, defer

from signoff.claims.models import of_project, of_work
from signoff.deliverables.drafts import EXTENSIONS
from signoff.deliverables.models import Deliverable
from signoff.deliverables.states import DeliverableStatus
from signoff.files.stores import FileStore
from signoff.kit.actor import Actor
from signoff.kit.errors import NotFound
from signoff.kit.text.deceptive import without_hidden

# Every status, archived ones too.
ALL = "all"


class UnknownDeliverable(NotFound):
    code = "unknown_deliverable"


def deliverables(
    actor: Actor,
    *,
    run_id: str | None = None,
    agent: str | None = None,
    type_: str | None = None,
    status: str | None = None,
    since: datetime | None = None,
    project_id: str | None = None,
) -> Select[Deliverable]:
    """The newest versions in the actor's workspace, without their content; archived ones only if asked for. Those of a
    workflow's run are what its steps handed over."""
    query = select(Deliverable).options(defer(Deliverable.content))
    query = query.where(Deliverable.workspace_id == actor.workspace_id, Deliverable.newest)
    given: dict[InstrumentedAttribute[Any], str | None] = {
        Deliverable.agent: agent,
        Deliverable.type: type_,
        Deliverable.status: None if status == ALL else status,
    }
    for column, value in given.items():
        if value is not None:
            query = query.where(column == value)
    if status is None:
        query = query.where(Deliverable.status != DeliverableStatus.ARCHIVED.value)
    if run_id is not None:
        query = query.where(Deliverable.run_id.in_(of_work(run_id)))
    if project_id is not None:
        query = query.where(Deliverable.run_id.in_(of_project(actor.workspace_id, project_id)))
    return query.where(Deliverable.created_at >= since) if since else query


def deliverable(session: Session, actor: Actor, deliverable_id: str) -> Deliverable:
    found = session.get(Deliverable, deliverable_id)
    if found is None or found.workspace_id != actor.workspace_id:
        raise UnknownDeliverable("Deliverable not found.")
    return found


def names_by_run(session: Session, workspace_id: str, run_ids: Sequence[str]) -> dict[str, list[str]]:
    """What each of these runs handed over, by name."""
    query = select(Deliverable.run_id, Deliverable.name).where(Deliverable.workspace_id == workspace_id)
    found = dict[str, list[str]]()
    for run_id, name in session.execute(
        query.where(Deliverable.run_id.in_(run_ids), Deliverable.newest).order_by(Deliverable.id)
    ):
        found.setdefault(run_id, []).append(name)
    return found


def versions(actor: Actor, of: Deliverable) -> Select[Deliverable]:
    query = select(Deliverable).options(defer(Deliverable.content))
    query = query.where(Deliverable.workspace_id == actor.workspace_id)
    return query.where(Deliverable.run_id == of.run_id, Deliverable.name == of.name)


def content(deliverable: Deliverable, store: FileStore, start: int = 0, length: int | None = None) -> Iterator[bytes]:
    """The file or a part of it, piece by piece."""
    if deliverable.file_key is not None:
        return store.read(deliverable.file_key, start, length)
    whole = deliverable.content or b""
    return iter([whole[start : None if length is None else start + length]])


def file_name(deliverable: Deliverable) -> str:
    """The name with an extension, so that it opens, and as what it is: a file manager shows no hidden characters."""
    name = without_hidden(deliverable.name, "_")
    extension = EXTENSIONS.get(deliverable.type, "")
    return name if "." in name else name + (extension or ".txt")


def bundle(session: Session, wanted: Select[Deliverable]) -> list[Deliverable]:
    """What is found, for one ZIP; their content is read when its turn comes."""
    kept = wanted.where(Deliverable.storage != "external").order_by(Deliverable.id)
    found = list(session.scalars(kept))
    if not found:
        raise UnknownDeliverable("Nothing to download.")
    return found


def inline_content(session: Session, deliverable_id: str) -> bytes:
    return session.scalar(select(Deliverable.content).where(Deliverable.id == deliverable_id)) or b""
