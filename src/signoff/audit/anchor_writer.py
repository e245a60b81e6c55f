"""Writes down where the sealed record stands, in a file and elsewhere; refuses a record sealed by another key."""

import logging
import os
import threading
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from sqlalchemy.orm import Session

from signoff.audit import anchors, queries
from signoff.audit.actions import refuse_foreign_key, seal_older
from signoff.audit.chain import Proof
from signoff.audit.seals import SEED_BYTES, BadKey, Sealer, decode_key, encode_key
from signoff.kit import private_files
from signoff.kit.db.database import Commit, Database
from signoff.kit.errors import CannotStart
from signoff.kit.jsons import JsonObject
from signoff.kit.settings import Settings

log = logging.getLogger(__name__)

KEY_FILE, ANCHOR_FILE, NOWHERE = "audit.key", "audit.anchor", "none"
# Beside a key that has not sealed anything yet. Only then may a record without seals be an older one.
NEW_KEY_FILE = "audit.new"
EVERY_SECONDS = 5.0
POST_SECONDS = 5.0
UNSEALED = (
    "The audit record has entries and no seal at all, and its key is not a new one: someone removed the seals, or "
    "it is older than the key. Compare it with a backup, an export or an anchor. If you are sure that nobody changed "
    "it, run: signoff audit adopt"
)


def sealer_for(settings: Settings) -> Sealer:
    """The key of this deployment: from the settings, or from the data folder, where the first start leaves one."""
    retired = [each.strip() for each in settings.audit_retired_keys.split(",") if each.strip()]
    source, text = "SIGNOFF_AUDIT_KEY", settings.audit_key
    if not text:
        path = private_files.folder(settings.data) / KEY_FILE
        if not path.exists():
            private_files.put_once(path.with_name(NEW_KEY_FILE), "")
            private_files.put_once(path, encode_key(os.urandom(SEED_BYTES)) + "\n")
        source, text = str(path), path.read_text()
    try:
        return Sealer(decode_key(text), retired)
    except BadKey as error:
        raise CannotStart(f"{source} or SIGNOFF_AUDIT_RETIRED_KEYS has no valid key. {error}") from None


@dataclass(frozen=True)
class Places:
    """Where anchors go, and where it is noted that the key is a new one."""

    file: Path | None
    url: str | None
    new_key: Path

    @classmethod
    def of(cls, settings: Settings) -> "Places":
        new_key = settings.data / NEW_KEY_FILE
        given = [each.strip() for each in settings.audit_anchor.split(",") if each.strip()]
        if given == [NOWHERE]:
            return cls(None, None, new_key)
        urls = [each for each in given if each.lower().startswith(("http://", "https://"))]
        files = [each for each in given if each not in urls]
        if len(urls) > 1 or len(files) > 1:
            raise CannotStart("SIGNOFF_AUDIT_ANCHOR takes one file, one URL, or one of each, with a comma between.")
        default = None if given else settings.data / ANCHOR_FILE
        return cls(Path(files[0]) if files else default, urls[0] if urls else None, new_key)


class AnchorWriter:
    """One per process. Its thread writes anchors after the commits, never in their way."""

    def __init__(self, db: Database, sealer: Sealer, places: Places) -> None:
        self.sealer, self.places = sealer, places
        self._db = db
        self._moved = set[str]()
        self._file_has, self._url_has = dict[str, int](), dict[str, int]()
        self._lock, self._stop = threading.Lock(), threading.Event()
        self._thread = threading.Thread(target=self._work, name="signoff-anchors", daemon=True)

    def check_at_start(self) -> None:
        """At start: refuse a record that another key seals, and seal one from before there was a key, once."""
        new = self.places.new_key.exists()
        self._db.write(lambda session: self._look(session, new))
        self.places.new_key.unlink(missing_ok=True)

    def adopt(self) -> int:
        """Seal records without any seal because the operator says that they are genuine. How many there were."""
        return self._db.write(lambda session: self._look(session, True))

    def _look(self, session: Session, seals: bool) -> int:
        sealed = 0
        for end in queries.ends(session):
            workspace_id, key_id = end["workspace_id"], end["key_id"]
            if key_id is not None:
                refuse_foreign_key(self.sealer, key_id)
            elif queries.was_ever_sealed(session, workspace_id) or self._witnessed(workspace_id):
                log.error("The audit record is sealed, but its last entries are not. Check it: signoff audit verify")
            elif seals:
                seal_older(session, self.sealer, workspace_id)
                sealed += 1
            else:
                # Whoever has the database can take every seal away. Once we had written more, nobody could adopt it.
                raise CannotStart(UNSEALED)
        return sealed

    def prove(self, session: Session, workspace_id: str) -> Proof:
        """Check the record against the key and the anchors."""
        file, ring = self.places.file, self.sealer.ring
        if file and file.exists():
            differing = anchors.read_against(file, workspace_id, ring, queries.hashes(session, workspace_id))
            proof = queries.verify(session, workspace_id, ring, differing)
            if proof.ok:
                return proof
        # Something is wrong: how far the record was anchored takes every anchor to say.
        return queries.verify(session, workspace_id, ring, self._read(workspace_id))

    def start(self) -> None:
        # What a process that was killed did not witness any more.
        self._moved |= {end["workspace_id"] for end in self._db.read(queries.ends)}
        self._db.listeners.append(self._on_commit)
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(timeout=POST_SECONDS + 5)

    def _on_commit(self, commit: Commit) -> None:
        with self._lock:
            self._moved |= commit.workspaces

    def _work(self) -> None:
        while not self._stop.wait(EVERY_SECONDS):
            self._witness()
        self._witness()

    def _witness(self) -> None:
        with self._lock:
            moved, self._moved = self._moved, set[str]()
        try:
            ends = [end for end in self._db.read(queries.ends) if end["workspace_id"] in moved] if moved else []
            self._write(ends)
        except Exception:
            # What could not be witnessed now is tried again with the next.
            log.warning("The audit record's head could not be anchored; it is tried again.", exc_info=True)
            with self._lock:
                self._moved |= moved

    def _write(self, ends: list[JsonObject]) -> None:
        heads = {end["workspace_id"]: self._anchor(end) for end in ends if end["key_id"] is not None}
        if self.places.file and (new := _newer(heads, self._file_has)):
            anchors.append(self.places.file, new)
            self._file_has |= {each["workspace"]: each["number"] for each in new}
        for each in _newer(heads, self._url_has) if self.places.url else ():
            self._post(each)
            self._url_has[each["workspace"]] = each["number"]

    def _anchor(self, end: JsonObject) -> JsonObject:
        return anchors.anchor(self.sealer, end["workspace_id"], end["number"], end["hash"], end["at"].isoformat())

    def _post(self, head: JsonObject) -> None:
        import httpx

        assert self.places.url is not None
        try:
            httpx.post(self.places.url, json=head, timeout=POST_SECONDS).raise_for_status()
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            # The address may carry a secret: only its host is logged.
            host = urlsplit(self.places.url).hostname
            raise NotWitnessed(f"{host} did not take the anchor: {type(error).__name__}") from None

    def _read(self, workspace_id: str) -> anchors.Anchors:
        file = self.places.file
        return anchors.read(file, workspace_id, self.sealer.ring) if file and file.exists() else {}

    def _witnessed(self, workspace_id: str) -> bool:
        return bool(self._read(workspace_id))


class NotWitnessed(Exception):
    """The other side did not take the anchor."""


def _newer(heads: dict[str, JsonObject], has: dict[str, int]) -> list[JsonObject]:
    return [head for workspace, head in heads.items() if head["number"] != has.get(workspace)]
