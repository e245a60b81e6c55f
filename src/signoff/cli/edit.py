"""Changing arguments in the person's own editor."""

import difflib
import json
import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from signoff.cli.client import Failure
from signoff.cli.screen import plain, visible
from signoff.kit.jsons import JsonObject

SIGNS = {"added": ("green", "+"), "removed": ("red", "-"), "changed": ("yellow", "~")}
# Lines of a diff that only frame it.
FRAME = ("---", "+++", "@@ ")


def edit(text: str) -> str:
    """Let the person change a text; what they saved comes back."""
    descriptor, name = tempfile.mkstemp(prefix="signoff-", suffix=".json")
    file = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
            opened.write(text)
        try:
            done = subprocess.run([*_editor(), name], check=False)  # noqa: S603 (the person's own editor)
        except OSError as error:
            raise Failure(f"The editor did not start: {error}.") from None
        if done.returncode:
            raise Failure(f"The editor ended with an error ({done.returncode}); nothing was changed.")
        return file.read_text(encoding="utf-8")
    finally:
        file.unlink(missing_ok=True)


def _editor() -> list[str]:
    given = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if given:
        return shlex.split(given)
    for name in ("nano", "vi"):
        if found := shutil.which(name):
            return [found]
    raise Failure("There is no editor. Set EDITOR to the one that you like.")


def as_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def diff_lines(changes: list[JsonObject]) -> list[str]:
    """What was changed, as lines of markup."""
    lines = list[str]()
    for change in changes:
        tone, sign = SIGNS[change["change"]]
        lines.append(f"[{tone}]{sign} {plain(change['path'])}[/]")
        before = [] if change["change"] == "added" else _lines(change["original"])
        after = [] if change["change"] == "removed" else _lines(change["modified"])
        lines += [
            _coloured(line) for line in difflib.unified_diff(before, after, n=1, lineterm="") if line[:3] not in FRAME
        ]
    return lines


def _coloured(line: str) -> str:
    tone = {"+": "green", "-": "red"}.get(line[0], "dim")
    return f"    [{tone}]{line[0]} {plain(visible(line[1:]))}[/]"


def _lines(value: Any) -> list[str]:
    return (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)).split("\n")


def skeleton(schema: JsonObject | None) -> JsonObject:
    """An object to fill in, with the fields that a form asks for."""
    fields: JsonObject = (schema or {}).get("properties", {})
    empty: JsonObject = {"string": "", "number": 0, "integer": 0, "boolean": False, "array": [], "object": {}}
    return {name: field.get("default", empty.get(field.get("type"))) for name, field in fields.items()}
