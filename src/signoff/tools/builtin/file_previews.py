"""What a call would do to files, by reading alone."""

import difflib
from dataclasses import dataclass
from pathlib import Path

from signoff.files.quota import shown_size
from signoff.kit.jsons import JsonObject, clean_text
from signoff.tools.builtin.kept_files import fingerprint, fingerprint_of
from signoff.tools.effects import Preview

# Longer texts are compared by their size and fingerprint alone.
MOST_BYTES, MOST_LINES, MOST_SHOWN = 256 * 1024, 4_000, 24_000
CONTEXT_LINES = 3


@dataclass(frozen=True)
class Version:
    """A file as it is or will be; text only where it can be compared."""

    size: int
    fingerprint: str
    text: str | None
    binary: bool = False

    def to_json(self) -> JsonObject:
        return {"size": self.size, "sha256": self.fingerprint, "binary": self.binary}


def version_at(place: Path) -> Version | None:
    """What is there; None: nothing."""
    mark = fingerprint(place)
    if mark is None:
        return None
    size = place.stat().st_size
    if size > MOST_BYTES:
        with place.open("rb") as file:
            return Version(size, mark, None, b"\x00" in file.read(8_192))
    return version_of(place.read_bytes())


def version_of(content: bytes) -> Version:
    try:
        text = None if b"\x00" in content else content.decode()
    except UnicodeDecodeError:
        text = None
    shown = text if text is not None and len(content) <= MOST_BYTES else None
    return Version(len(content), fingerprint_of(content), shown, text is None)


def change_of(path: str, before: Version | None, after: Version | None) -> Preview:
    """One file that is made, changed or gone."""
    diff, added, removed = _diff(path, before, after)
    detail: JsonObject = {
        "path": clean_text(path),
        "before": before.to_json() if before else None,
        "after": after.to_json() if after else None,
        "diff": diff,
    }
    if diff is None:
        detail["no_diff"] = _why_no_diff(before, after)
    lines = f"{_count(added, 'line')} added, {removed} removed" if diff is not None else ""
    return Preview("diff", _summary(clean_text(path), before, after, lines), detail)


def unknown_content(path: str, place: Path, **about: str) -> Preview:
    """One file that is made by the call: what will be in it is known only then."""
    before, shown = version_at(place), clean_text(path)
    fields = {"File": shown, "There now": shown_size(before.size) if before else "nothing", **about}
    summary = f"Overwrites {shown} ({shown_size(before.size)})" if before else f"Creates {shown}"
    detail: JsonObject = {
        "fields": [{"label": label, "value": value} for label, value in fields.items()],
        "before": before.to_json() if before else None,
    }
    return Preview("fields", summary, detail)


def _summary(path: str, before: Version | None, after: Version | None, lines: str) -> str:
    if after is None:
        return f"Deletes {path} ({shown_size(before.size)})" if before else f"Deletes {path}"
    if before is None:
        return f"Creates {path} ({shown_size(after.size)})"
    if before.fingerprint == after.fingerprint:
        return f"Leaves {path} as it is: the content is the same"
    sizes = f"{shown_size(before.size)} → {shown_size(after.size)}"
    return f"Changes {path}: {lines} ({sizes})" if lines else f"Overwrites {path} ({sizes})"


def _diff(path: str, before: Version | None, after: Version | None) -> tuple[str | None, int, int]:
    """The unified diff with how many lines it adds and removes; None: it cannot be shown in full."""
    old, new = ("" if each is None else each.text for each in (before, after))
    if old is None or new is None:
        return None, 0, 0
    lines, others = old.splitlines(), new.splitlines()
    if len(lines) + len(others) > MOST_LINES:
        return None, 0, 0
    named = ("/dev/null" if before is None else path, "/dev/null" if after is None else path)
    found = list(difflib.unified_diff(lines, others, *named, lineterm="", n=CONTEXT_LINES))
    text = clean_text("\n".join(found))
    if len(text) > MOST_SHOWN:
        return None, 0, 0
    body = found[2:]
    return text, sum(each.startswith("+") for each in body), sum(each.startswith("-") for each in body)


def _why_no_diff(before: Version | None, after: Version | None) -> str:
    binary = any(each is not None and each.binary for each in (before, after))
    return "It is not text." if binary else "The change is too long to show line by line."


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
