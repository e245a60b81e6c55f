"""Signoff in the terminal."""

import sys
from typing import Annotated

import typer

from signoff import __version__
from signoff.cli.api_client import Connection
from signoff.cli.commands import agents, audit, deliverables, models, notices, pause_all, rules, runs, serve
from signoff.cli.commands.asks import answer, comment, inbox
from signoff.cli.commands.channels import channels, deliveries, secrets
from signoff.cli.commands.connections import grants
from signoff.cli.commands.knowledge import documents, memory
from signoff.cli.commands.people import away, tokens_and_links, workspaces
from signoff.cli.commands.schedules import schedules
from signoff.cli.commands.server_command import Data, Token, Url
from signoff.cli.commands.tools import tools
from signoff.cli.commands.workflows import hook, workflows

app = typer.Typer(
    no_args_is_help=True, pretty_exceptions_enable=False, context_settings={"help_option_names": ["-h", "--help"]}
)

app.command()(serve.serve)
app.command()(serve.worker)
app.command()(serve.migrate)
app.command()(serve.recover)
app.command()(runs.run)
app.add_typer(runs.runs, name="runs")
workflows.workflows.command("hook")(hook.hook_workflow)
app.add_typer(workflows.workflows, name="workflows")
app.add_typer(schedules.schedules, name="schedules")
app.command()(pause_all.pause_all)
app.command()(pause_all.resume_all)
app.command()(inbox.inbox)
app.command()(answer.answer)
app.command()(comment.comment)
app.add_typer(inbox.asks, name="asks")
app.add_typer(deliverables.deliverables, name="deliverables")
app.command()(notices.notices)
agents.agents.add_typer(memory.memory, name="memory")
app.add_typer(agents.agents, name="agents")
app.add_typer(tools.tools, name="tools")
app.add_typer(documents.documents, name="documents")
app.add_typer(models.models, name="models")
app.add_typer(rules.rules, name="rules")
app.add_typer(tokens_and_links.tokens, name="tokens")
app.command()(tokens_and_links.link)
app.command()(tokens_and_links.invite)
app.command()(tokens_and_links.members)
app.add_typer(away.away, name="away")
app.add_typer(workspaces.workspaces, name="workspaces")
app.add_typer(grants.connections, name="connections")
app.add_typer(channels.channels, name="channels")
app.add_typer(deliveries.deliveries, name="deliveries")
app.add_typer(audit.audit, name="audit")
app.add_typer(secrets.secrets, name="secrets")


def _print_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"signoff {__version__}\n")
        raise typer.Exit


@app.callback()
def signoff(
    ctx: typer.Context,
    url: Url = None,
    token: Token = None,
    data: Data = None,
    _version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """AI agents work on their own and stop where a person should decide."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that does not know a sign shows a question mark; the command goes on.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    ctx.obj = (ctx.obj or Connection()).given(url, token, data)
