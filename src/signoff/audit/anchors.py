"""Anchors: where the record stood at what time, kept where who rewrites the database does not reach."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import cast

from signoff.audit.chain import Anchors
from signoff.audit.seals import Keyring, Sealer, anchor_text
from signoff.kit import private_files
from signoff.kit.jsons import Json, JsonObject, dumps

MOST_LINE_BYTES = 4_000


def anchor(sealer: Sealer, workspace_id: str, number: int, fingerprint: str, at: str) -> JsonObject:
    """One anchor: sealed by itself, so that it proves something wherever it is kept."""
    seal = sealer.seal(anchor_text(sealer.key_id, workspace_id, number, fingerprint, at))
    head = {"workspace": workspace_id, "number": number, "hash": fingerprint, "at": at}
    return head | {"key_id": sealer.key_id, "key": sealer.public, "seal": seal}


def append(path: Path, anchors: Iterable[JsonObject]) -> None:
    """Add to the file. Each line is one write, so that processes may share it."""
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, private_files.FILE)
    try:
        for each in anchors:
            # Behind a line that a crash tore off this one would be lost as well; empty lines are passed over.
            os.write(handle, b"\n" + dumps(each).encode() + b"\n")
        os.fsync(handle)
    finally:
        os.close(handle)


def read(path: Path, workspace_id: str, ring: Keyring | None) -> Anchors:
    """What was witnessed of a workspace. Lines that are torn, or that no key of ours has sealed, prove nothing."""
    found = dict[int, frozenset[str]]()
    for line in _lines(path):
        if line["workspace"] == workspace_id and (ring is None or _sealed(line, ring)):
            _add(found, line)
    return found


def read_against(path: Path, workspace_id: str, ring: Keyring, hashes: Mapping[int, str]) -> Anchors:
    """Of what was witnessed, all that differs from the record, and the last that agrees with it.

    Whether the record holds follows from these alone, and to check a seal takes far longer than to compare a hash.
    """
    found, last = dict[int, frozenset[str]](), None
    for line in _lines(path):
        if line["workspace"] != workspace_id:
            continue
        if hashes.get(line["number"]) == line["hash"]:
            last = line if last is None or line["number"] > last["number"] else last
        elif _sealed(line, ring):
            _add(found, line)
    if last is None:
        return found
    if not _sealed(last, ring):
        # Somebody wrote lines of their own: then each one is looked at.
        return read(path, workspace_id, ring)
    _add(found, last)
    return found


def _add(found: dict[int, frozenset[str]], line: JsonObject) -> None:
    found[line["number"]] = found.get(line["number"], frozenset()) | {line["hash"]}


def made_at(path: Path, workspace_id: str, number: int, ring: Keyring | None) -> str | None:
    """When an entry was witnessed first."""
    found = (
        str(line["at"])
        for line in _lines(path)
        if (line["workspace"], line["number"]) == (workspace_id, number) and (ring is None or _sealed(line, ring))
    )
    return next(found, None)


def _lines(path: Path) -> Iterator[JsonObject]:
    with path.open("rb") as file:
        while text := file.readline(MOST_LINE_BYTES):
            try:
                line: JsonObject = json.loads(text)
            except (ValueError, RecursionError):
                continue
            if _is_anchor(line):
                yield line


def _is_anchor(line: Json) -> bool:
    return isinstance(line, dict) and cast("JsonObject", line).keys() >= _NAMES and isinstance(line["number"], int)


_NAMES = {"number", "workspace", "hash", "at", "key_id", "seal"}


def _sealed(line: JsonObject, ring: Keyring) -> bool:
    key_id = str(line["key_id"])
    text = anchor_text(key_id, str(line["workspace"]), line["number"], str(line["hash"]), str(line["at"]))
    return ring.fits(key_id, text, str(line["seal"]))
