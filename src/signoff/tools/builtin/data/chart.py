"""Charts of data in the run's folder, drawn here without any request to the outside."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from signoff.kit.jsons import JsonObject
from signoff.kit.settings import Settings
from signoff.policy.impact import Impact
from signoff.sandbox.run import SandboxFailed, run
from signoff.tools.builtin.file_previews import unknown_content
from signoff.tools.builtin.file_undo import undo_file
from signoff.tools.builtin.run_folder import inside, place_for, write_whole, writing
from signoff.tools.effects import Preview, UndoCall
from signoff.tools.registry import Tool, ToolContext, ToolFailed, tool
from signoff.tools.threads import in_thread

SECONDS = 40.0
MOST_INLINE = 5_000
DEEPEST = 60
WIDEST = 4_000
HOW_TO_INSTALL = "Charts need a package that is not installed: pip install 'signoff[charts]', then restart the server."
# Rows of data: what their fields are called is up to whoever made them.
ROWS = ("values", "datasets")


async def make_chart(
    context: ToolContext,
    spec: JsonObject,
    name: Annotated[str, Field(min_length=1, max_length=200)],
    format: Literal["svg", "png"] = "svg",
    data_path: str | None = None,
    data: Annotated[list[JsonObject], Field(max_length=MOST_INLINE)] | None = None,
) -> JsonObject:
    """Draw a Vega-Lite chart and save the picture in the run's folder, over an existing one of this name.

    `spec` is the Vega-Lite specification (mark, encoding, title, …). Its data come from a CSV or JSON file of the
    folder (`data_path`), from `data` (a list of rows) or stand in the spec as data.values. Nothing is fetched: no url
    and no href.
    """
    if why := missing(context.settings):
        raise ToolFailed(why)
    path = file_name(name, format)
    place = place_for(context.folder, path)
    request = {
        "folder": str(context.folder.resolve()),
        "spec": _checked(spec, data, has_file=data_path is not None),
        "data_path": None if data_path is None else _own_file(context.folder, data_path),
        "format": format,
    }
    try:
        answer = await run("chart", request, seconds=SECONDS)
    except SandboxFailed as error:
        raise ToolFailed(str(error)) from error
    await in_thread(write_whole, context, place, answer.content, keeps=True)
    return {"path": path, "size_bytes": len(answer.content)}


def file_name(name: str, picture: str) -> str:
    return name if name.lower().endswith(f".{picture}") else f"{name}.{picture}"


def missing(_settings: Settings) -> str | None:
    return None if find_spec("vl_convert") else HOW_TO_INSTALL


def _own_file(folder: Path, path: str) -> str:
    place = inside(folder, path)
    if not place.is_file():
        raise ToolFailed(f"There is no file {path!r}. Use list_files to see what is there.")
    return str(place.relative_to(folder.resolve()))


def _checked(spec: JsonObject, data: list[JsonObject] | None, *, has_file: bool) -> JsonObject:
    """The specification with the rows that were given, if it names nothing that would be fetched."""
    if data is not None and has_file:
        raise ToolFailed("Give either data_path or data, not both.")
    if "vega-lite" not in str(spec.get("$schema", "vega-lite")):
        raise ToolFailed("This is no Vega-Lite specification.")
    _check_part(spec)
    kept = {name: value for name, value in spec.items() if name not in ("$schema", "usermeta")}
    if data is not None:
        kept["data"] = {"values": data}
    if not has_file and not _has_data(kept):
        raise ToolFailed("The chart has no data. Give data_path, data, or data.values in the spec.")
    return kept


def _has_data(part: Any) -> bool:
    """Also where only the parts of a layered or joined chart have some."""
    if isinstance(part, dict):
        return "data" in part or any(map(_has_data, part.values()))  # pyright: ignore[reportUnknownArgumentType]
    return isinstance(part, list) and any(map(_has_data, part))  # pyright: ignore[reportUnknownArgumentType]


def _check_part(part: Any, depth: int = 0) -> None:
    if depth > DEEPEST:
        raise ToolFailed("The specification is nested too deeply.")
    if isinstance(part, dict):
        for name, value in part.items():  # pyright: ignore[reportUnknownVariableType]
            if str(name).lower() in ("url", "href"):  # pyright: ignore[reportUnknownArgumentType]
                raise ToolFailed(f"Charts fetch nothing: take {name} out. Data come by data_path, data or data.values.")
            if name in ("width", "height") and isinstance(value, int | float) and value > WIDEST:
                raise ToolFailed(f"A chart is at most {WIDEST} wide and high.")
            if name not in ROWS:
                _check_part(value, depth + 1)
    elif isinstance(part, list):
        for value in part:  # pyright: ignore[reportUnknownVariableType]
            _check_part(value, depth + 1)


def _path(arguments: JsonObject) -> str:
    return file_name(str(arguments["name"]), str(arguments.get("format", "svg")))


def _impact(arguments: JsonObject, folder: Path) -> Impact:
    return writing(_path(arguments), folder)


def _would_draw(context: ToolContext, arguments: JsonObject) -> Preview:
    source, path = arguments.get("data_path"), _path(arguments)
    place = place_for(context.folder, path)
    _checked(arguments["spec"], arguments.get("data"), has_file=source is not None)
    about = {} if source is None else {"Data": _own_file(context.folder, source)}
    return unknown_content(path, place, **about)


def _undo(context: ToolContext, arguments: JsonObject, _result: Any) -> UndoCall:
    return undo_file(context, _path(arguments))


CHARTS: list[Tool] = [
    tool(
        operation_type="create",
        risk="high",
        idempotent=True,
        source="builtin",
        title="Draw the chart {name}",
        impact=_impact,
        preview=_would_draw,
        undo=_undo,
        missing=missing,
    )(make_chart)
]
