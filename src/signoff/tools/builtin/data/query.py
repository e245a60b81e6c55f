"""Questions to the data in the run's folder, in SQL."""

from typing import Annotated, Any

from pydantic import Field

from signoff.kit.jsons import JsonObject
from signoff.sandbox.run import Answer, SandboxFailed, run
from signoff.tools.builtin.file_previews import unknown_content
from signoff.tools.builtin.file_undo import undo_file
from signoff.tools.builtin.run_folder import place_for, write_whole, writes
from signoff.tools.effects import Preview, UndoCall
from signoff.tools.registry import Tool, ToolContext, ToolFailed, tool
from signoff.tools.threads import in_thread

SECONDS = 30.0
DEFAULT_ROWS, MOST_ROWS = 100, 1_000
Sql = Annotated[str, Field(min_length=1, max_length=20_000)]
Limit = Annotated[int, Field(ge=1, le=MOST_ROWS)]


async def query_data(context: ToolContext, sql: Sql, limit: Limit = DEFAULT_ROWS) -> JsonObject:
    """Ask the CSV, JSON, Parquet and Excel files of the run's folder in SQL (DuckDB): exactly one SELECT.

    Name a file where a table goes: SELECT region, sum(amount) FROM 'sales.csv' GROUP BY region. Several of one kind:
    FROM 'parts/*.csv'. Of a workbook 'book.xlsx' is the first sheet and 'book.xlsx#Name' another.
    """
    answer = await _asked(context, sql, limit)
    return answer.said


async def save_query(context: ToolContext, sql: Sql, path: str) -> JsonObject:
    """Ask as query_data does, and save the whole result as a CSV file in the run's folder, over an existing one."""
    place = place_for(context.folder, path, ".csv")
    answer = await _asked(context, sql, None)
    await in_thread(write_whole, context, place, answer.content, keeps=True)
    return {"path": path, "size_bytes": len(answer.content), **answer.said}


async def _asked(context: ToolContext, sql: str, limit: int | None) -> Answer:
    folder = context.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    request = {"folder": str(folder), "sql": sql, "limit": limit}
    try:
        return await run("query", request, seconds=SECONDS)
    except SandboxFailed as error:
        raise ToolFailed("\n".join([str(error), *_what_there_is(error.said)])) from error


def _what_there_is(said: dict[str, Any]) -> list[str]:
    """For whoever named a file or a column that is not there."""
    lines = [f"Columns of {name}: {', '.join(columns)}" for name, columns in said.get("columns", {}).items()]
    if lines:
        return lines
    files = said.get("files")
    if files is None:
        return []
    return [f"Files in the folder: {', '.join(files)}" if files else "There is no file in the folder yet."]


def _would_save(context: ToolContext, arguments: JsonObject) -> Preview:
    path = arguments["path"]
    return unknown_content(path, place_for(context.folder, path, ".csv"), Query=arguments["sql"])


def _undo_save(context: ToolContext, arguments: JsonObject, _result: Any) -> UndoCall:
    return undo_file(context, arguments["path"])


QUERIES: list[Tool] = [
    tool(operation_type="query", risk="low", idempotent=True, source="builtin", title="Query the data: {sql}")(
        query_data
    ),
    tool(
        operation_type="create",
        risk="high",
        idempotent=True,
        source="builtin",
        title="Save a query as {path}",
        impact=writes("path"),
        preview=_would_save,
        undo=_undo_save,
    )(save_query),
]
