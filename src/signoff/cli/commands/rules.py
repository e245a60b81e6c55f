"""The rules: check and save them, see what they would change, and stop every automatic approval at once."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from signoff.cli.api_client import Api, Failure, Refused, path
from signoff.cli.commands.rule_drafts import diff_text, show_replay, show_suggestions
from signoff.cli.commands.rule_open_asks import apply_rules, result_words, show_passing
from signoff.cli.commands.server_command import AsJson, Limit, server_command
from signoff.cli.commands.since import Since, moment
from signoff.cli.terminal import screen
from signoff.cli.terminal.rule_text import highlighted, pointed
from signoff.cli.terminal.screen import hint, local_time, plain, say, table
from signoff.cli.terminal.text_file import name_of, read_text
from signoff.cli.terminal.typed_values import many
from signoff.kit.jsons import JsonObject

rules = typer.Typer(help="Check, try out, save and stop the rules.", no_args_is_help=True)
File = Annotated[Path, typer.Argument(metavar="FILE", help="A rules file (YAML); - for stdin.")]


@rules.command("check")
@server_command
def check_rules(
    api: Api,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Rules files (YAML); - for stdin.")],
) -> None:
    """Find mistakes in rules files, with line and column. Exits with 1 if there are any.

    Needs no server. With one, it also warns about rules that nobody could sign.

    Example: signoff rules check rules.yaml
    """
    from signoff.policy.yaml.read import BadRules, read_rules

    wrong = 0
    for file in files:
        text = read_text(file)
        try:
            count = sum(1 for _ in read_rules(text).rules())
        except BadRules as bad:
            wrong += len(bad.problems)
            for each in bad.problems:
                pointed(name_of(file), text, each.line, each.column, each.message)
        else:
            say(f"[green]✓[/] {plain(name_of(file))} is valid: {count} rule{'' if count == 1 else 's'}.")
            _show_warnings(name_of(file), text, _warnings(api, text))
    if wrong:
        raise Failure(f"{wrong} problem{'' if wrong == 1 else 's'} found.")


@rules.command("show")
@server_command
def show_rules(
    api: Api,
    version: Annotated[int | None, typer.Option("--version", min=1, help="An older version.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show the current rules, or an older version. Only the YAML goes to stdout.

    Example: signoff rules show > rules.yaml
    """
    found: JsonObject = api.get(path("rules", "versions", str(version)) if version else path("rules"))
    if as_json:
        return screen.show_json(found)
    _headline(found)
    if not found["yaml"].strip():
        return say("No rules yet. Save some: signoff rules save rules.yaml", to_stderr=True)
    if not screen.out().is_terminal:
        sys.stdout.write(found["yaml"])
        return None
    return screen.out().print(highlighted(found["yaml"]), soft_wrap=True)


@rules.command("save")
@server_command
def save_rules(
    api: Api,
    file: File,
    note: Annotated[str | None, typer.Option(help="A note, shown in the list of versions.")] = None,
    based_on: Annotated[
        int | None, typer.Option("--based-on", min=0, help="The version you edited. Refused if there is a newer one.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Save rules. They take effect at once; earlier versions are kept. A file with a mistake is refused.

    Example: signoff rules save rules.yaml --note "Refunds over 100 need two"
    """
    text = _fitting(api, file)
    before: JsonObject = api.get(path("rules"))
    saved = _put(api, text, before["version"] if based_on is None else based_on, note)
    if as_json:
        return screen.show_json(saved)
    if saved["version"] == before["version"]:
        return say(f"Nothing changed. Still version {saved['version']}.")
    screen.say_lines(diff_text(before["yaml"], text))
    say(f"[green]✓[/] Saved as version {saved['version']}. It is in effect now.")
    return _show_warnings(name_of(file), text, many(saved, "warnings"))


@rules.command("simulate")
@server_command
def simulate_rules(api: Api, file: File, since: Since = None, limit: Limit = 20, as_json: AsJson = False) -> None:
    """Try a draft on past decisions: how many asks it saves, and which denied calls it would allow.

    Example: signoff rules simulate rules.yaml --since 30d
    """
    start = moment(since)
    replay: JsonObject = api.post(
        path("rules", "simulate"), {"yaml": _fitting(api, file)} | ({"since": start.isoformat()} if start else {})
    )
    if as_json:
        return screen.show_json(replay)
    return show_replay(replay, start, limit)


@rules.command("stop")
@server_command
def stop_rules(
    api: Api,
    off: Annotated[bool, typer.Option("--off", help="Let rules approve automatically again.")] = False,
) -> None:
    """Stop auto-approvals: no rule or allowance approves anything. To pause all runs: signoff pause-all.

    Example: signoff rules stop, and later signoff rules stop --off
    """
    found: JsonObject = api.post(path("rules", "emergency-stop"), {"enabled": not off})
    if off:
        return say("[green]✓[/] Auto-approvals are [bold]on[/] again.")
    say(f"[bold white on red] {_stopped(found)} [/]")
    return hint("To turn them on again:", "signoff rules stop --off")


@rules.command("suggestions")
@server_command
def list_suggestions(
    api: Api,
    accept: Annotated[str | None, typer.Option("--accept", metavar="ID", help="Add this rule and save.")] = None,
    dismiss: Annotated[str | None, typer.Option("--dismiss", metavar="ID", help="Never suggest this again.")] = None,
    as_json: AsJson = False,
) -> None:
    """List rules that people proposed or that past decisions suggest, and accept or dismiss them.

    Example: signoff rules suggestions --accept support-reply:send_message
    """
    # The version before the suggestions: what is saved in between is then a conflict, not lost.
    before: JsonObject = api.get(path("rules"))
    found: list[JsonObject] = api.get(path("rules", "suggestions"))["items"]
    if dismiss:
        chosen = _suggestion(found, dismiss)
        api.post(path("rules", "suggestions", "dismiss"), {"agent": chosen["agent"], "tool": chosen["tool"]})
        return say(f"Dismissed: {plain(chosen['name'])}.")
    if accept:
        chosen = _suggestion(found, accept)
        saved = _put(api, chosen["yaml"], before["version"], chosen["text"])
        return say(f"[green]✓[/] Saved as version {saved['version']}, with “{plain(chosen['name'])}”.")
    return screen.show_json(found) if as_json else show_suggestions(found)


@rules.command("open-asks")
@server_command
def list_passing(
    api: Api,
    apply: Annotated[bool, typer.Option("--apply", help="Let them through; each is checked once more.")] = False,
    as_json: AsJson = False,
) -> None:
    """Open asks that the current rules would let through.

    Example: signoff rules open-asks, then signoff rules open-asks --apply
    """
    found: list[JsonObject] = api.get(path("rules", "open-asks"))["items"]
    if apply and found:
        results = apply_rules(api, found)
        return screen.show_json(results) if as_json else say(result_words(results))
    return screen.show_json(found) if as_json else show_passing(found)


@rules.command("versions")
@server_command
def list_versions(api: Api, limit: Limit = 20, as_json: AsJson = False) -> None:
    """List all versions, newest first.

    Example: signoff rules versions, then signoff rules show --version 3
    """
    found = api.items(path("rules", "versions"), limit)
    if as_json:
        return screen.show_json(found)
    if not found:
        return say("No rules yet. Save some: signoff rules save rules.yaml")
    rows = [
        [
            "",
            str(each["version"]),
            plain(each["note"] or "-"),
            plain(each["created_by"]),
            local_time(each["created_at"]),
        ]
        for each in found
    ]
    return table(["", "VERSION", "NOTE", "BY", "SAVED"], rows)


def _headline(found: JsonObject) -> None:
    """The version and what is out of the ordinary, beside the YAML."""
    by, at = found.get("updated_by") or found.get("created_by"), found.get("updated_at") or found.get("created_at")
    saved = f", saved by {by} on {local_time(at)}" if found["version"] and by else ""
    read = f", read from {found['file']}" if found.get("file") else ""
    note = f": {found['note']}" if found.get("note") else ""
    say(f"[dim]# version {found['version']}{plain(saved + read + note)}[/]", to_stderr=True)
    if found.get("stopped"):
        say(f"[bold white on red] {_stopped(found)} [/]", to_stderr=True)
    for each in many(found, "file_problems"):
        place = f"{found['file']}:{each['line']}:{each['column']}"
        say(f"[red]{plain(place)}: {plain(each['message'])}[/]", to_stderr=True)
    if found.get("file_problems"):
        say("[red]The file has mistakes, so it is not used. This is the last valid version:[/]", to_stderr=True)


def _stopped(found: JsonObject) -> str:
    since = f" since {local_time(found['stopped_at'])}" if found.get("stopped_at") else ""
    by = f", by {plain(found['stopped_by'])}" if found.get("stopped_by") else ""
    return f"AUTO-APPROVALS ARE STOPPED{since}{by}: nothing is approved automatically."


def _fitting(api: Api, file: Path) -> str:
    """The text of a file that the server understands; else every mistake is shown and the command ends."""
    text = read_text(file)
    wrong: list[JsonObject] = api.post(path("rules", "check"), {"yaml": text})["errors"]
    for each in wrong:
        pointed(name_of(file), text, each["line"], each["column"], each["message"])
    if wrong:
        raise Failure(f"{name_of(file)} was not used: {len(wrong)} problem{'' if len(wrong) == 1 else 's'}.")
    return text


def _warnings(api: Api, text: str) -> list[JsonObject]:
    """What could not work: by the people of a server, or by the text alone where none answers."""
    from signoff.policy.warnings.find import find_warnings

    try:
        return many(api.post(path("rules", "check"), {"yaml": text}), "warnings")
    except Failure:
        return [{"line": each.line, "column": each.column, "message": each.message} for each in find_warnings(text)]


def _show_warnings(name: str, text: str, found: list[JsonObject]) -> None:
    for each in found:
        pointed(name, text, each["line"], each["column"], f"warning: {each['message']}", "yellow")


def _put(api: Api, text: str, version: int, note: str | None) -> JsonObject:
    """Save over a version; if there is a newer one, say whose it is and what to do."""
    try:
        return api.put(path("rules"), {"yaml": text, "version": version} | ({"note": note} if note else {}))
    except Refused as refused:
        if refused.code != "rules_moved":
            raise
        newer, by = refused.state["version"], refused.state.get("updated_by")
        message = f"{by} saved version {newer} in the meantime; yours is based on version {version}. Nothing was saved."
        raise Failure(message, ["Add your change to the new version: signoff rules show > theirs.yaml"]) from None


def _suggestion(found: list[JsonObject], wanted: str) -> JsonObject:
    for each in found:
        if each["id"] == wanted:
            return each
    raise Failure(f"There is no suggestion {wanted!r}. `signoff rules suggestions` lists them.")
