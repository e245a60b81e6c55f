"""A workflow's file: read, and with a finger on everything that is wrong in it."""

from pathlib import Path
from typing import Annotated

import typer

from signoff.cli.api_client import Api, Failure, path
from signoff.cli.terminal.rule_text import pointed
from signoff.cli.terminal.text_file import name_of, read_text
from signoff.cli.terminal.typed_values import many
from signoff.kit.jsons import JsonObject

File = Annotated[Path, typer.Argument(metavar="FILE", help="A workflow (YAML or JSON); - for stdin.")]


def checked(api: Api, file: Path) -> str:
    """A file's text, if a server finds nothing wrong with it. Warnings are shown and stop nobody."""
    text = read_text(file)
    found: JsonObject = api.post(path("workflows", "validate"), {"yaml": text})
    errors = many(found, "errors")
    for each in errors:
        _point(file, text, each, "red")
    for each in many(found, "warnings"):
        _point(file, text, each, "yellow")
    if errors:
        raise Failure(f"{name_of(file)} has {len(errors)} problem{'' if len(errors) == 1 else 's'}.")
    return text


def _point(file: Path, text: str, problem: JsonObject, color: str) -> None:
    line, column = problem["line"] or 1, problem["column"] or 1
    pointed(name_of(file), text, line, column, f"{_where(problem)}{problem['message']}", color)


def _where(problem: JsonObject) -> str:
    """`step solve, input.customer: `, as far as it is known."""
    field = problem["path"]
    if problem["step"] is None:
        return f"{field}: " if field != "yaml" else ""
    inside = ".".join(field.split(".")[2:])
    return f"step {problem['step']}, {inside}: " if inside else f"step {problem['step']}: "
