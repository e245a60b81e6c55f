"""An export, checked where neither the server nor its database is needed."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain as join
from pathlib import Path
from typing import Any, cast

from signoff.audit import anchors
from signoff.audit.chain import COVERED, Proof, check
from signoff.audit.sealing import Keyring
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


def prove(lines: Iterable[str], ring: Keyring | None, anchor_file: Path | None) -> Proof:
    """Check an export. Without keys only the hashes are checked."""
    found = entries(lines)
    first = next(found, None)
    if first is None:
        raise BadExport("There are no entries.")
    witnessed = anchors.read(anchor_file, first["workspace_id"], ring) if anchor_file else None
    return check(join([first], found), ring, witnessed)


def _entry(number: int, line: str) -> JsonObject:
    try:
        entry: Json = jsons.loads(line)
        if not isinstance(entry, dict) or not cast("JsonObject", entry).keys() >= NAMES:
            raise BadExport(f"Line {number} is no entry of an audit record.")
        known = cast("dict[str, Any]", entry)
        return known | {"at": datetime.fromisoformat(known["at"])}
    except (jsons.BadJson, TypeError, ValueError) as error:
        raise BadExport(f"Line {number} is no entry of an audit record: {error}") from None
