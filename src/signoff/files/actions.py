"""Take files in, hand them to runs, and forget what nobody came back for."""

import shutil
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.claims.models import claimable as runs
from signoff.files.models import Upload
from signoff.files.placement import Placement
from signoff.files.queries import pending, waiting_place
from signoff.files.quota import require_room, require_workspace_room
from signoff.files.receive import Received
from signoff.kit.actor import Actor, Role
from signoff.kit.settings import Settings

# How long an upload waits for its run.
KEPT = timedelta(days=1)
AT_ONCE = 500


def keep(session: Session, actor: Actor, settings: Settings, files: Sequence[Received]) -> list[Upload]:
    """Keep uploads until a run takes them."""
    actor.require(Role.MEMBER)
    require_workspace_room(session, actor.workspace_id, settings, sum(each.size_bytes for each in files))
    made = [_row(actor, each) for each in files]
    session.add_all(made)
    session.flush()
    for each in made:
        record(session, actor, "file.uploaded", each.id, _entry(each))
    return made


def hand_over(
    session: Session, actor: Actor, settings: Settings, run_id: str, ids: Sequence[str], placed: Placement
) -> list[Upload]:
    """Put uploads that wait into a run's folder. The rows say so only after `mark_given`: the run may not exist yet."""
    uploads = pending(session, actor, ids)
    size = sum(each.size_bytes for each in uploads)
    require_room(placed.folder(run_id), settings, size, files=len(uploads))
    for each in uploads:
        each.path = placed.put(waiting_place(settings, each.id), run_id, each.name)
    return uploads


def mark_given(session: Session, actor: Actor, run_id: str, uploads: Sequence[Upload]) -> None:
    """The run has them now."""
    for each in uploads:
        each.run_id = run_id
    session.flush()
    for each in uploads:
        record(
            session, actor, "file.given", run_id, {"file": each.id, "path": each.path, **_entry(each)}, run_id=run_id
        )


def give(
    session: Session, actor: Actor, settings: Settings, run_id: str, files: Sequence[Received], placed: Placement
) -> list[Upload]:
    """Put files into the folder of a run at work. The caller holds the run's row, so two see each other's files."""
    size = sum(each.size_bytes for each in files)
    require_workspace_room(session, actor.workspace_id, settings, size)
    require_room(placed.folder(run_id), settings, size, files=len(files))
    uploads = [_row(actor, each, placed.put(each.path, run_id, each.name)) for each in files]
    session.add_all(uploads)
    mark_given(session, actor, run_id, uploads)
    return uploads


def give_again(session: Session, actor: Actor, before: Sequence[Upload], run_id: str) -> list[Upload]:
    """The run that repeats another has the files that one was given."""
    again = [
        Upload(
            workspace_id=actor.workspace_id,
            created_by=each.created_by,
            name=each.name,
            size_bytes=each.size_bytes,
            sha256=each.sha256,
            run_id=run_id,
            path=each.path,
        )
        for each in before
    ]
    session.add_all(again)
    session.flush()
    return again


def discard(session: Session, actor: Actor, upload_id: str) -> None:
    """Take back an upload that waits; its file goes after the commit."""
    (upload,) = pending(session, actor, [upload_id])
    record(session, actor, "file.discarded", upload.id, _entry(upload))
    session.delete(upload)


def told(uploads: Sequence[Upload]) -> str:
    """What an agent reads of the files it was given. Their names are clean: no line break, nothing hidden."""
    return "\n".join(["Files in your folder:", *(f"- {each.path} ({each.size_bytes} bytes)" for each in uploads)])


def forget_old(session: Session, at: datetime, settings: Settings) -> None:
    """Uploads that no run took within a day; what a process that died left of others; folders of runs never begun."""
    old = at - KEPT
    session.execute(delete(Upload).where(Upload.run_id.is_(None), Upload.created_at < old))
    waiting = set(session.scalars(select(Upload.id).where(Upload.run_id.is_(None))))
    for each in islice((each for each in _older(settings.uploads_folder, old) if each.name not in waiting), AT_ONCE):
        each.unlink(missing_ok=True)
    for each in islice(_never_begun(session, _older(settings.runs_folder, old)), AT_ONCE):
        shutil.rmtree(each, ignore_errors=True)


def _never_begun(session: Session, folders: Iterable[Path]) -> Iterator[Path]:
    rest = iter(folders)
    while some := list(islice(rest, AT_ONCE)):
        known = set(session.scalars(select(runs.c.id).where(runs.c.id.in_([each.name for each in some]))))
        yield from (each for each in some if each.name not in known)


def _older(folder: Path, than: datetime) -> Iterator[Path]:
    """What has lain there for long."""
    old = than.timestamp()
    return (each for each in folder.iterdir() if each.lstat().st_mtime < old) if folder.is_dir() else iter(())


def _row(actor: Actor, file: Received, path: str | None = None) -> Upload:
    return Upload(
        id=file.id,
        workspace_id=actor.workspace_id,
        created_by=actor.label,
        name=file.name,
        size_bytes=file.size_bytes,
        sha256=file.sha256,
        path=path,
    )


def _entry(upload: Upload) -> dict[str, object]:
    return {"name": upload.name, "size_bytes": upload.size_bytes, "sha256": upload.sha256}
