"""Starting, watching and steering runs."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from signoff.cli.api_client import Api, Failure, Refused, path
from signoff.cli.commands.connections.grants import grant_of
from signoff.cli.commands.download import download
from signoff.cli.commands.follow import ENDED, follow, show_end, wait
from signoff.cli.commands.models import warn_if_keyless
from signoff.cli.commands.pause_all import warn_if_paused
from signoff.cli.commands.server_command import AsJson, Limit, server_command
from signoff.cli.terminal import screen
from signoff.cli.terminal.effect_text import preview_text, undo_steps_text
from signoff.cli.terminal.screen import (
    credits,
    hint,
    local_time,
    plain,
    say,
    say_lines,
    since,
    size,
    span,
    table,
    test_mark,
    toned,
)
from signoff.kit.jsons import JsonObject

runs = typer.Typer(help="List, watch and control runs.")
Detach = Annotated[bool, typer.Option("--detach", "-d", help="Start it and return at once.")]
RunId = Annotated[str, typer.Argument(metavar="ID", help="The run's id.")]


class AutonomyOption(StrEnum):
    full = "full"
    approve_high_risk = "approve_high_risk"
    approve_milestones = "approve_milestones"
    approve_all = "approve_all"


@server_command
def run(
    api: Api,
    task: Annotated[str, typer.Argument(help="What to do.")],
    agent: Annotated[str, typer.Option("--agent", "-a", help="The agent's slug.")],
    title: Annotated[str | None, typer.Option(help="A short name for the run.")] = None,
    context: Annotated[str | None, typer.Option(help="Background for the agent.")] = None,
    project: Annotated[str | None, typer.Option(help="Your own label, to find its runs by.")] = None,
    autonomy: Annotated[AutonomyOption | None, typer.Option(help="When this run asks for approval.")] = None,
    files: Annotated[
        list[Path] | None,
        typer.Option("--file", "-f", exists=True, dir_okay=False, help="Give the run this file; can be repeated."),
    ] = None,
    connection: Annotated[
        list[str] | None,
        typer.Option(
            help="Let it use this connection (SLUG or SLUG:TOOL,TOOL), not those its agent names; can be repeated."
        ),
    ] = None,
    without_missing_connections: Annotated[
        bool,
        typer.Option(
            "--without-missing-connections", help="Start although connections that the agent needs are missing."
        ),
    ] = False,
    max_cost: Annotated[float | None, typer.Option(min=0, help="Stop at this many credits; 0: no limit.")] = None,
    max_hours: Annotated[
        float | None, typer.Option(min=0, max=24, help="Stop after this many hours of work; 0: no limit.")
    ] = None,
    max_iterations: Annotated[int | None, typer.Option(min=1, help="Stop after this many model replies.")] = None,
    test: Annotated[bool, typer.Option("--test", help="Only try it out: nothing reaches the outside.")] = False,
    detach: Detach = False,
    as_json: AsJson = False,
) -> None:
    """Start a run, watch it, and answer its questions here."""
    limits = _given(max_cost_credits=max_cost, max_duration_hours=max_hours, max_iterations=max_iterations)
    said = {"title": title, "context": context, "project_id": project, "autonomy": autonomy}
    granted = [grant_of(each) for each in connection] if connection else None
    without = without_missing_connections or None
    said |= {"connections": granted, "without_missing_connections": without}
    body = _given(agent=agent, task=task, **said, limits=limits or None, test=test or None)
    warn_if_keyless(api, agent)
    if files:
        body["files"] = [each["id"] for each in api.upload(path("files"), files)]
    _go_on(api, _start(api, body), detach, as_json)


def _start(api: Api, body: JsonObject) -> JsonObject:
    try:
        return api.post(path("runs"), body)
    except Refused as refused:
        if refused.code != "connections_missing":
            raise
        what_to_do = "Set them up (signoff connections add), or start without: --without-missing-connections."
        raise Failure(refused.message, [*refused.details, what_to_do]) from None


@runs.callback(invoke_without_command=True)
@server_command
def list_runs(
    api: Api,
    status: Annotated[str | None, typer.Option(help="Only this status: running, waiting_approval, …")] = None,
    agent: Annotated[str | None, typer.Option(help="Only this agent's.")] = None,
    project: Annotated[str | None, typer.Option(help="Only this project's.")] = None,
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """List, watch and control runs. Without a command: list them."""
    found = api.items(path("runs"), limit, status=status, agent=agent, project_id=project)
    if as_json:
        return screen.show_json(found)
    warn_if_paused(api)
    if not found and (status or agent or project):
        return say("No matching runs. Leave out --status, --agent and --project to see all.")
    if not found:
        return say('No runs yet. Start one: signoff run "Compare three CRMs" --agent competitive-analysis')
    rows = [
        [each["id"], _titled(each), toned(each["status"]), _worker(each), since(each["created_at"])] for each in found
    ]
    return table(["ID", "TITLE", "STATUS", "AGENT", "AGE"], rows)


@runs.command("show")
@server_command
def show_run(api: Api, run_id: RunId, as_json: AsJson = False) -> None:
    """Show a run."""
    found: JsonObject = api.get(path("runs", run_id))
    if as_json:
        return screen.show_json(found)
    say(f"[bold]{_titled(found)}[/]")
    for label, value in _facts(found):
        say(f"[dim]{label:<10}[/] {value}")
    if found["status"] in ENDED:
        return show_end(found, api.items(path("runs", run_id, "deliverables"), 200))
    if found["open_asks"]:
        hint("It is waiting for an answer:", "signoff inbox")
    return hint("To watch it:", f"signoff runs follow {found['id']}")


@runs.command("follow")
@server_command
def follow_run(api: Api, run_id: RunId) -> None:
    """Watch a run until it ends, and answer its questions."""
    follow(api, api.get(path("runs", run_id)))


@runs.command("cancel")
@server_command
def cancel_run(api: Api, run_id: RunId) -> None:
    """End a run now. Its work so far is kept."""
    _steer(api, run_id, "cancel")


@runs.command("pause")
@server_command
def pause_run(api: Api, run_id: RunId) -> None:
    """Pause a run. A call that has started is finished first."""
    _steer(api, run_id, "pause")


@runs.command("resume")
@server_command
def resume_run(api: Api, run_id: RunId) -> None:
    """Resume a paused run."""
    _steer(api, run_id, "resume")


@runs.command("complete")
@server_command
def complete_run(api: Api, run_id: RunId) -> None:
    """End a run now and accept its work so far as the result."""
    _steer(api, run_id, "complete")


@runs.command("continue")
@server_command
def continue_run(
    api: Api,
    run_id: RunId,
    instructions: Annotated[str, typer.Argument(help="What to do next.")],
    detach: Detach = False,
    as_json: AsJson = False,
) -> None:
    """Continue an ended run: a new run with its files and its history."""
    _go_on(api, api.post(path("runs", run_id, "continue"), {"instructions": instructions}), detach, as_json)


@runs.command("retry")
@server_command
def retry_run(
    api: Api,
    run_id: RunId,
    last_good: Annotated[
        bool, typer.Option("--last-good", help="Start from the last good step, not from the beginning.")
    ] = False,
    detach: Detach = False,
    as_json: AsJson = False,
) -> None:
    """Try an ended run again, as a new run."""
    body = {"from": "last_good" if last_good else "start"}
    _go_on(api, api.post(path("runs", run_id, "retry"), body), detach, as_json)


@runs.command("delete")
@server_command
def delete_run(
    api: Api,
    run_id: RunId,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Don't ask for confirmation.")] = False,
) -> None:
    """Delete an ended run with its transcript and deliverables. Admins only. The audit record stays."""
    found: JsonObject = api.get(path("runs", run_id))
    if not yes:
        typer.confirm(f"Delete {plain(found['title'])} and all its deliverables?", abort=True, err=True)
    api.delete(path("runs", run_id))
    say("Deleted. The audit record stays.")


@runs.command("undo")
@server_command
def undo_calls(
    api: Api,
    run_id: RunId,
    call_id: Annotated[str | None, typer.Argument(help="The call to undo. Without: list what can be undone.")] = None,
    and_after: Annotated[bool, typer.Option("--since", help="Undo this call and all that came after it.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Don't ask for confirmation.")] = False,
) -> None:
    """Undo what a run did, where that is possible. Rules may want others to agree first."""
    if call_id is None:
        return _list_undoable(api, run_id)
    if and_after:
        shown: JsonObject = api.get(path("runs", run_id, "calls", call_id, "undo-since"))
        say_lines(undo_steps_text(shown))
        if not yes:
            typer.confirm("Undo this call and all that came after it?", abort=True, err=True)
        done: JsonObject = api.post(path("runs", run_id, "undo"), {"since": call_id, "digest": shown["digest"]})
        made = cast("list[JsonObject]", done["calls"])
    else:
        shown = api.get(path("runs", run_id, "calls", call_id, "undo"))
        say_lines(preview_text(shown["preview"], whole=True))
        if not yes:
            typer.confirm("Undo it?", abort=True, err=True)
        made = [api.post(path("runs", run_id, "calls", call_id, "undo"), {"digest": shown["digest"]})]
    waiting = sum(each["status"] == "waiting" for each in made)
    return say(
        f"{len(made)} to be undone." if not waiting else f"{waiting} of {len(made)} wait for an approval: signoff inbox"
    )


def _list_undoable(api: Api, run_id: str) -> None:
    found = [each for each in api.items(path("runs", run_id, "calls"), 1_000) if each["undo"]["possible"]]
    if not found:
        return say("Nothing of this run can be undone.")
    rows = [[each["id"], plain(each["tool"]), plain(screen.in_a_line(each["arguments"]))] for each in found]
    table(["CALL", "TOOL", "ARGUMENTS"], rows)
    return hint("To undo one:", f"signoff runs undo {plain(run_id)} CALL")


@runs.command("say")
@server_command
def say_to_run(api: Api, run_id: RunId, text: Annotated[str, typer.Argument(help="Your message.")]) -> None:
    """Send a message to the agent while it works."""
    api.post(path("runs", run_id, "messages"), {"text": text})
    say("Sent. The agent reads it at its next step.")


@runs.command("add-files")
@server_command
def add_files(
    api: Api,
    run_id: RunId,
    files: Annotated[list[Path], typer.Argument(exists=True, dir_okay=False, metavar="FILE...", help="What to give.")],
) -> None:
    """Give a run at work more files."""
    for each in api.upload(path("runs", run_id, "files"), files):
        say(f"{plain(each['path'])} [dim]{size(each['size_bytes'])}[/]")
    say("Given. The agent reads of them at its next step.")


@runs.command("files")
@server_command
def list_files(
    api: Api,
    run_id: RunId,
    folder: Annotated[Path | None, typer.Option("--download", metavar="DIR", help="Save them in this folder.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing files.")] = False,
    as_json: AsJson = False,
) -> None:
    """List or save a run's deliverables."""
    found = api.items(path("runs", run_id, "deliverables"), 10_000)
    if as_json:
        return screen.show_json(found)
    if not found:
        return say("This run has no deliverables yet.")
    if folder:
        return download(api, found, folder, force=force)
    rows = [
        [each["id"], plain(each["name"]), plain(each["type"]), size(each["size_bytes"]), plain(each["status"])]
        for each in found
    ]
    table(["ID", "NAME", "TYPE", "SIZE", "STATUS"], rows)
    return hint("To save them:", f"signoff runs files {plain(run_id)} --download DIR", to_stderr=True)


def _go_on(api: Api, started: JsonObject, detach: bool, as_json: bool) -> None:
    """Follow what was started, or leave it to itself."""
    if as_json:
        ended = started if detach else wait(api, started["id"])
        screen.show_json(ended)
        raise typer.Exit(0 if detach or ended["status"] == "completed" else 1)
    say(f"[bold]{_titled(started)}[/] [dim]{started['id']}[/]")
    if detach:
        hint("To watch it:", f"signoff runs follow {started['id']}")
    else:
        follow(api, started)


def _titled(run: JsonObject) -> str:
    return test_mark(run) + plain(run["title"])


def _whose(run: JsonObject) -> tuple[str, str]:
    of = "agent" if run["agent"] else "workflow"
    return of.capitalize(), f"{plain(run[of])} [dim](revision {run.get(f'{of}_revision')})[/]"


def _worker(run: JsonObject) -> str:
    return plain(run["agent"] or run["workflow"])


def _steer(api: Api, run_id: str, verb: str) -> None:
    changed: JsonObject = api.post(path("runs", run_id, verb))
    say(f"The run is {toned(changed['status'])}.")


def _given(**values: Any) -> JsonObject:
    return {name: value for name, value in values.items() if value is not None}


def _facts(found: JsonObject) -> list[tuple[str, str]]:
    progress: JsonObject = found.get("progress") or {}
    rounds: JsonObject = found["clarification"]
    percent = f" ({progress['percentage']:.0f} %)" if progress.get("percentage") is not None else ""
    facts = [
        ("Id", found["id"]),
        ("Status", toned(found["status"])),
        _whose(found),
        ("Project", plain(found.get("project_id") or "")),
        ("Task", plain(found["task"])),
        ("Progress", plain(progress.get("current_step") or "") + percent),
        (
            "Asked back",
            f"{rounds['exchanges']} of at most {rounds['max_exchanges']} times" if rounds["exchanges"] else "",
        ),
        ("Open asks", str(found["open_asks"] or "")),
        ("Started", f"{local_time(found['created_at'])} by {plain(found['created_by'])}"),
        ("Duration", span(found["duration_seconds"])),
        ("Used", f"{credits(found)}, {found['tokens']['input']} tokens in, {found['tokens']['output']} out"),
    ]
    return [(label, value) for label, value in facts if value]
