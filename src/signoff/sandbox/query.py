"""One SELECT over the files of a folder: by DuckDB, which may open exactly these files and nothing else."""

import csv
import io
import json
import math
import os
import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time
from decimal import Decimal
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, TypeAlias

from signoff.sandbox import pipe
from signoff.sandbox.limits import confine

CPU_SECONDS = 25
MEMORY_BYTES = 1536 * 1024 * 1024
MOST_FILES = 5_000
MOST_NAMED = 30
LONGEST_TEXT = 4_000
MOST_RESULT = 256 * 1024
MOST_CSV = 48 * 1024 * 1024
CHUNK = 1_000
DATA = (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet")
LITERAL = re.compile(r"'((?:[^']|'')+)'|\"((?:[^\"]|\"\")+)\"")
SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "threads": 2,
    "memory_limit": "512MB",
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}

# What is said, and the file that goes with it.
Answer: TypeAlias = tuple[dict[str, Any], bytes]


class Refused(Exception):
    """What was asked is no query that may run here."""


def main() -> None:
    asked = pipe.request()
    # Loaded while it still may.
    import duckdb  # noqa: F401  # pyright: ignore[reportUnusedImport]

    confine(cpu_seconds=CPU_SECONDS, memory_bytes=MEMORY_BYTES)
    os.chdir(asked["folder"])
    said, content = answer(asked["sql"], asked["limit"])
    pipe.answer(said, content)


def answer(sql: str, limit: int | None) -> Answer:
    """What the files of the current folder say: so many rows, or as a CSV file all of them."""
    import duckdb

    from signoff.sandbox.excel import NotReadable

    names = list(own_files(Path()))
    con = duckdb.connect(":memory:", config=SETTINGS)
    try:
        select = _one_select(con, sql)
        _lock(con, names)
        _make_tables(con, select, names)
        columns = _columns(con, select)
        con.execute(_with_plain_columns(select, columns))
        return _without_root(*(_as_csv(con, columns) if limit is None else _as_rows(con, columns, limit)))
    except (Refused, NotReadable) as error:
        return {"error": str(error)}, b""
    except duckdb.OutOfMemoryException:
        return {"error": "The query needs more memory than it may have. Filter or aggregate more."}, b""
    except duckdb.Error as error:
        said = {"error": str(error)[:2000], "files": names[:MOST_NAMED], "columns": _known(con, sql)}
        return _without_root(said, b"")
    except (MemoryError, OSError) as error:
        return {"error": f"The query could not be run: {type(error).__name__}."}, b""
    finally:
        con.close()


def _without_root(said: dict[str, Any], content: bytes) -> Answer:
    """Where the folder is says DuckDB's list of what it may open; that is nobody's business."""
    root = f"{os.getcwd()}{os.sep}"
    plain = json.loads(json.dumps(said).replace(json.dumps(root)[1:-1], ""))
    return plain, content.replace(root.encode(), b"")


def own_files(folder: Path) -> Iterator[str]:
    """The regular files below, without links: a second name of a file elsewhere is a way out as well."""
    found = 0
    for place, folders, files in os.walk(folder):
        folders.sort()
        for each in sorted(files):
            path = Path(place, each)
            at = path.lstat()
            if path.is_symlink() or not path.is_file() or at.st_nlink > 1:
                continue
            found += 1
            if found > MOST_FILES:
                return
            yield path.as_posix()


def _one_select(con: Any, sql: str) -> str:
    import duckdb

    statements = con.extract_statements(sql)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise Refused("Give exactly one SELECT. Nothing else runs here: no COPY, CREATE, ATTACH, SET or INSTALL.")
    if statements[0].named_parameters:
        raise Refused("Parameters have no values here. Write them into the query.")
    return statements[0].query.strip().rstrip(";")


def _lock(con: Any, names: list[str]) -> None:
    """From here on it opens these files only, and nothing can change that."""
    root = os.getcwd()
    paths = ", ".join(_literal(f"{root}/{name}") for name in names)
    for setting in (
        f"allowed_paths=[{paths}]",
        "temp_directory=''",
        "enable_external_access=false",
        "lock_configuration=true",
    ):
        con.execute(f"SET {setting}")


def _make_tables(con: Any, sql: str, names: list[str]) -> None:
    """What DuckDB cannot open by itself here: workbooks, and patterns of names."""
    from signoff.sandbox.excel import load_workbook, quoted

    for text in _texts(sql):
        name = text.partition("#")[0].removeprefix("./")
        if name.lower().endswith((".xlsx", ".xlsm")) and name in names:
            load_workbook(con, Path(name), name)
            names = [each for each in names if each != name]
        elif "*" in text and text.lower().endswith(DATA):
            matching = [each for each in names if fnmatchcase(each, text) and each.count("/") == text.count("/")]
            if matching:
                source = f"{_reader(text)}([{', '.join(map(_literal, matching))}], union_by_name=true)"
                con.execute(f"CREATE VIEW {quoted(text)} AS FROM {source}")


def _texts(sql: str) -> list[str]:
    found = [(one or other) for one, other in LITERAL.findall(sql)]
    return list(dict.fromkeys(each.replace("''", "'") for each in found))


def _reader(name: str) -> str:
    ending = name.lower().rpartition(".")[2]
    return {"parquet": "read_parquet", "csv": "read_csv", "tsv": "read_csv"}.get(ending, "read_json")


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _columns(con: Any, sql: str) -> list[tuple[str, str]]:
    return [(row[0], row[1]) for row in con.execute(f"DESCRIBE {sql}").fetchall()]


def _with_plain_columns(sql: str, columns: list[tuple[str, str]]) -> str:
    """Times with a zone as text: Python cannot take them over by itself."""
    if not any("TIME ZONE" in kind for _, kind in columns):
        return sql
    names = [f"c{place}" for place in range(len(columns))]
    shown = [
        f"CAST({name} AS VARCHAR)" if "TIME ZONE" in kind else name
        for name, (_, kind) in zip(names, columns, strict=True)
    ]
    wrapped = f"FROM (\n{sql}\n) AS found({', '.join(names)})"
    return f"SELECT {', '.join(shown)} {wrapped}"


def _as_rows(con: Any, columns: list[tuple[str, str]], limit: int) -> Answer:
    rows, size, is_cut = list[list[Any]](), 0, False
    for row in _fetched(con, limit + 1):
        if len(rows) == limit:
            is_cut = True
            break
        plain = [_plain(cell) for cell in row]
        size += len(json.dumps(plain))
        if size > MOST_RESULT:
            is_cut = True
            break
        rows.append(plain)
    described = [{"name": name, "type": kind} for name, kind in columns]
    return {"columns": described, "rows": rows, "row_count": len(rows), "more_rows": is_cut}, b""


def _as_csv(con: Any, columns: list[tuple[str, str]]) -> Answer:
    out, count = io.StringIO(), 0
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([name for name, _ in columns])
    for row in _fetched(con):
        writer.writerow([_cell(cell) for cell in row])
        count += 1
        if out.tell() > MOST_CSV:
            raise Refused(f"The result is larger than {MOST_CSV // 1024 // 1024} MB. Filter or aggregate more.")
    return {"row_count": count, "columns": [name for name, _ in columns]}, out.getvalue().encode()


def _fetched(con: Any, most: int | None = None) -> Iterator[tuple[Any, ...]]:
    while rows := con.fetchmany(min(CHUNK, most or CHUNK)):
        yield from rows


def _plain(value: Any) -> Any:
    """As JSON has it. A number that a float cannot hold is text, so that no digit is lost."""
    match value:
        case None | bool() | int():
            return value
        case float():
            return value if math.isfinite(value) else str(value)
        case Decimal():
            near = float(value)
            return near if Decimal(repr(near)) == value else str(value)
        case datetime() | date() | time():
            return value.isoformat()
        case bytes():
            return f"[{len(value)} bytes]"
        case dict():
            return {str(key): _plain(each) for key, each in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        case list() | tuple():
            return [_plain(each) for each in value]  # pyright: ignore[reportUnknownVariableType]
        case _:
            text = str(value)
            return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def _cell(value: Any) -> Any:
    """As CSV has it: whole."""
    if isinstance(value, str):
        return value
    plain = _plain(value)
    return json.dumps(plain, ensure_ascii=False) if isinstance(plain, list | dict | bool) else plain


def _known(con: Any, sql: str) -> dict[str, list[str]]:
    """The columns of each file that the query names, for whoever named one that does not exist."""
    import duckdb

    found = dict[str, list[str]]()
    for text in _readable(_texts(sql)):
        try:
            found[text] = [name for name, _ in _columns(con, f"FROM {_literal(text)}")][:200]
        except duckdb.Error:
            continue
    return found


def _readable(texts: Iterable[str]) -> list[str]:
    return [each for each in texts if each.partition("#")[0].lower().endswith((*DATA, ".xlsx", ".xlsm"))][:5]


if __name__ == "__main__":
    main()
