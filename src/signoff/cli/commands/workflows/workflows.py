"""Workflows: checked, saved, deployed, run and watched."""

import json
import sys
from pathlib import Path
from typing import Annotated, cast

import typer

from signoff.cli.api_client import Api, Failure, Refused, path
from signoff.cli.commands.follow import follow
from signoff.cli.commands.rule_drafts import diff_text
from signoff.cli.commands.server_command import AsJson, Limit, server_command
from signoff.cli.commands.workflows.files import File, checked
from signoff.cli.terminal import screen
from signoff.cli.terminal.rule_text import highlighted
from signoff.cli.terminal.screen import hint, local_time, plain, say, say_lines, since, table
from signoff.cli.terminal.text_file import name_of, read_text
from signoff.kit.jsons import JsonObject

workflows = typer.Typer(help="Let agents work in sequence.", no_args_is_help=True)
Slug = Annotated[str, typer.Argument(metavar="SLUG", help="The workflow's slug.")]
Version = Annotated[int | None, typer.Option("--version", min=1, help="This version; without it the newest.")]


@workflows.command("list")
@server_command
def list_workflows(api: Api, limit: Limit = 200, as_json: AsJson = False) -> None:
    """List workflows."""
    found = api.items(path("workflows"), limit)
    if as_json:
        return screen.show_json(found)
    if not found:
        return hint("No workflows yet. Describe one in a YAML file, then:", "signoff workflows save my-workflow.yaml")
    rows = [
        [
            "",
            f"[bold]{plain(each['slug'])}[/]",
            plain(each["name"]),
            str(each["steps"]),
            str(each["deployed_version"] or "-") + (" [yellow](newer draft)[/]" if each["draft"] else ""),
            since(each["updated_at"]),
        ]
        for each in found
    ]
    return table(["", "SLUG", "NAME", "STEPS", "DEPLOYED", "CHANGED"], rows)


@workflows.command("show")
@server_command
def show_workflow(api: Api, slug: Slug, version: Version = None, as_json: AsJson = False) -> None:
    """Show a workflow. Only the YAML goes to stdout.

    Example: signoff workflows show ticket-triage > ticket-triage.yaml
    """
    found: JsonObject = api.get(path("workflows", slug), version=version)
    if as_json:
        return screen.show_json(found)
    deployed = found["deployed_version"]
    say(f"[dim]Version {found['shown_version']}; deployed: {deployed or 'none'}.[/]", to_stderr=True)
    if not screen.out().is_terminal:
        sys.stdout.write(found["yaml"])
        return None
    return screen.out().print(highlighted(found["yaml"]), soft_wrap=True)


@workflows.command("validate")
@server_command
def validate_workflow(api: Api, file: File) -> None:
    """Find mistakes in a workflow, with line, column and step. Exits with 1 if there are any. Nothing is saved.

    Example: signoff workflows validate ticket-triage.yaml
    """
    checked(api, file)
    say(f"[green]✓[/] {plain(name_of(file))} is valid.")


@workflows.command("save")
@server_command
def save_workflow(
    api: Api,
    file: File,
    draft: Annotated[bool, typer.Option("--draft", help="Only save it: what is deployed goes on running.")] = False,
    as_json: AsJson = False,
) -> None:
    """Save a workflow, and let it be what runs. Earlier versions are kept. A file with a mistake is refused.

    Example: signoff workflows save ticket-triage.yaml
    """
    text = checked(api, file)
    slug, body = _slug(text), {"yaml": text}
    query = "?draft=true" if draft else ""
    try:
        before: int = api.get(path("workflows", slug))["version"]
        saved: JsonObject = api.put(path("workflows", slug) + query, body)
    except Refused as refused:
        if refused.status != 404:
            raise
        before, saved = 0, api.post(path("workflows") + query, body)
    if as_json:
        return screen.show_json(saved)
    word = "saved as" if saved["version"] != before else "unchanged:"
    state = "still a draft" if saved["draft"] else "deployed"
    say(f"[green]✓[/] {plain(slug)} {word} version {saved['version']}, {state}.")
    next_step = "deploy" if saved["draft"] else "run"
    return hint(f"To {next_step} it:", f"signoff workflows {next_step} {plain(slug)}")


@workflows.command("deploy")
@server_command
def deploy_workflow(api: Api, slug: Slug, version: Version = None) -> None:
    """Let a version be the one that runs. Runs under way keep theirs.

    Example: signoff workflows deploy ticket-triage --version 3
    """
    body: JsonObject = {} if version is None else {"version": version}
    found: JsonObject = api.post(path("workflows", slug, "deploy"), body)
    say(f"[green]✓[/] Version {found['deployed_version']} of {plain(slug)} runs from now on.")


@workflows.command("run")
@server_command
def run_workflow(
    api: Api,
    slug: Slug,
    given: Annotated[str | None, typer.Option("--input", "-i", help="Its input: JSON, or @FILE.")] = None,
    test: Annotated[
        bool, typer.Option("--test", help="Try it out: calls with effects outside are not made, and say so.")
    ] = False,
    watch: Annotated[bool, typer.Option("--watch", "-w", help="Watch it, and answer its questions here.")] = False,
    as_json: AsJson = False,
) -> None:
    """Start a workflow.

    Example: signoff workflows run ticket-triage --input '{"ticket": "My VPN is down"}' --watch
    """
    body: JsonObject = {"input": _input(given), "test": test}
    run: JsonObject = api.post(path("workflows", slug, "execute"), body)
    if as_json:
        return screen.show_json(run)
    say(f"[green]✓[/] Started {plain(run['title'])} [dim]({run['id']})[/]")
    return follow(api, run) if watch else hint("To watch it:", f"signoff workflows watch {run['id']}")


@workflows.command("watch")
@server_command
def watch_run(
    api: Api, run_id: Annotated[str, typer.Argument(metavar="RUN", help="The run's id, or its beginning.")]
) -> None:
    """Watch a run step by step until it ends, and answer what it asks."""
    follow(api, api.get(path("runs", run_id)))


@workflows.command("versions")
@server_command
def list_versions(api: Api, slug: Slug, limit: Limit = 50, as_json: AsJson = False) -> None:
    """List the versions of a workflow, newest first."""
    found = api.items(path("workflows", slug, "versions"), limit)
    if as_json:
        return screen.show_json(found)
    rows = [
        [
            "",
            f"[bold]{each['version']}[/]",
            local_time(each["created_at"]),
            plain(each["saved_by"]),
            "[green]deployed[/]" if each["deployed"] else "",
        ]
        for each in found
    ]
    return table(["", "VERSION", "SAVED", "BY", ""], rows)


@workflows.command("diff")
@server_command
def compare_versions(
    api: Api,
    slug: Slug,
    version: Annotated[int, typer.Argument(metavar="A", help="One version.")],
    other: Annotated[int, typer.Argument(metavar="B", help="Another.")],
) -> None:
    """Show what changed from version A to version B.

    Example: signoff workflows diff ticket-triage 2 3
    """
    found: JsonObject = api.get(path("workflows", slug, "versions", str(version), "diff", str(other)))
    lines = diff_text(found["yaml_a"], found["yaml_b"])
    say_lines(lines or ["They are the same."])


@workflows.command("restore")
@server_command
def restore_version(
    api: Api, slug: Slug, version: Annotated[int, typer.Argument(metavar="VERSION", help="Which one.")]
) -> None:
    """Take an old version up again, as a new draft."""
    found: JsonObject = api.post(path("workflows", slug, "restore"), {"version": version})
    say(f"[green]✓[/] Version {version} of {plain(slug)} is the draft {found['version']} now.")
    hint("To let it run:", f"signoff workflows deploy {plain(slug)}")


@workflows.command("delete")
@server_command
def delete_workflow(
    api: Api,
    slug: Slug,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Don't ask for confirmation.")] = False,
) -> None:
    """Delete a workflow. Its runs stay; those under way go on."""
    api.get(path("workflows", slug))
    if not yes:
        typer.confirm(f"Delete {plain(slug)}?", abort=True, err=True)
    api.delete(path("workflows", slug))
    say("[green]✓[/] Deleted. Its runs stay.")


def _slug(text: str) -> str:
    """Of a text that was found to be a workflow."""
    import yaml

    return str(yaml.safe_load(text)["slug"])


def _input(given: str | None) -> JsonObject:
    if given is None:
        return {}
    try:
        value: object = json.loads(read_text(Path(given[1:])) if given.startswith("@") else given)
    except ValueError as error:
        raise Failure(f"--input is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise Failure('--input must be a JSON object, such as \'{"ticket": "My VPN is down"}\'.')
    return cast("JsonObject", value)
