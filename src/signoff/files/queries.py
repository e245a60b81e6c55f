from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.files.models import Upload
from signoff.kit.actor import Actor
from signoff.kit.errors import NotFound
from signoff.kit.settings import Settings


class UnknownUpload(NotFound):
    code = "unknown_file"


def pending(session: Session, actor: Actor, ids: Sequence[str]) -> list[Upload]:
    """Uploads of the caller that wait for a run, in this order; all of them, or an error that names one."""
    own = (Upload.workspace_id == actor.workspace_id, Upload.created_by == actor.label, Upload.run_id.is_(None))
    wanted = select(Upload).where(Upload.id.in_(ids), *own).with_for_update()
    found = {each.id: each for each in session.scalars(wanted)}
    for each in ids:
        if each not in found:
            raise UnknownUpload(f"There is no file {each[:60]!r} that waits for a run. Upload it again.")
    return [found[each] for each in dict.fromkeys(ids)]


def given_to(session: Session, run_id: str) -> list[Upload]:
    """What people gave to a run, oldest first."""
    return list(session.scalars(select(Upload).where(Upload.run_id == run_id).order_by(Upload.id)))


def waiting_place(settings: Settings, upload_id: str) -> Path:
    """Where an upload lies until a run takes it."""
    return settings.uploads_folder / upload_id
