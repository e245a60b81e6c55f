"""Sheets of a workbook as tables, each column with the one type that fits all of its cells."""

import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import duckdb

MOST_UNPACKED = 256 * 1024 * 1024
MOST_CELLS = 2_000_000
MOST_COLUMNS = 1_000
LONGEST_CELL = 32_767
_TYPES = {bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE", datetime: "TIMESTAMP", date: "DATE", time: "TIME"}


class NotReadable(Exception):
    """A workbook that is none, or too large."""


def load_workbook(con: "duckdb.DuckDBPyConnection", path: Path, name: str) -> list[str]:
    """Make `name` the first sheet, and `name#Sheet` each sheet; the names of the tables."""
    _check_size(path, name)
    from openpyxl import load_workbook as opened

    try:
        book = opened(path, read_only=True, data_only=True)
    except Exception as error:
        raise NotReadable(f"{name} is no Excel workbook: {error}") from error
    made, cells = list[str](), 0
    for sheet in book.worksheets:
        columns, rows = _table(sheet.iter_rows(values_only=True), MOST_CELLS - cells, name)
        cells += len(columns) * len(rows)
        table = f"{name}#{sheet.title}"
        _store(con, table, columns, rows)
        if not made:
            con.execute(f"CREATE VIEW {quoted(name)} AS FROM {quoted(table)}")
            made.append(name)
        made.append(table)
    return made


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _check_size(path: Path, name: str) -> None:
    """A little that is packed may be much."""
    try:
        with zipfile.ZipFile(path) as packed:
            size = sum(each.file_size for each in packed.infolist())
    except (OSError, zipfile.BadZipFile) as error:
        raise NotReadable(f"{name} is no Excel workbook (.xlsx): {error}") from error
    if size > MOST_UNPACKED:
        raise NotReadable(f"{name} is larger than {MOST_UNPACKED // 1024 // 1024} MB unpacked. Save it as CSV.")


def _table(found: Iterator[tuple[Any, ...]], most_cells: int, name: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    first = next(found, ())
    # Sheets often claim more columns than anybody filled.
    width = max((place for place, title in enumerate(first, 1) if title is not None), default=0)
    if width > MOST_COLUMNS:
        raise NotReadable(f"{name} has more than {MOST_COLUMNS} columns.")
    rows = list[tuple[Any, ...]]()
    for row in found:
        if any(cell is not None for cell in row[:width]):
            rows.append((*row[:width], *[None] * (width - len(row))))
        if len(rows) * width > most_cells:
            raise NotReadable(f"{name} has more than {MOST_CELLS:,} cells. Save it as CSV.")
    return _titles(first[:width]), rows


def _titles(first: tuple[Any, ...]) -> list[str]:
    """Each once, as a table wants them."""
    seen, titles = set[str](), list[str]()
    for place, cell in enumerate(first, 1):
        title = " ".join(str(cell).split())[:200] if cell is not None else ""
        title = title or f"column{place}"
        while title.lower() in seen:
            title += "_"
        seen.add(title.lower())
        titles.append(title)
    return titles


def _store(con: "duckdb.DuckDBPyConnection", table: str, titles: list[str], rows: list[tuple[Any, ...]]) -> None:
    if not titles:
        con.execute(f'CREATE TABLE {quoted(table)} ("empty" VARCHAR)')
        return
    cells = [[row[place] for row in rows] for place in range(len(titles))]
    types = [_type(column) for column in cells]
    described = ", ".join(f"{quoted(title)} {kind}" for title, kind in zip(titles, types, strict=True))
    con.execute(f"CREATE TABLE {quoted(table)} ({described})")
    if rows:
        values = [_converted(column, kind) for column, kind in zip(cells, types, strict=True)]
        spread = ", ".join(f"unnest(CAST(? AS {kind}[]))" for kind in types)
        con.execute(f"INSERT INTO {quoted(table)} SELECT {spread}", values)


def _type(column: list[Any]) -> str:
    found: set[type[Any]] = {type(cell) for cell in column if cell is not None}
    if found == {int} and all(abs(cell) < 2**63 for cell in column if cell is not None):
        return "BIGINT"
    if found == {int, float} or found == {int}:
        return "DOUBLE"
    return _TYPES.get(next(iter(found)), "VARCHAR") if len(found) == 1 else "VARCHAR"


def _converted(column: list[Any], kind: str) -> list[Any]:
    if kind != "VARCHAR":
        return column
    return [None if cell is None else str(cell)[:LONGEST_CELL] for cell in column]
