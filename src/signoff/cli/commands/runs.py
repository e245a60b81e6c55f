"""Starting, watching and steering runs."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from signoff.cli.api_client import Api, path
from signoff.cli.commands.download import download
from signoff.cli.commands.follow import ENDED, follow, show_end, wait
from signoff.cli.commands.models import warn_if_keyless
from signoff.cli.commands.pause_all import warn_if_paused
from signoff.cli.commands.server_command import AsJson, Limit, server_command
from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import credits, hint, local_time, plain, say, since, size, span, table, toned
from signoff.kit.jsons import JsonObject

runs = typer.Typer(help="List, follow and steer runs.")
Detach = Annotated[bool, typer.Option("--detach", "-d", help="Start it and leave.")]
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
    agent: Annotated[str, typer.Option("--agent", "-a", help="Who does it: an agent's slug.")],
    title: Annotated[str | None, typer.Option(help="A short name for the run.")] = None,
    context: Annotated[str | None, typer.Option(help="What the agent should know besides.")] = None,
    autonomy: Annotated[AutonomyOption | None, typer.Option(help="When to ask, for this run.")] = None,
    max_cost: Annotated[float | None, typer.Option(min=0, help="Stop at this many credits.")] = None,
    max_hours: Annotated[
        float | None, typer.Option(min=0, max=24, help="Stop after so many hours of work; 0: never.")
    ] = None,
    max_iterations: Annotated[int | None, typer.Option(min=1, help="Stop after so many turns of the model.")] = None,
    detach: Detach = False,
    as_json: AsJson = False,
) -> None:
    """Start a run, follow it, and answer what it asks right here."""
    limits = _given(max_cost_credits=max_cost, max_duration_hours=max_hours, max_iterations=max_iterations)
    body = _given(agent=agent, task=task, title=title, context=context, autonomy=autonomy, limits=limits or None)
    warn_if_keyless(api, agent)
    _go_on(api, api.post(path("runs"), body), detach, as_json)


@runs.callback(invoke_without_command=True)
@server_command
def list_runs(
    api: Api,
    status: Annotated[str | None, typer.Option(help="Only those in this state: running, waiting_approval, …")] = None,
    agent: Annotated[str | None, typer.Option(help="Only this agent's.")] = None,
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """List, follow and steer runs. Without a command: the list."""
    found = api.items(path("runs"), limit, status=status, agent=agent)
    if as_json:
        return screen.show_json(found)
    warn_if_paused(api)
    if not found and (status or agent):
        return say("No such runs. Without --status and --agent you see them all.")
    if not found:
        return say('No runs yet. Start one: signoff run "Compare three CRMs" --agent competitive-analysis')
    rows = [
        [each["id"], plain(each["title"]), toned(each["status"]), plain(each["agent"]), since(each["created_at"])]
        for each in found
    ]
    return table(["ID", "TITLE", "STATUS", "AGENT", "AGE"], rows)


@runs.command("show")
@server_command
def show_run(api: Api, run_id: RunId, as_json: AsJson = False) -> None:
    """Everything about a run."""
    found: JsonObject = api.get(path("runs", run_id))
    if as_json:
        return screen.show_json(found)
    say(f"[bold]{plain(found['title'])}[/]")
    for label, value in _facts(found):
        say(f"[dim]{label:<10}[/] {value}")
    if found["status"] in ENDED:
        return show_end(found, api.items(path("runs", run_id, "deliverables"), 200))
    if found["open_asks"]:
        hint("It waits for an answer:", "signoff inbox")
    return hint("To follow it:", f"signoff runs follow {found['id']}")


@runs.command("follow")
@server_command
def follow_run(api: Api, run_id: RunId) -> None:
    """Watch a run to its end, and answer what it asks."""
    follow(api, api.get(path("runs", run_id)))


@runs.command("cancel")
@server_command
def cancel_run(api: Api, run_id: RunId) -> None:
    """End a run now. What it has made is kept."""
    _steer(api, run_id, "cancel")


@runs.command("pause")
@server_command
def pause_run(api: Api, run_id: RunId) -> None:
    """Stop after what is under way."""
    _steer(api, run_id, "pause")


@runs.command("resume")
@server_command
def resume_run(api: Api, run_id: RunId) -> None:
    """Go on with a paused run."""
    _steer(api, run_id, "resume")


@runs.command("complete")
@server_command
def complete_run(api: Api, run_id: RunId) -> None:
    """End a run and take what there is as the result."""
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
    """Go on from an ended run, as a new one that has its files and knows how it went."""
    _go_on(api, api.post(path("runs", run_id, "continue"), {"instructions": instructions}), detach, as_json)


@runs.command("retry")
@server_command
def retry_run(
    api: Api,
    run_id: RunId,
    last_good: Annotated[bool, typer.Option("--last-good", help="From the last whole step, not the start.")] = False,
    detach: Detach = False,
    as_json: AsJson = False,
) -> None:
    """Try an ended run again, as a new one."""
    body = {"from": "last_good" if last_good else "start"}
    _go_on(api, api.post(path("runs", run_id, "retry"), body), detach, as_json)


@runs.command("delete")
@server_command
def delete_run(
    api: Api, run_id: RunId, yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask first.")] = False
) -> None:
    """Remove an ended run with its transcript and deliverables, for admins. The audit record stays."""
    found: JsonObject = api.get(path("runs", run_id))
    if not yes:
        typer.confirm(f"Delete {plain(found['title'])} with all that it handed over?", abort=True, err=True)
    api.delete(path("runs", run_id))
    say("Deleted. The audit record stays.")


@runs.command("say")
@server_command
def say_to_run(
    api: Api, run_id: RunId, text: Annotated[str, typer.Argument(help="What the agent should know.")]
) -> None:
    """Speak to a run at work."""
    api.post(path("runs", run_id, "messages"), {"text": text})
    say("Sent. The agent reads it at its next step.")


@runs.command("files")
@server_command
def list_files(
    api: Api,
    run_id: RunId,
    folder: Annotated[Path | None, typer.Option("--download", metavar="DIR", help="Save them in this folder.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there already.")] = False,
    as_json: AsJson = False,
) -> None:
    """What a run has handed over."""
    found = api.items(path("runs", run_id, "deliverables"), 10_000)
    if as_json:
        return screen.show_json(found)
    if not found:
        return say("This run has handed over nothing so far.")
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
    say(f"[bold]{plain(started['title'])}[/] [dim]{started['id']}[/]")
    if detach:
        hint("To follow it:", f"signoff runs follow {started['id']}")
    else:
        follow(api, started)


def _steer(api: Api, run_id: str, verb: str) -> None:
    changed: JsonObject = api.post(path("runs", run_id, verb))
    say(f"The run is {toned(changed['status'])}.")


def _given(**values: Any) -> JsonObject:
    return {name: value for name, value in values.items() if value is not None}


def _facts(found: JsonObject) -> list[tuple[str, str]]:
    progress: JsonObject = found.get("progress") or {}
    percent = f" ({progress['percentage']:.0f} %)" if progress.get("percentage") is not None else ""
    facts = [
        ("Id", found["id"]),
        ("Status", toned(found["status"])),
        ("Agent", f"{plain(found['agent'])} [dim](revision {found['agent_revision']})[/]"),
        ("Task", plain(found["task"])),
        ("Progress", plain(progress.get("current_step") or "") + percent),
        ("Open asks", str(found["open_asks"] or "")),
        ("Started", f"{local_time(found['created_at'])} by {plain(found['created_by'])}"),
        ("Duration", span(found["duration_seconds"])),
        ("Used", f"{credits(found)}, {found['tokens']['input']} tokens in, {found['tokens']['output']} out"),
    ]
    return [(label, value) for label, value in facts if value]
