"""An export, checked where neither the server nor its database is needed."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from itertools import chain as join
from pathlib import Path
from typing import Any, cast

from signoff.audit import anchors
from signoff.audit.chain import COVERED, Proof, check
from signoff.audit.seals import Keyring
from signoff.kit import jsons
from signoff.kit.jsons import Json, JsonObject

NAMES = {*COVERED, "hash"}


class BadExport(ValueError):
    """A line that is no entry."""


def entries(lines: Iterable[str]) -> Iterator[JsonObject]:
    """The entries of an export, as they are in the database."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _entry(number, line)


def prove(lines: Iterable[str], ring: Keyring | None, anchor_file: Path | None, *, may_end_early: bool = True) -> Proof:
    """Check an export. Without keys only the hashes are checked. One that was kept ends before the newer anchors."""
    found = entries(lines)
    first = next(found, None)
    if first is None:
        raise BadExport("There are no entries.")
    witnessed = anchors.read(anchor_file, first["workspace_id"], ring) if anchor_file else None
    proof = check(join([first], found), ring, witnessed, may_end_early=may_end_early)
    if not anchor_file or proof.anchored_later is None:
        return proof
    at = anchors.made_at(anchor_file, first["workspace_id"], proof.anchored_later, ring)
    return replace(proof, anchored_later_at=at)


def _entry(number: int, line: str) -> JsonObject:
    try:
        entry: Json = jsons.loads(line)
        if not isinstance(entry, dict) or not cast("JsonObject", entry).keys() >= NAMES:
            raise BadExport(f"Line {number} is not an audit entry.")
        known = cast("dict[str, Any]", entry)
        return known | {"at": datetime.fromisoformat(known["at"])}
    except (jsons.BadJson, TypeError, ValueError) as error:
        raise BadExport(f"Line {number} is not an audit entry: {error}") from None
