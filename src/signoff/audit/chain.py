"""The chain itself, as pure functions."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from signoff.kit.jsons import digest

GENESIS = "0" * 64
COVERED = ("workspace_id", "number", "id", "at", "actor", "action", "subject", "run_id", "data", "previous")


def hash_of(entry: dict[str, Any]) -> str:
    """The fingerprint of an entry and, through `previous`, of everything before it."""
    return digest({name: entry[name].isoformat() if name == "at" else entry[name] for name in COVERED})


@dataclass(frozen=True)
class Proof:
    """What a check of the chain found."""

    ok: bool
    entries: int
    first_broken: str | None = None


def check(entries: Iterable[dict[str, Any]]) -> Proof:
    """Walk the chain; any change, gap or swap shows at its place."""
    previous, number = GENESIS, 0
    for entry in entries:
        number += 1
        if entry["number"] != number or entry["previous"] != previous or entry["hash"] != hash_of(entry):
            return Proof(ok=False, entries=number - 1, first_broken=entry["id"])
        previous = entry["hash"]
    return Proof(ok=True, entries=number)
