"""Comparing hashes first finds out what checking every seal finds out."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from signoff.audit import anchors
from signoff.audit.chain import GENESIS, check, hash_of
from signoff.audit.seals import Sealer
from signoff.kit.jsons import JsonObject

OURS, THEIRS = Sealer(b"k" * 32), Sealer(b"x" * 32)
Line = Callable[[int, str], JsonObject]


def _chain(count: int, changed_from: int = 1_000) -> list[dict[str, Any]]:
    found, previous = list[dict[str, Any]](), GENESIS
    for number in range(1, count + 1):
        data = {"changed": number >= changed_from}
        entry = {"workspace_id": "w", "number": number, "id": f"e{number}", "at": datetime(2026, 1, 1, tzinfo=UTC)}
        entry |= {"actor": "a", "action": "b", "subject": "c", "run_id": None, "data": data, "previous": previous}
        entry["hash"] = previous = hash_of(entry)
        found.append(entry)
    return found


def _by(sealer: Sealer) -> Line:
    return lambda number, fingerprint: anchors.anchor(sealer, "w", number, fingerprint, "2026-01-01")


def _unsealed(number: int, fingerprint: str) -> JsonObject:
    return _by(OURS)(number, fingerprint) | {"seal": "AAAA"}


GENUINE = _chain(9)
REWRITTEN = _chain(9, changed_from=4)
RECORDS = {"genuine": GENUINE, "rewritten": REWRITTEN, "cut": GENUINE[:6]}
# Which entries of the genuine record were witnessed, and by whom.
FILES: dict[str, list[tuple[Line, int]]] = {
    "honest": [(_by(OURS), 2), (_by(OURS), 5), (_by(OURS), 8)],
    "out of order": [(_by(OURS), 5), (_by(OURS), 8), (_by(OURS), 2), (_by(OURS), 8)],
    "the last is another's": [(_by(OURS), 5), (_by(THEIRS), 8)],
    "the first is another's": [(_by(THEIRS), 8), (_by(OURS), 5), (_by(OURS), 7)],
    "without seal": [(_unsealed, 8)],
    "nothing": [],
}


@pytest.mark.parametrize("record", RECORDS)
@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("forged", [False, True], ids=["", "and a false line"])
def test_the_record_holds_or_not_whichever_way_its_anchors_are_read(
    record: str, file: str, forged: bool, tmp_path: Path
):
    path, entries = tmp_path / "audit.anchor", RECORDS[record]
    lines = [make(number, GENUINE[number - 1]["hash"]) for make, number in FILES[file]]
    lines += [_unsealed(3, "0" * 64)] if forged else []
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    hashes = {entry["number"]: entry["hash"] for entry in entries}
    all_read = check(entries, anchors=anchors.read(path, "w", OURS.ring))
    compared = check(entries, anchors=anchors.read_against(path, "w", OURS.ring, hashes))
    assert compared.ok == all_read.ok
    if compared.ok:
        assert compared == all_read


def test_anchors_that_agree_are_not_each_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path, ring, verified = tmp_path / "audit.anchor", OURS.ring, list[str]()
    anchors.append(path, [_by(OURS)(entry["number"], entry["hash"]) for entry in GENUINE])
    genuine = ring.fits
    monkeypatch.setattr(ring, "fits", lambda *given: verified.append(given[0]) or genuine(*given))
    found = anchors.read_against(path, "w", ring, {entry["number"]: entry["hash"] for entry in GENUINE})
    assert (len(verified), list(found)) == (1, [9])
