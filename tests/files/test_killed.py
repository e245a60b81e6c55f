"""A process that is killed between a file and its row leaves nothing that anybody sees, and nothing for ever."""

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

from sqlalchemy import select

from signoff.deliverables.models import Deliverable
from signoff.deliverables.orphans import OrphanFiles
from signoff.files.actions import KEPT, forget_old
from signoff.files.models import Upload
from signoff.files.stores import FolderStore
from signoff.kit import clock
from signoff.kit.db.database import Database
from signoff.kit.settings import Settings
from signoff.runs.models import Run

KILLED = 9
# Starts a run with a file, hands one over, and dies when all is done but the commit.
VICTIM = f"""
import os, sys
from pathlib import Path
from signoff import main
from signoff.deliverables import actions as deliverables
from signoff.deliverables.drafts import StoredFile, draft_of_file
from signoff.files import actions as files
from signoff.files.placement import Placement
from signoff.files.receive import Received
from signoff.kit.settings import Settings
from signoff.runs import actions as runs
from signoff.runs.folder.given_files import from_uploads
from signoff.runs.schemas import RunIn
from signoff.workspaces import queries as people
from signoff.workspaces.models import Member
from sqlalchemy import select

settings = Settings(data=Path(sys.argv[1]))
parts = main.assemble(settings)
main.prepare(parts)
settings.uploads_folder.mkdir()
place = settings.uploads_folder / "upload"
place.write_bytes(b"given")

def admin(session):
    member = session.scalars(select(Member)).first()
    return people.actor_of(session, member, "session")

received = Received("upload", "a.csv", place, 5, "0" * 64)
parts.db.write(lambda session: files.keep(session, admin(session), settings, [received]))
large = Path(sys.argv[1]) / "large"
large.write_bytes(b"x" * 2_000_000)
key, size = parts.context.store.put_file(large)

def work(session):
    actor, placed = admin(session), Placement(settings.runs_folder)
    given = RunIn(agent="assistant", task="x", files=["upload"])
    run = runs.start(session, actor, given, from_uploads(settings, ["upload"], placed))
    origin = deliverables.Origin(run.id, run.title, run.agent, None)
    handed_over = draft_of_file("l.bin", None, StoredFile(size, b"xx", file_key=key))
    deliverables.create(session, actor, origin, handed_over, parts.context.store, settings)
    assert (settings.runs_folder / run.id / "input" / "a.csv").is_file()
    os._exit({KILLED})

parts.db.write(work)
"""


def test_a_kill_before_the_commit_leaves_nothing_visible_and_what_is_left_is_cleared_away(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", VICTIM, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == KILLED, done.stderr[-2000:]
    settings = Settings(data=tmp_path)
    db, store, later = (
        Database(settings.url),
        FolderStore(settings.files_folder),
        clock.now() + KEPT + timedelta(hours=1),
    )
    runs = db.read(lambda session: set(session.scalars(select(Run.id))))
    assert db.read(lambda session: session.scalar(select(Upload.run_id))) is None
    assert db.read(lambda session: session.scalars(select(Deliverable.id)).all()) == []
    assert {each.name for each in settings.runs_folder.iterdir()} - runs
    assert (settings.uploads_folder / "upload").read_bytes() == b"given"
    db.write(lambda session: forget_old(session, later, settings))
    assert {each.name for each in settings.runs_folder.iterdir()} <= runs
    assert list(settings.uploads_folder.iterdir()) == []
    orphans = OrphanFiles(store)
    for key in db.read(lambda session: orphans.due(session, later, 200)):
        db.write(lambda session, key=key: orphans.run_due(session, key, later))
    assert list(store.older_than(later)) == []
    db.close()
