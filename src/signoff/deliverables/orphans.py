"""Stored files that no deliverable has: its row never came, or was deleted. Cleared away some at a time."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import islice

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.deliverables.models import Deliverable
from signoff.files.stores import FileStore
from signoff.kit.db.unavailable import Unavailable

# A row comes moments after its file, so what is older waits for none.
KEPT, EVERY = timedelta(days=1), timedelta(hours=1)


class OrphanFiles:
    """A source for the timers. One transaction per file; the row is looked for again in it."""

    name = "stored files"

    def __init__(self, store: FileStore) -> None:
        self._store = store
        self._last: datetime | None = None
        self._away = False

    def due(self, session: Session, at: datetime, limit: int, /) -> Sequence[str]:
        if self._last is not None and at - self._last < EVERY:
            return []
        self._last, self._away = at, False
        try:
            # Less than what would make the timers come back at once.
            return self._found(session, at - KEPT, limit)[: limit - 1]
        except Unavailable:
            # The store has logged why, and nothing is urgent here.
            return []

    def _found(self, session: Session, before: datetime, limit: int) -> list[str]:
        found, keys = list[str](), self._store.older_than(before)
        while len(found) < limit and (some := list(islice(keys, limit))):
            used = set(session.scalars(select(Deliverable.file_key).where(Deliverable.file_key.in_(some))))
            found += [key for key in some if key not in used]
        return found

    def run_due(self, session: Session, due_id: str, at: datetime, /) -> None:
        if self._away or session.scalar(select(Deliverable.id).where(Deliverable.file_key == due_id).limit(1)):
            return
        try:
            self._store.delete_older(due_id, at - KEPT)
        except Unavailable:
            # The others of this round would wait in vain as well, each for as long.
            self._away = True

    def next_time(self, session: Session, /) -> datetime | None:
        return None if self._last is None else self._last + EVERY
