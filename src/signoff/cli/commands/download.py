"""Saving what a run has handed over. Names come from the agent, so they choose no place but the given folder."""

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from signoff.cli.api_client import Api, Failure, path
from signoff.cli.terminal.screen import plain, say, size
from signoff.kit.jsons import JsonObject

if TYPE_CHECKING:
    import httpx


def download(api: Api, deliverables: list[JsonObject], folder: Path, *, force: bool) -> None:
    """Save each one; a file that is there already stays, unless `force`."""
    taken, left = set[str](), list[str]()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for each in deliverables:
            if each["storage"] == "external":
                say(f"{plain(each['name'])} is at {plain(each['external_url'])}")
                continue
            with api.stream(path("deliverables", each["id"], "content")) as answer:
                target = folder / safe_name(_file_name(answer) or each["name"], taken)
                if not force and (target.exists() or target.is_symlink()):
                    left.append(target.name)
                    continue
                _save(answer, target)
            say(f"[green]✓[/] {plain(target)} [dim]{size(target.stat().st_size)}[/]")
    except OSError as error:
        raise Failure(f"Cannot save: {error}.") from None
    if left:
        raise Failure("These files exist and were not changed. To overwrite them, add --force:", left)


def safe_name(name: str, taken: set[str]) -> str:
    """A file name that is new, visible and stays in its folder."""
    base = re.sub(r"[^\w .,()+@-]", "_", re.split(r"[/\\]", name)[-1]).strip(" .")[:150] or "deliverable"
    stem, dot, ending = base.rpartition(".")
    number, free = 1, base
    while free.lower() in taken:
        number += 1
        free = f"{stem}-{number}.{ending}" if dot and stem else f"{base}-{number}"
    taken.add(free.lower())
    return free


def _file_name(answer: "httpx.Response") -> str:
    """The name with the extension that the server gives it."""
    found = re.search(r"filename\*=UTF-8''([^;]+)", answer.headers.get("content-disposition", ""))
    return unquote(found[1]) if found else ""


def _save(answer: "httpx.Response", target: Path) -> None:
    """Whole or not at all."""
    part = target.with_name(target.name + ".part")
    try:
        with part.open("wb") as file:
            for chunk in answer.iter_bytes():
                file.write(chunk)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
