"""Somebody has the whole database and not the key: whatever they do to the record shows."""

import copy
import itertools
import json
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from signoff import main
from signoff.audit import anchors, queries, verify_export
from signoff.audit.actions import OtherAuditKey, record, sealed_by
from signoff.audit.anchor_writer import ANCHOR_FILE, KEY_FILE, NEW_KEY_FILE, AnchorWriter, Places, sealer_for
from signoff.audit.chain import GENESIS, Proof, hash_of
from signoff.audit.seals import Keyring
from signoff.kit.actor import Actor
from signoff.kit.db import events
from signoff.kit.db.database import Database
from signoff.kit.errors import CannotStart
from signoff.kit.jsons import dumps
from signoff.kit.settings import Settings
from signoff.workspaces import actions as workspaces
from tests.house import until

ACTOR = Actor.system("w")
Rows = list[dict[str, Any]]


class Attacker:
    """Reads and writes every table, knows how hashes are made, and has never seen the key."""

    def __init__(self, db: Database) -> None:
        self._db = Database(db.url.render_as_string(hide_password=False))

    def rows(self) -> Rows:
        return self._db.read(lambda s: list(queries.walk(s, "w")))

    def rewrite(self, rows: Rows, *, seals: bool = True) -> None:
        """Put these entries in place of all, numbered and hashed anew, with the head corrected."""
        previous = GENESIS
        for number, row in enumerate(rows, 1):
            row |= {"number": number, "previous": previous} | ({} if seals else {"seal": None, "key_id": None})
            row["hash"] = previous = hash_of(row)
        self.replace(rows)

    def replace(self, rows: Rows) -> None:
        table = queries.AuditEntry.__table__

        def work(session: Any) -> None:
            session.execute(text("DELETE FROM audit"))
            if rows:
                session.execute(table.insert(), rows)
            session.execute(text("UPDATE heads SET entries = :n WHERE workspace_id = 'w'"), {"n": len(rows)})

        self._db.write(work)

    def close(self) -> None:
        self._db.close()


@pytest.fixture
def anchor_writer(db: Database, settings: Settings) -> AnchorWriter:
    return AnchorWriter(db, sealer_for(settings), Places.of(settings))


@pytest.fixture
def attacker(db: Database) -> Iterator[Attacker]:
    write(db, 0, 1, 2)
    write(db, 3)
    write(db, 4, 5)
    write(db, 6)
    attacker = Attacker(db)
    yield attacker
    attacker.close()


def write(db: Database, *things: int) -> None:
    """One transaction."""
    db.write(lambda s: [record(s, ACTOR, "test.done", f"thing {n}", {"n": n}) for n in things])


def proof(db: Database, anchor_writer: AnchorWriter) -> Proof:
    return db.read(lambda s: anchor_writer.prove(s, "w"))


def witness(anchor_writer: AnchorWriter) -> None:
    """What it does by itself after a while, and when it stops."""
    anchor_writer.start()
    anchor_writer.stop()


def edit(rows: Rows) -> Rows:
    rows[3]["data"] = {"n": "another"}
    return rows


def swap(rows: Rows) -> Rows:
    rows[3]["subject"], rows[6]["subject"] = rows[6]["subject"], rows[3]["subject"]
    return rows


def insert(rows: Rows) -> Rows:
    return [*rows[:4], rows[3] | {"id": "forged", "seal": None, "key_id": None}, *rows[4:]]


def insert_with_a_seal(rows: Rows) -> Rows:
    return [*rows[:4], rows[3] | {"id": "forged"}, *rows[4:]]


def delete(rows: Rows) -> Rows:
    return [*rows[:3], *rows[4:]]


def delete_inside_a_transaction(rows: Rows) -> Rows:
    return [*rows[:4], *rows[5:]]


def append(rows: Rows) -> Rows:
    return [*rows, rows[0] | {"id": "forged", "action": "ask.answered"}]


def append_with_a_seal(rows: Rows) -> Rows:
    return [*rows, rows[6] | {"id": "forged", "action": "ask.answered"}]


REWRITINGS = [edit, swap, insert, insert_with_a_seal, delete, delete_inside_a_transaction, append, append_with_a_seal]


def test_an_untouched_record_bears_one_seal_for_each_transaction(
    db: Database, attacker: Attacker, anchor_writer: AnchorWriter
) -> None:
    found = proof(db, anchor_writer)
    assert (found.ok, found.entries, found.sealed_from, found.reason) == (True, 7, 3, None)
    assert [row["number"] for row in attacker.rows() if row["seal"]] == [3, 4, 6, 7]


def test_a_rewritten_record_is_found_although_every_hash_fits(
    db: Database, attacker: Attacker, anchor_writer: AnchorWriter
) -> None:
    honest = attacker.rows()
    for forge, seals in itertools.product(REWRITINGS, [True, False]):
        attacker.rewrite(forge(copy.deepcopy(honest)), seals=seals)
        assert db.read(lambda s: queries.verify(s, "w")).ok, "the hashes alone show nothing"
        found = proof(db, anchor_writer)
        assert (found.ok, bool(found.first_broken), bool(found.reason)) == (False, True, True), (forge, seals)
    attacker.replace(honest)
    assert proof(db, anchor_writer).ok


def test_what_is_written_afterwards_does_not_bless_a_forged_record(
    db: Database, attacker: Attacker, anchor_writer: AnchorWriter
) -> None:
    honest = attacker.rows()
    for forge in [*REWRITINGS, list]:
        attacker.rewrite(forge(copy.deepcopy(honest)), seals=False)
        write(db, 7)
        assert not proof(db, anchor_writer).ok, forge


def test_a_record_that_was_cut_is_found_by_its_anchor_although_its_head_was_corrected(
    db: Database, attacker: Attacker, anchor_writer: AnchorWriter
) -> None:
    witness(anchor_writer)
    honest = attacker.rows()
    for left in (1, 3, 5, 6):
        attacker.replace(honest[:left])
        assert not proof(db, anchor_writer).ok, left
        write(db, 7, 8, 9)
        assert not proof(db, anchor_writer).ok, left
    attacker.replace([])
    assert proof(db, anchor_writer).reason == "The record was cut: entry 7 was anchored, but the record ends at 0."


def test_an_anchored_record_says_up_to_where(db: Database, attacker: Attacker, anchor_writer: AnchorWriter) -> None:
    witness(anchor_writer)
    write(db, 7)
    found = proof(db, anchor_writer)
    assert (found.ok, found.anchored, found.entries) == (True, 7, 8)
    assert attacker.rows()


def test_an_anchor_that_was_torn_or_forged_proves_nothing_and_breaks_nothing(
    db: Database, attacker: Attacker, anchor_writer: AnchorWriter, settings: Settings
) -> None:
    witness(anchor_writer)
    file = settings.data / ANCHOR_FILE
    line = json.loads(file.read_text())
    forged = json.dumps(line | {"number": 99})
    file.write_text(f"{forged}\n[1]\n{{\n{file.read_text()}{json.dumps(line)[:50]}")
    write(db, 7)
    witness(AnchorWriter(db, anchor_writer.sealer, anchor_writer.places))
    found = proof(db, anchor_writer)
    assert (found.ok, found.anchored) == (True, 8)
    assert attacker.rows()


def test_a_head_goes_to_a_webhook_and_is_tried_again_until_it_arrives(
    db: Database, attacker: Attacker, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("signoff.audit.anchor_writer.EVERY_SECONDS", 0.05)
    asked, taken = list[int](), list[dict[str, Any]]()

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            asked.append(1)
            if len(asked) > 1:
                taken.append(body)
            self.send_response(503 if len(asked) == 1 else 204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/hook"
    sealer = sealer_for(settings)
    anchor_writer = AnchorWriter(db, sealer, Places.of(settings.model_copy(update={"audit_anchor": url})))
    anchor_writer.start()
    until(lambda: taken)
    anchor_writer.stop()
    server.shutdown()
    server.server_close()
    last = attacker.rows()[-1]
    assert (taken[0]["workspace"], taken[0]["number"], taken[0]["hash"]) == ("w", 7, last["hash"])
    said = anchors.anchor_text(sealer.key_id, "w", 7, last["hash"], taken[0]["at"])
    assert sealer.ring.fits(sealer.key_id, said, taken[0]["seal"])


def test_an_export_is_checked_with_the_public_key_and_the_anchors_alone(
    db: Database, attacker: Attacker, anchor_writer: AnchorWriter, settings: Settings
) -> None:
    db.write(lambda s: record(s, ACTOR, "test.done", "odd", {"text": "a\u2028b\x85c\r\nd", "x": 0.1, "n": 10**30}))
    witness(anchor_writer)
    anchored, ring = settings.data / ANCHOR_FILE, Keyring([anchor_writer.sealer.public])
    lines = [dumps({**row, "at": row["at"].isoformat()}) for row in attacker.rows()]
    found = verify_export.prove(lines, ring, anchored)
    assert (found.ok, found.entries, found.anchored) == (True, 8, 8)
    assert "cut" in str(verify_export.prove(lines[:4], ring, anchored, may_end_early=False).reason)
    kept = verify_export.prove(lines[:4], ring, anchored)
    assert (kept.ok, kept.entries, kept.anchored_later) == (True, 4, 8)
    assert kept.anchored_later_at is not None
    assert verify_export.prove(lines[:4], ring, None).ok
    attacker.rewrite(edit(attacker.rows()))
    forged = [dumps({**row, "at": row["at"].isoformat()}) for row in attacker.rows()]
    assert verify_export.prove(forged, None, None).ok
    assert not verify_export.prove(forged, ring, None).ok
    assert not verify_export.prove(forged, None, anchored).ok


def unsealed(db: Database) -> Database:
    return Database(db.url.render_as_string(hide_password=False), (events.finish,))


def test_entries_from_before_the_key_are_covered_by_the_first_seal(db: Database, anchor_writer: AnchorWriter) -> None:
    before = unsealed(db)
    write(before, 0, 1)
    write(before, 2)
    assert not proof(db, anchor_writer).ok
    old = db.read(lambda s: list(queries.walk(s, "w")))
    anchor_writer.check_at_start()
    write(db, 3)
    anchor_writer.check_at_start()
    found = proof(db, anchor_writer)
    assert (found.ok, found.entries, found.sealed_from) == (True, 5, 4)
    assert db.read(lambda s: list(queries.walk(s, "w")))[:3] == old
    attacker = Attacker(db)
    attacker.rewrite(edit(attacker.rows()))
    assert not proof(db, anchor_writer).ok
    attacker.close()
    before.close()


def test_a_record_whose_seals_were_stripped_is_not_sealed_anew_at_the_next_start(
    db: Database, attacker: Attacker, anchor_writer: AnchorWriter
) -> None:
    witness(anchor_writer)
    attacker.rewrite(edit(attacker.rows()), seals=False)
    anchor_writer.check_at_start()
    assert not proof(db, anchor_writer).ok
    assert all(row["action"] != "audit.sealed" for row in attacker.rows())


@pytest.mark.parametrize("anchor", ["none", "http://127.0.0.1:9/hook"])
def test_a_record_whose_seals_were_stripped_stays_broken_where_no_anchor_is_at_hand(
    db: Database, settings: Settings, attacker: Attacker, anchor: str
) -> None:
    settings = settings.model_copy(update={"audit_anchor": anchor})
    AnchorWriter(db, sealer_for(settings), Places.of(settings)).check_at_start()
    attacker.rewrite(edit(attacker.rows()), seals=False)
    later = AnchorWriter(db, sealer_for(settings), Places.of(settings))
    with pytest.raises(CannotStart, match="no seal at all"):
        later.check_at_start()
    assert not proof(db, later).ok
    write(db, 7)
    assert not proof(db, later).ok
    assert all(row["action"] != "audit.sealed" for row in attacker.rows())


def test_with_a_given_key_a_record_without_seals_is_sealed_on_the_operators_word_alone(
    db: Database, settings: Settings, tmp_path: Path
) -> None:
    key = (settings.data / KEY_FILE).read_text().strip()
    given = settings.model_copy(update={"audit_key": key, "data": tmp_path / "empty", "audit_anchor": "none"})
    before = unsealed(db)
    write(before, 0, 1, 2, 3)
    before.close()
    anchor_writer = AnchorWriter(db, sealer_for(given), Places.of(given))
    with pytest.raises(CannotStart, match="signoff audit adopt"):
        anchor_writer.check_at_start()
    assert not proof(db, anchor_writer).ok
    assert anchor_writer.adopt() == 1
    assert proof(db, anchor_writer).ok
    assert anchor_writer.adopt() == 0
    attacker = Attacker(db)
    attacker.rewrite(edit(attacker.rows()))
    assert anchor_writer.adopt() == 0
    assert not proof(db, anchor_writer).ok
    attacker.close()


def with_key(db: Database, settings: Settings) -> Database:
    return Database(db.url.render_as_string(hide_password=False), (sealed_by(sealer_for(settings)), events.finish))


def test_a_process_with_another_key_does_not_start_and_writes_nothing(
    db: Database, settings: Settings, tmp_path: Path
) -> None:
    db.write(lambda s: workspaces.found(s, "Home", "a@example.org", "A"))
    other = settings.model_copy(update={"data": tmp_path / "other"})
    parts = main.assemble(other)
    with pytest.raises(OtherAuditKey, match=r"copy audit\.key"):
        main.prepare(parts)
    with pytest.raises(OtherAuditKey):
        parts.db.write(lambda s: workspaces.found(s, "Second", "b@example.org", "B") and _touch_all(s))
    parts.db.close()
    (tmp_path / "other" / KEY_FILE).unlink()
    shutil.copy(settings.data / KEY_FILE, tmp_path / "other" / KEY_FILE)
    parts = main.assemble(other)
    main.prepare(parts)
    parts.db.close()


def _touch_all(session: Any) -> None:
    for end in queries.ends(session):
        record(session, Actor.system(end["workspace_id"]), "a", "b")


def test_a_lost_key_is_retired_and_its_seals_still_count(
    db: Database, settings: Settings, anchor_writer: AnchorWriter
) -> None:
    write(db, 0)
    retired = anchor_writer.sealer.public
    (settings.data / KEY_FILE).unlink()
    later = settings.model_copy(update={"audit_retired_keys": retired, "audit_anchor": "none"})
    second = with_key(db, later)
    write(second, 1)
    now = AnchorWriter(second, sealer_for(later), Places.of(later))
    assert proof(second, now).ok
    with pytest.raises(OtherAuditKey):
        write(db, 2)
    rows = db.read(lambda s: list(queries.walk(s, "w")))
    assert [row["key_id"] for row in rows] == [anchor_writer.sealer.key_id, now.sealer.key_id]
    second.close()


def test_processes_that_start_at_once_make_one_key(settings: Settings) -> None:
    made, ready = list[str](), threading.Barrier(8)

    def begin() -> None:
        ready.wait()
        made.append(sealer_for(settings).public)

    threads = [threading.Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 8
    assert len(set(made)) == 1
    assert {path.name for path in settings.data.iterdir() if "audit" in path.name} == {KEY_FILE, NEW_KEY_FILE}
    assert (settings.data / KEY_FILE).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("given", ["short", "!" * 44, "A" * 60])
def test_a_key_that_is_none_is_refused_with_what_it_should_be(settings: Settings, given: str) -> None:
    with pytest.raises(CannotStart, match="32 bytes in base64"):
        sealer_for(settings.model_copy(update={"audit_key": given}))
    assert given not in repr(settings.model_copy(update={"audit_key": given}))
