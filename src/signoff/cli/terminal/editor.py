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

from signoff.cli.api_client import Failure
from signoff.cli.terminal.screen import plain, visible
from signoff.cli.terminal.typed_values import json_object
from signoff.kit.jsons import JsonObject

SIGNS = {"added": ("green", "+"), "removed": ("red", "-"), "changed": ("yellow", "~")}


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
            raise Failure(f"The editor failed ({done.returncode}); nothing was changed.")
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
    raise Failure("No editor found. Set EDITOR to the one you use.")


def edited_object(value: Any, what: str) -> JsonObject:
    """Let the person change an object, as JSON."""
    return json_object(edit(json.dumps(value, ensure_ascii=False, indent=2) + "\n"), what)


def diff_lines(changes: list[JsonObject]) -> list[str]:
    """What was changed, as lines of markup."""
    lines = list[str]()
    for change in changes:
        tone, sign = SIGNS[change["change"]]
        lines.append(f"[{tone}]{sign} {plain(change['path'])}[/]")
        before = [] if change["change"] == "added" else _lines(change["original"])
        after = [] if change["change"] == "removed" else _lines(change["modified"])
        lines += _changed(before, after)
    return lines


def field_diff(before: JsonObject, after: JsonObject) -> list[str]:
    """What lies between two objects, field by field, as lines of markup."""
    changes = list[JsonObject]()
    for name in before | after:
        word = "added" if name not in before else "removed" if name not in after else "changed"
        if word != "changed" or before[name] != after[name]:
            changes.append({"path": name, "original": before.get(name), "modified": after.get(name), "change": word})
    return diff_lines(changes)


def _changed(before: list[str], after: list[str]) -> list[str]:
    # The first two lines only name what is compared.
    changes = list(difflib.unified_diff(before, after, n=1, lineterm=""))[2:]
    return [_coloured(line) for line in changes if not line.startswith("@@")]


def _coloured(line: str) -> str:
    tone = {"+": "green", "-": "red"}.get(line[:1], "dim")
    return f"    [{tone}]{line[:1]} {plain(visible(line[1:]))}[/]"


def _lines(value: Any) -> list[str]:
    return (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)).split("\n")
