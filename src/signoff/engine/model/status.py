"""What is so at this moment: the run's files, whether there is a knowledge base, and what its limits leave. Pure, but
for the look into the folder. It stands at the very end of a request, so that all before it stays as it was."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from signoff.catalog.schemas import Limits
from signoff.engine.model.history import NOTE
from signoff.kit import jsons
from signoff.runs.limits import Usage, shares
from signoff.tools.registry import Tool

MOST_FILES = 20
MOST_LOOKED_AT = 1_000
LONGEST_NAME = 100
KNOWLEDGE = "search_knowledge"
UNITS = {"max_iterations": "turns", "max_cost_credits": "credits", "max_duration_hours": "hours"}


@dataclass(frozen=True)
class Files:
    """The first of a folder's files, with their sizes in bytes; `more` where it has others."""

    found: tuple[tuple[str, int], ...] = ()
    more: bool = False


def listed(folder: Path) -> Files:
    """What is in a folder, as far as it is told."""
    found = list[tuple[str, int]]()
    for count, each in enumerate(_walk(folder)):
        if count == MOST_LOOKED_AT:
            break
        found.append(each)
    found.sort()
    return Files(tuple(found[:MOST_FILES]), len(found) > MOST_FILES)


def _walk(folder: Path) -> Iterator[tuple[str, int]]:
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(place, name)
            try:
                if not os.path.islink(path):
                    yield os.path.relpath(path, folder), os.path.getsize(path)
            except OSError:
                # It went while we looked.
                continue


def status(files: Files, tools: Sequence[Tool], limits: Limits, usage: Usage) -> str:
    """The note that ends a request."""
    lines = [f"{NOTE} As of now. {_limits_left(limits, usage)}"]
    if files.found:
        # Names are anybody's words: quoted, they stay on their line.
        names = [f"{jsons.dumps(name[:LONGEST_NAME])} ({size:,} bytes)" for name, size in files.found]
        lines.append(f"Files in your folder: {', '.join(names)}{', and more' if files.more else ''}.")
    if any(tool.name == KNOWLEDGE for tool in tools):
        lines.append(f"There is a knowledge base: {KNOWLEDGE} searches it.")
    return "\n".join(lines)


def _limits_left(limits: Limits, usage: Usage) -> str:
    left = [f"{_left(share.most - share.used)} {UNITS[share.limit]}" for share in shares(limits, usage)]
    return f"Left: {', '.join(left)}."


def _left(amount: float) -> str:
    return f"{max(round(amount, 1), 0):g}"
