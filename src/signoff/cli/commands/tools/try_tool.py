"""Try a tool without a server: what it says of a call, and, if you want, the call itself."""

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from signoff.cli.api_client import Failure
from signoff.cli.commands.serve import DataFolder, load_settings
from signoff.cli.commands.server_command import readable_failures
from signoff.cli.commands.tools.new_tool import Folder
from signoff.cli.terminal.effect_text import preview_text
from signoff.cli.terminal.screen import hint, plain, say, say_lines, toned
from signoff.kit import jsons
from signoff.kit.jsons import JsonObject

if TYPE_CHECKING:
    from signoff.kit.settings import Settings
    from signoff.tools.registry import Tool
    from signoff.tools.trial import Trial


@readable_failures
def try_tool(
    ctx: typer.Context,
    tool: Annotated[str, typer.Argument(metavar="NAME|FILE", help="A tool of yours, or a Python file.")],
    arguments: Annotated[str | None, typer.Option("--arguments", help="The arguments of a call, as JSON.")] = None,
    name: Annotated[str | None, typer.Option("--tool", help="Which tool of the file, if it has several.")] = None,
    run: Annotated[bool, typer.Option("--run", help="Do it: with all its effects, and nobody is asked.")] = False,
    run_folder: Annotated[
        Path | None, typer.Option(help="The folder that stands for the run's own; else an empty one.")
    ] = None,
    folder: Folder = None,
    data: DataFolder = None,
) -> None:
    """Show a tool's schema, risk and sentence, and check a call with its preview. Runs it only with --run.

    Example: signoff tools test book_room --arguments '{"room": "Blue", "day": "2026-12-01"}'
    """
    settings = load_settings(ctx, data=data, tools=folder)
    from signoff.tools.trial import Trial

    found = _find(settings, tool, name)
    _show_tool(found)
    if run and arguments is None:
        arguments = "{}"
    if arguments is None:
        return hint("To check a call:", f"signoff tools test {tool} --arguments '{{…}}'")
    given = _parsed(arguments)
    with tempfile.TemporaryDirectory(prefix="signoff-trial-") as empty:
        trial = Trial(found, (run_folder or Path(empty) / "runs" / "trial").absolute(), settings)
        if wrong := trial.problems(given):
            raise Failure(f"These are no arguments for {found.name}:", wrong)
        _show_call(trial, given)
        return _run(trial, given) if run else hint("Nothing was run. To run it for real:", "add --run")


def _find(settings: "Settings", tool: str, name: str | None) -> "Tool":
    """Of a file, of the folder of your tools, or of Signoff."""
    from signoff.tools.builtin import builtin_registry
    from signoff.tools.own.acceptance import names_taken
    from signoff.tools.own.folder import tool_files

    registry = builtin_registry(settings)
    if tool.endswith(".py"):
        return _chosen(Path(tool), _loaded(Path(tool), names_taken(registry)), name)
    if builtin := registry.get(tool):
        return builtin
    wanted, broken, folder = list["Tool"](), list[str](), settings.tools_folder
    for file in tool_files(folder) if folder.is_dir() else []:
        try:
            wanted += [each for each in _loaded(file, names_taken(registry)) if each.name == tool]
        except Failure as failure:
            broken.append(failure.message)
    if not wanted:
        raise Failure(f"There is no tool {tool!r} in {folder}.", broken)
    return wanted[0]


def _loaded(file: Path, taken: dict[str, str]) -> "list[Tool]":
    from signoff.tools.own.load_file import BadToolFile, load_file

    try:
        return load_file(file.absolute(), file.read_bytes(), taken)
    except OSError as error:
        raise Failure(f"Cannot read {file}: {error.strerror}.") from None
    except BadToolFile as bad:
        where = f"{file}, line {bad.line}" if bad.line else str(file)
        raise Failure(f"{where}: {bad.message}.") from None


def _chosen(file: Path, tools: "list[Tool]", name: str | None) -> "Tool":
    """By its name, else the only one, else the one that is named as the file is."""
    wanted = [each for each in tools if each.name == (name or file.stem)]
    if wanted or (len(tools) == 1 and name is None):
        return (wanted or tools)[0]
    names = ", ".join(each.name for each in tools)
    raise Failure(f"Which tool of {file}? Choose one with --tool: {names}.")


def _parsed(arguments: str) -> JsonObject:
    try:
        given: Any = jsons.loads(arguments)
    except ValueError as error:
        raise Failure(f"--arguments is no JSON: {error}") from None
    if not isinstance(given, dict):
        raise Failure('--arguments has to be a JSON object, such as \'{"text": "Order paper"}\'.')
    return cast("JsonObject", given)


def _show_tool(tool: "Tool") -> None:
    assessed = tool.assessment
    say(f"[bold]{plain(tool.name)}[/]")
    say_lines([f"  {plain(line)}" for line in tool.description.splitlines()])
    say(f"[dim]Risk:[/] {toned(assessed.level.value)} [dim]({plain('; '.join(assessed.reasons))})[/]")
    again = "runs again by itself" if tool.idempotent else "a person is asked whether it happened"
    say(f"[dim]Operation:[/] {plain(tool.operation_type)}[dim]; after a crash {again}[/]")
    has = [word for word, part in (("preview", tool.preview), ("undo", tool.undo)) if part]
    say(f"[dim]Has:[/] {' and '.join(has) or 'neither preview nor undo'}")
    say(f"[dim]Arguments:[/]\n{plain(json.dumps(tool.schema, indent=2, ensure_ascii=False))}\n")


def _show_call(trial: "Trial", given: JsonObject) -> None:
    from signoff.policy.impact import why_critical

    assessed = trial.assessment(given)
    say(f"[dim]People read:[/] {plain(trial.tool.headline(given))}")
    if impact := assessed.impact:
        undone = ", can be undone" if impact.reversible and impact.kinds else ""
        say(f"[dim]Impact:[/] {plain(impact.text)}{undone}")
        if why := why_critical(impact):
            say(f"[yellow]{plain(why)}[/]")
    say_lines(preview_text(trial.preview(**given), whole=True))


def _run(trial: "Trial", given: JsonObject) -> None:
    from signoff.tools.effects import CannotUndo
    from signoff.tools.registry import ToolFailed

    trial.folder.mkdir(parents=True, exist_ok=True)
    try:
        result = trial.run(**given)
    except ToolFailed as failed:
        raise Failure(f"It failed, and says that nothing happened: {failed}") from None
    except Exception as error:  # noqa: BLE001 - whatever a tool does
        raise Failure(f"It broke off with {type(error).__name__}: {error}") from None
    say(f"[green]✓[/] {plain(json.dumps(result, ensure_ascii=False))}")
    for each in sorted(each for each in trial.folder.rglob("*") if each.is_file()):
        say(f"[dim]In its folder:[/] {plain(each.relative_to(trial.folder))}")
    if trial.tool.undo:
        try:
            call = trial.undo(result, **given)
        except CannotUndo as error:
            return say(f"[dim]Undo:[/] {plain(error)}")
        say(f"[dim]Undo:[/] {plain(call.tool)} {plain(json.dumps(call.arguments, ensure_ascii=False))}")
    return None
