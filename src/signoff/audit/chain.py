"""The chain itself, as pure functions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from signoff.audit.seals import Keyring, batch_text
from signoff.kit.jsons import digest

GENESIS = "0" * 64
COVERED = ("workspace_id", "number", "id", "at", "actor", "action", "subject", "run_id", "data", "previous")
# Which hashes an entry was witnessed with, by its number. An honest record has one each.
Anchors = Mapping[int, frozenset[str]]


def hash_of(entry: Mapping[str, Any]) -> str:
    """The fingerprint of an entry and, through `previous`, of everything before it."""
    return digest({name: entry[name].isoformat() if name == "at" else entry[name] for name in COVERED})


@dataclass(frozen=True)
class Proof:
    """What a check of the chain found."""

    ok: bool
    entries: int
    first_broken: str | None = None
    # In words that a person can act on.
    reason: str | None = None
    # The entry whose seal was the first: it covers all before it.
    sealed_from: int | None = None
    # The last entry that was compared with an anchor.
    anchored: int | None = None
    # The last entry that was anchored, where that is behind the end of an export.
    anchored_later: int | None = None
    anchored_later_at: str | None = None


class _Broken(Exception):
    """Where the chain does not hold, and why."""

    def __init__(self, reason: str, where: str) -> None:
        super().__init__(reason)
        self.reason, self.where = reason, where


@dataclass
class _Walk:
    """Where the check is, and since where nothing was sealed."""

    ring: Keyring | None
    anchors: Anchors
    number: int = 0
    previous: str = GENESIS
    sealed: int = 0
    sealed_from: int | None = None
    rank: int = 0
    anchored: int | None = None
    # The first entry that no seal has covered yet.
    unsealed: str | None = None

    def take(self, entry: Mapping[str, Any]) -> None:
        """Check the next entry."""
        number = self.number + 1
        if entry["number"] != number or entry["previous"] != self.previous or entry["hash"] != hash_of(entry):
            reason = f"Entry {number} was changed, or entries before it were changed, removed or added."
            raise _Broken(reason, entry["id"])
        witnessed = self.anchors.get(number)
        if witnessed is not None and witnessed != frozenset[str]({entry["hash"]}):
            reason = f"Entry {number} is not the one that was anchored: it, or something before it, was rewritten."
            raise _Broken(reason, entry["id"])
        if self.ring and entry.get("seal"):
            self._check_seal(self.ring, number, entry)
        else:
            self.unsealed = self.unsealed or entry["id"]
        self.number, self.previous = number, entry["hash"]
        self.anchored = number if witnessed else self.anchored

    def _check_seal(self, ring: Keyring, number: int, entry: Mapping[str, Any]) -> None:
        key_id, first = str(entry.get("key_id")), self.sealed + 1
        rank, where = ring.rank(key_id), self.unsealed or entry["id"]
        if rank is None:
            raise _Broken(f"Entry {number} was sealed with another key ({key_id}).", where)
        text = batch_text(key_id, first, number, entry["hash"])
        if rank < self.rank or not ring.fits(key_id, text, entry["seal"]):
            which = f"Entries {first} to {number} do" if first < number else f"Entry {first} does"
            reason = f"{which} not have a valid seal: changed, removed or added by someone without the key."
            raise _Broken(reason, where)
        self.sealed, self.rank, self.unsealed = number, rank, None
        self.sealed_from = self.sealed_from or number

    def end(self, witnessed: int) -> None:
        """Check that the chain ends where it must."""
        if self.ring and self.unsealed:
            first, last = self.sealed + 1, self.number
            which = f"entries {first} to {last}" if first < last else f"entry {first}"
            reason = f"No seal covers {which}: the end is missing, or they were written without the key."
            raise _Broken(reason, self.unsealed)
        if witnessed > self.number:
            reason = f"The record was cut: entry {witnessed} was anchored, but the record ends at {self.number}."
            raise _Broken(reason, f"number {self.number + 1}")


def check(
    entries: Iterable[Mapping[str, Any]],
    ring: Keyring | None = None,
    anchors: Anchors | None = None,
    *,
    may_end_early: bool = False,
) -> Proof:
    """Walk the chain; any change, gap or swap shows at its place. Without the keys only the hashes are checked.

    An export that was made earlier than the last anchor ends before it: `may_end_early` remarks that, and no more.
    """
    walk = _Walk(ring, anchors or {})
    witnessed = max(walk.anchors, default=0)
    try:
        for entry in entries:
            walk.take(entry)
        walk.end(0 if may_end_early else witnessed)
    except _Broken as broken:
        return Proof(False, walk.number, broken.where, broken.reason, walk.sealed_from, walk.anchored)
    later = witnessed if witnessed > walk.number else None
    return Proof(True, walk.number, None, None, walk.sealed_from, walk.anchored, later)
