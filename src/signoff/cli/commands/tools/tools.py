"""Which tools agents can be given, and what is wrong with your own."""

from typing import cast

import typer

from signoff.cli.api_client import Api, path
from signoff.cli.commands.server_command import AsJson, server_command
from signoff.cli.commands.tools.new_tool import new_tool
from signoff.cli.commands.tools.try_tool import try_tool
from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import hint, plain, say, table, toned
from signoff.kit.jsons import JsonObject

tools = typer.Typer(help="List tools; write and try your own.", no_args_is_help=True)


@tools.command("list")
@server_command
def list_tools(api: Api, as_json: AsJson = False) -> None:
    """List the tools of the server, and what is wrong with your own."""
    found: JsonObject = api.get(path("tools"))
    if as_json:
        return screen.show_json(found)
    rows = [["", f"[bold]{plain(each['name'])}[/]", toned(each["risk"]), *_about(each)] for each in found["items"]]
    table(["", "TOOL", "RISK", "OPERATION", "SOURCE", "NOTE"], rows)
    for problem in cast("list[JsonObject]", found["problems"]):
        where = f"{problem['file']}, line {problem['line']}" if problem["line"] else problem["file"]
        stays = "The version before stays in use." if problem["kept"] else "Its tools are not available."
        say(f"[red]✗ {plain(where)}:[/] {plain(problem['message'])}. [dim]{stays}[/]")
    return hint("To write your own:", "signoff tools new NAME", to_stderr=True)


def _about(tool: JsonObject) -> list[str]:
    source = "yours" if tool["source"] == "python" else tool["source"]
    return [plain(tool["operation_type"]), plain(source), plain(tool.get("missing") or "")]


tools.command("new")(new_tool)
tools.command("test")(try_tool)
