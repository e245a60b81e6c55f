import io
import zipfile
from datetime import datetime
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import InstrumentedAttribute, Session, defer

from signoff.claims.models import of_project
from signoff.deliverables.actions import EXTENSIONS
from signoff.deliverables.models import Deliverable
from signoff.deliverables.store import FileStore
from signoff.kit.actor import Actor
from signoff.kit.errors import NotFound
from signoff.kit.text.deceptive import without_hidden


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
    """The newest versions in the actor's workspace, without their content."""
    query = select(Deliverable).options(defer(Deliverable.content))
    query = query.where(Deliverable.workspace_id == actor.workspace_id, Deliverable.newest)
    given: dict[InstrumentedAttribute[Any], str | None] = {
        Deliverable.run_id: run_id,
        Deliverable.agent: agent,
        Deliverable.type: type_,
        Deliverable.status: status,
    }
    for column, value in given.items():
        if value is not None:
            query = query.where(column == value)
    if project_id is not None:
        query = query.where(Deliverable.run_id.in_(of_project(actor.workspace_id, project_id)))
    return query.where(Deliverable.created_at >= since) if since else query


def deliverable(session: Session, actor: Actor, deliverable_id: str) -> Deliverable:
    found = session.get(Deliverable, deliverable_id)
    if found is None or found.workspace_id != actor.workspace_id:
        raise UnknownDeliverable("Deliverable not found.")
    return found


def versions(actor: Actor, of: Deliverable) -> Select[Deliverable]:
    query = select(Deliverable).options(defer(Deliverable.content))
    query = query.where(Deliverable.workspace_id == actor.workspace_id)
    return query.where(Deliverable.run_id == of.run_id, Deliverable.name == of.name)


def content(deliverable: Deliverable, store: FileStore) -> bytes:
    if deliverable.file_key is not None:
        return store.get(deliverable.file_key)
    return deliverable.content or b""


def file_name(deliverable: Deliverable) -> str:
    """The name with an extension, so that it opens, and as what it is: a file manager shows no hidden characters."""
    name = without_hidden(deliverable.name, "_")
    extension = EXTENSIONS.get(deliverable.type, "")
    return name if "." in name else name + (extension or ".txt")


def bundle(session: Session, wanted: Select[Deliverable], store: FileStore) -> bytes:
    """What was found, as one ZIP."""
    found = session.scalars(wanted.order_by(Deliverable.id)).all()
    if not found:
        raise UnknownDeliverable("Nothing to download.")
    buffer, names = io.BytesIO(), dict[str, int]()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for item in found:
            name = file_name(item)
            names[name] = names.get(name, 0) + 1
            # Two runs may hand over files of the same name.
            unique = name if names[name] == 1 else f"{names[name]}-{name}"
            archive.writestr(unique, content(item, store))
    return buffer.getvalue()
