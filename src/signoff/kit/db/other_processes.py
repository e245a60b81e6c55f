"""Other processes: hear their commits, and send them what is not stored."""

import logging
import threading
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import text

from signoff.kit import jsons
from signoff.kit.db import events
from signoff.kit.db.database import Commit, Database
from signoff.kit.db.live_events import Hub
from signoff.kit.jsons import JsonObject

log = logging.getLogger(__name__)

LIVE = "signoff_live"
SQLITE_WATCH_SECONDS = 0.2
RECONNECT_SECONDS = 1.0
# A notification holds 8,000 bytes; a longer piece of text is simply not seen live.
MOST_BYTES = 7_900


class Watcher:
    """Hears the commits of other processes and announces them in this one."""

    def __init__(self, db: Database, hub: Hub) -> None:
        self._db = db
        self._hub = hub
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="signoff-watcher", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(timeout=5)

    def _watch(self) -> None:
        while not self._stop.is_set():
            try:
                self._watch_sqlite() if self._db.is_sqlite else self._watch_postgres()
            except Exception:
                if not self._stop.is_set():
                    log.warning("lost the watch on other processes' commits, trying again", exc_info=True)
                self._stop.wait(RECONNECT_SECONDS)

    def _watch_sqlite(self) -> None:
        version = self._db.data_version()
        while not self._stop.wait(SQLITE_WATCH_SECONDS):
            current = self._db.data_version()
            if current != version:
                version = current
                self._db.announce(Commit(from_elsewhere=True))

    def _watch_postgres(self) -> None:
        # SQLite needs none of it.
        import psycopg

        url = self._db.url.set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"LISTEN {events.CHANNEL}")
            connection.execute(f"LISTEN {LIVE}")
            # Something may have been committed before we listened.
            self._db.announce(Commit(from_elsewhere=True))
            while not self._stop.is_set():
                for notice in connection.notifies(timeout=1.0):
                    note = jsons.loads(notice.payload)
                    if note["from"] == events.PROCESS:
                        continue
                    if notice.channel == LIVE:
                        self._hub.pass_on_from_thread(note["workspace"], note["item"])
                    else:
                        # What else it was about is not said: somebody may have to be told.
                        woken, halted = set(note["woken"]), set(note["halted"])
                        self._db.announce(Commit({note["workspace"]}, woken, halted, tells=True))


class Relay:
    """Sends unstored events to the processes that have a web side, over PostgreSQL. SQLite has no such way."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._thread = ThreadPoolExecutor(1, "signoff-relay")

    def __call__(self, workspace_id: str, item: JsonObject) -> None:
        note = jsons.dumps({"workspace": workspace_id, "item": item, "from": events.PROCESS})
        if not self._db.is_sqlite and len(note.encode()) <= MOST_BYTES:
            self._thread.submit(self._send, note)

    def _send(self, note: str) -> None:
        try:
            self._db.read(lambda session: session.execute(text("SELECT pg_notify(:c, :n)"), {"c": LIVE, "n": note}))
        except Exception:
            log.debug("a piece of live text was not sent", exc_info=True)

    def stop(self) -> None:
        self._thread.shutdown(wait=True, cancel_futures=True)
