"""Schedules: listed, added, paused, resumed, run and removed."""

import json
from typing import Annotated, Any

import typer

from signoff.cli.api_client import Api, Failure, path
from signoff.cli.commands.server_command import AsJson, Limit, full_id, server_command
from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import hint, local_time, plain, say, table, until
from signoff.kit.jsons import JsonObject

schedules = typer.Typer(help="Run agents and workflows by the clock.", no_args_is_help=True)
ScheduleId = Annotated[str, typer.Argument(metavar="ID", help="Or its beginning.")]


@schedules.command("list")
@server_command
def list_schedules(api: Api, limit: Limit = 200, as_json: AsJson = False) -> None:
    """List schedules: what runs, when, when next, and what went wrong."""
    found = api.items(path("schedules"), limit)
    if as_json:
        return screen.show_json(found)
    if not found:
        say("No schedules yet.")
        return hint("To add one:", "signoff schedules add AGENT 'What to do' --cron '0 9 * * 1-5'")
    rows = [
        [
            each["id"],
            f"[bold]{plain(_name(each))}[/]",
            plain(each["agent"] or each["workflow"]),
            plain(f"{each['in_words']} ({each['timezone']})"),
            until(each["next_at"]) if each["next_at"] else "[yellow]off[/]",
            plain(each["last_run_status"] or "-"),
        ]
        for each in found
    ]
    errors = [each["disabled_reason"] or each["last_error"] for each in found]
    return table(["ID", "NAME", "RUNS", "WHEN", "NEXT", "LAST RUN"], rows, errors)


@schedules.command("add")
@server_command
def add_schedule(
    api: Api,
    agent: Annotated[str, typer.Argument(help="The agent's slug; with --workflow, the workflow's.")],
    cron: Annotated[
        str, typer.Option(help="Minute, hour, day of month, month, day of week; or @hourly, @daily, @weekly, @monthly.")
    ],
    task: Annotated[str | None, typer.Argument(help="What the agent is to do.")] = None,
    timezone: Annotated[str, typer.Option(help="By its name, such as Europe/Berlin.")] = "UTC",
    name: Annotated[str | None, typer.Option(help="A name for people.")] = None,
    given: Annotated[str | None, typer.Option("--input", help="Input of its runs, as JSON.")] = None,
    workflow: Annotated[bool, typer.Option("--workflow", help="It is a workflow.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run an agent by the clock, in your name.

    Example: signoff schedules add researcher 'Collect the news' --cron '0 9 * * 1-5' --timezone Europe/Berlin
    """
    body: JsonObject = {"workflow" if workflow else "agent": agent, "cron": cron, "timezone": timezone}
    body |= {key: value for key, value in (("task", task), ("name", name)) if value is not None}
    body |= {"input": _read(given)} if given is not None else {}
    made: JsonObject = api.post(path("schedules"), body)
    if as_json:
        return screen.show_json(made)
    say(f"[green]✓[/] {plain(made['in_words'])} ({plain(made['timezone'])}) [dim]({made['id']})[/]")
    for each in made["next_runs"]:
        say(f"  {local_time(each)}")
    return None


@schedules.command("pause")
@server_command
def pause_schedule(api: Api, schedule: ScheduleId) -> None:
    """Switch a schedule off. Runs that have started go on."""
    changed = _change(api, schedule, {"enabled": False})
    say(f"{plain(_name(changed))} is paused.")


@schedules.command("resume")
@server_command
def resume_schedule(api: Api, schedule: ScheduleId) -> None:
    """Switch a schedule on. What was missed meanwhile stays missed."""
    changed = _change(api, schedule, {"enabled": True})
    say(f"[green]✓[/] {plain(_name(changed))} runs next at {local_time(changed['next_at'])}.")


@schedules.command("remove")
@server_command
def remove_schedule(api: Api, schedule: ScheduleId) -> None:
    """Delete a schedule. Its runs stay."""
    api.delete(path("schedules", full_id(api, path("schedules"), schedule)))
    say("[green]✓[/] Removed.")


@schedules.command("run")
@server_command
def run_schedule(api: Api, schedule: ScheduleId, as_json: AsJson = False) -> None:
    """Start its run now, in your name. Its times stay as they are."""
    run: JsonObject = api.post(path("schedules", full_id(api, path("schedules"), schedule), "run-now"))
    if as_json:
        return screen.show_json(run)
    say(f"[green]✓[/] Started {plain(run['title'])} [dim]({run['id']})[/]")
    return hint("To follow it:", f"signoff runs follow {run['id']}")


def _change(api: Api, schedule: str, body: JsonObject) -> JsonObject:
    return api.patch(path("schedules", full_id(api, path("schedules"), schedule)), body)


def _name(schedule: JsonObject) -> str:
    return schedule["name"] or schedule["agent"] or schedule["workflow"]


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise Failure(f"--input is no JSON: {error}") from None
