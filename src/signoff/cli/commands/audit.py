"""The record of who did what."""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from signoff.cli.api_client import Api, Failure, path
from signoff.cli.commands import serve
from signoff.cli.commands.server_command import AsJson, Limit, server_command
from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import local_time, plain, say, table
from signoff.kit.jsons import JsonObject

audit = typer.Typer(help="Read and verify the record of who did what.", no_args_is_help=True)
audit.command("adopt")(serve.adopt)


@audit.command("verify")
@server_command
def verify(
    api: Api,
    file: Annotated[Path | None, typer.Argument(help="An exported file. Without it: the server's record.")] = None,
    key: Annotated[
        str | None, typer.Option("--key", help="The public key (signoff audit key), or a file that contains it.")
    ] = None,
    anchor: Annotated[
        Path | None, typer.Option("--anchor", help="A file of anchors to compare with.", exists=True, dir_okay=False)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check that nothing in the record was changed, removed or added. Exits with 1 if something was.

    With a file, a key or anchors the check runs here, so you need not trust the server or its database.
    """
    here = file is not None or key is not None or anchor is not None
    proof: JsonObject = _check_here(api, file, key, anchor) if here else api.get(path("audit", "verify"))
    if as_json:
        screen.show_json(proof)
    elif proof["ok"]:
        say(f"[green]✓[/] The record is intact: {proof['entries']} entries, none changed.")
        for line in _means(proof):
            say(f"  [dim]{plain(line)}[/]")
    else:
        reason = proof.get("reason") or "The record was changed."
        before = () if proof["entries"] == 0 else ("The entries before it are intact.",)
        screen.complain(f"{reason} First broken entry: {proof.get('first_broken')}.", (*before, *_WHAT_NOW))
    if not proof["ok"]:
        raise typer.Exit(1)


_WHAT_NOW = (
    "Keep the database as it is, and compare with a backup or an export.",
    "If you restored a backup, newer anchors no longer match: move the anchor file away once you are sure that is why.",
)


def _means(proof: JsonObject) -> list[str]:
    """What was proved, and what was not."""
    if "sealed_from" not in proof:
        return []
    sealed = (
        f"Every entry is sealed by the key {proof.get('key')}."
        if proof.get("sealed_from")
        else "Seals were not checked; add --key. Without it, a rewrite with new hashes goes unnoticed."
    )
    return [sealed, _compared(proof)]


def _compared(proof: JsonObject) -> str:
    """What the anchors say."""
    end, later = proof["entries"], proof.get("anchored_later")
    if later:
        at = proof.get("anchored_later_at")
        made = f" (made at {local_time(at)})" if at else ""
        return (
            f"The export ends at entry {end}; the anchors go on to {later}{made}. Up to {end} everything matches. "
            "If the export is newer than that, entries are missing."
        )
    if proof.get("anchored"):
        return f"It matches its anchors, the last one at entry {proof['anchored']}."
    if proof.get("anchors_read", True):
        return "Not compared with any anchor: entries removed at the end would go unnoticed."
    return "Anchors were not checked; add --anchor. Without it, entries removed at the end go unnoticed."


def _check_here(api: Api, file: Path | None, key: str | None, anchor: Path | None) -> JsonObject:
    from signoff.audit.seals import BadKey, Keyring
    from signoff.audit.verify_export import BadExport, prove

    try:
        ring = Keyring(_public_keys(key)) if key else None
        if file is not None:
            with file.open(encoding="utf-8", newline="\n") as lines:
                proof = prove(lines, ring, anchor)
        else:
            with api.stream(path("audit", "export")) as answer:
                proof = prove(_lines(answer.iter_bytes()), ring, anchor, may_end_early=False)
    except (BadExport, BadKey) as error:
        raise Failure(str(error)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise Failure(f"Cannot read the record: {error}.") from None
    return asdict(proof) | {"key": ring.newest if ring else None, "anchors_read": anchor is not None}


def _public_keys(given: str) -> list[str]:
    """Keys, oldest first, as `a,b`; or a file with one a line."""
    text = Path(given).read_text() if Path(given).is_file() else given
    return [each for each in re.split(r"[,\s]+", text) if each]


@audit.command("export")
@server_command
def export(
    api: Api, file: Annotated[Path | None, typer.Argument(help="Where to save it; default: stdout.")] = None
) -> None:
    """Export every entry: one JSON object per line, oldest first."""
    try:
        with api.stream(path("audit", "export")) as answer, _target(file) as target:
            for piece in answer.iter_bytes():
                target.write(piece)
    except OSError as error:
        raise Failure(f"Cannot save: {error}.") from None
    if file:
        say(f"[green]✓[/] {plain(file)}")


def _target(file: Path | None) -> AbstractContextManager[BinaryIO]:
    return nullcontext(sys.stdout.buffer) if file is None else file.open("wb")


def _lines(pieces: Iterable[bytes]) -> Iterator[str]:
    """Lines end with a line feed alone: texts may have other signs in them that also count as ends of lines."""
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        yield from (line.decode() for line in whole)
    yield rest.decode()


@audit.command("key")
@server_command
def show_key(api: Api, as_json: AsJson = False) -> None:
    """Print the public key that verifies the record's seals. Keep a copy away from the server."""
    found: JsonObject = api.get(path("audit", "key"))
    if as_json:
        return screen.show_json(found)
    sys.stdout.write(found["public"] + "\n")
    return None


@audit.command("list")
@server_command
def list_entries(
    api: Api,
    run_id: Annotated[str | None, typer.Option("--run", help="Only this run.")] = None,
    actor: Annotated[str | None, typer.Option(help="Only this person or agent; part of a name will do.")] = None,
    action: Annotated[
        str | None, typer.Option(help="Only this action, such as ask.answered; part of it will do.")
    ] = None,
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """List the latest entries."""
    found = api.items(path("audit"), limit, run=run_id, actor=actor, action=action)
    if as_json:
        return screen.show_json(found)
    if not found:
        return say("No matching entries. Leave out --run, --actor and --action to see all.")
    rows = [
        ["", plain(each.get("subject") or "-"), local_time(each["at"]), plain(each["action"]), plain(each["actor"])]
        for each in found
    ]
    return table(["", "SUBJECT", "WHEN", "ACTION", "ACTOR"], rows)
