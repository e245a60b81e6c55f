from dataclasses import dataclass

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.deliverables.drafts import Draft
from signoff.deliverables.events import DELIVERABLE_CREATED, DeliverableBrief
from signoff.deliverables.models import Deliverable
from signoff.deliverables.states import DELIVERABLE, DeliverableStatus, IllegalStatus
from signoff.files.quota import require_workspace_room
from signoff.files.stores import FileStore
from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.db import events
from signoff.kit.db.columns import table
from signoff.kit.db.prepared import Prepared
from signoff.kit.settings import Settings
from signoff.kit.states import move

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


@dataclass(frozen=True)
class Origin:
    """The run that hands something over."""

    run_id: str
    run_title: str
    agent: str
    agent_name: str | None


def create(
    session: Session, actor: Actor, origin: Origin, given: Draft, store: FileStore, settings: Settings
) -> Deliverable:
    """Hand over a file or a link; the same name again makes a new version."""
    same = (Deliverable.run_id == origin.run_id, Deliverable.name == given.name)
    version = (session.scalar(select(func.max(Deliverable.version)).where(*same)) or 0) + 1
    inline = given.content is not None and given.size_bytes <= settings.inline_deliverable_bytes
    if not inline and given.external_url is None:
        require_workspace_room(session, actor.workspace_id, settings, given.size_bytes)
    file_key = given.file_key
    if given.content is not None and not inline:
        file_key = store.put(given.content)
    if version > 1:
        session.execute(update(Deliverable).where(*same, Deliverable.newest).values(newest=False))
    deliverable = Deliverable(
        workspace_id=actor.workspace_id,
        run_id=origin.run_id,
        run_title=origin.run_title,
        agent=origin.agent,
        agent_name=origin.agent_name,
        name=given.name,
        type=given.type,
        mime_type=given.mime_type,
        description=given.description,
        version=version,
        size_bytes=given.size_bytes,
        storage="external" if given.external_url else "inline" if inline else "file",
        content=given.content if inline else None,
        file_key=file_key,
        external_url=given.external_url,
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


def change_status(session: Session, actor: Actor, deliverable: Deliverable, status: DeliverableStatus) -> None:
    """Mark it as final, archive it, or bring it back. What it is already it may become again."""
    if deliverable.status == status.value:
        return
    before = deliverable.status
    moved = move(
        session, DELIVERABLE, Deliverable.status, status, Deliverable.id == deliverable.id, updated_at=clock.now()
    )
    session.refresh(deliverable)
    if not moved:
        raise IllegalStatus(
            f"The deliverable is {before} and cannot become {status.value}. A new version begins as a draft.",
            state={"status": before},
        )
    entry = {"name": deliverable.name, "status": status.value, "before": before}
    record(session, actor, "deliverable.changed", deliverable.id, entry, run_id=deliverable.run_id)


def delete(session: Session, actor: Actor, deliverable: Deliverable) -> None:
    """The file store keeps the bytes while another version or run shares them."""
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
