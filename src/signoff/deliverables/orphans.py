"""Stored files that no deliverable has: its row never came, or was deleted. Cleared away some at a time."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import islice

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.deliverables.models import Deliverable
from signoff.files.stores import FileStore

# A row comes moments after its file, so what is older waits for none.
KEPT, EVERY = timedelta(days=1), timedelta(hours=1)


class OrphanFiles:
    """A source for the timers. One transaction per file; the row is looked for again in it."""

    name = "stored files"

    def __init__(self, store: FileStore) -> None:
        self._store = store
        self._last: datetime | None = None

    def due(self, session: Session, at: datetime, limit: int, /) -> Sequence[str]:
        if self._last is not None and at - self._last < EVERY:
            return []
        self._last = at
        found, keys = list[str](), self._store.older_than(at - KEPT)
        while len(found) < limit and (some := list(islice(keys, limit))):
            used = set(session.scalars(select(Deliverable.file_key).where(Deliverable.file_key.in_(some))))
            found += [key for key in some if key not in used]
        # Less than what would make the timers come back at once.
        return found[: limit - 1]

    def run_due(self, session: Session, due_id: str, at: datetime, /) -> None:
        if session.scalar(select(Deliverable.id).where(Deliverable.file_key == due_id).limit(1)) is None:
            self._store.delete_older(due_id, at - KEPT)

    def next_time(self, session: Session, /) -> datetime | None:
        return None if self._last is None else self._last + EVERY
