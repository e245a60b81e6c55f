"""A Vega-Lite chart as a picture, from data that is given or lies in a folder. It fetches nothing."""

import csv
import json
import os
import stat
from pathlib import Path
from typing import Any

from signoff.sandbox import pipe
from signoff.sandbox.limits import confine

CPU_SECONDS = 20
MOST_DATA = 20 * 1024 * 1024
MOST_ROWS = 50_000
SCALE = 2.0


class Refused(Exception):
    """What was asked cannot be drawn."""


def main() -> None:
    asked = pipe.request()
    import vl_convert

    # V8 sets aside far more addresses than memory: whoever started this watches what is really used.
    confine(cpu_seconds=CPU_SECONDS, memory_bytes=None)
    os.chdir(asked["folder"])
    try:
        spec = asked["spec"]
        if asked["data_path"] is not None:
            spec = spec | {"data": {"values": rows(Path(asked["data_path"]))}}
        content = drawn(vl_convert, spec, asked["format"])
    except Refused as error:
        pipe.answer({"error": str(error)})
    else:
        pipe.answer({"size_bytes": len(content)}, content)


def drawn(vl_convert: Any, spec: dict[str, Any], picture: str) -> bytes:
    try:
        if picture == "png":
            return vl_convert.vegalite_to_png(spec, scale=SCALE, allowed_base_urls=[])
        return vl_convert.vegalite_to_svg(spec, allowed_base_urls=[]).encode()
    except ValueError as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        # What follows is where in its own code it happened.
        said = " ".join(line for line in lines if not line.startswith("at "))[:1000]
        raise Refused(f"The chart could not be drawn: {said}") from error


def rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a CSV or JSON file."""
    content = _content(path).decode("utf-8-sig", "replace")
    if path.suffix.lower() in (".csv", ".tsv"):
        delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
        found: list[Any] = [
            {name: _number(cell) for name, cell in row.items() if name is not None}
            for row in csv.DictReader(content.splitlines(), delimiter=delimiter)
        ]
    elif path.suffix.lower() in (".json", ".jsonl", ".ndjson"):
        found = _json_rows(content, path)
    else:
        raise Refused(f"{path} is neither CSV nor JSON. Make one of it with save_query.")
    if len(found) > MOST_ROWS:
        raise Refused(f"{path} has more than {MOST_ROWS:,} rows. Aggregate them with save_query first.")
    return found


def _json_rows(content: str, path: Path) -> list[Any]:
    try:
        if path.suffix.lower() != ".json":
            return [json.loads(line) for line in content.splitlines() if line.strip()]
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise Refused(f"{path} is no JSON: {error}") from error
    if not isinstance(found, list):
        raise Refused(f"{path} has to be a list of rows.")
    return list[Any](found)  # pyright: ignore[reportUnknownArgumentType]


def _content(path: Path) -> bytes:
    """Of the run's own regular file: neither a link nor another name of a file elsewhere."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise Refused(f"{path} could not be read: {error.strerror}.") from error
    at = os.fstat(descriptor)
    try:
        if not stat.S_ISREG(at.st_mode) or at.st_nlink > 1:
            raise Refused(f"{path} is no file of this folder alone.")
        if at.st_size > MOST_DATA:
            raise Refused(f"{path} is larger than {MOST_DATA // 1024 // 1024} MB. Aggregate it with save_query first.")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read(MOST_DATA)
    finally:
        os.close(descriptor)


def _number(cell: Any) -> Any:
    if not isinstance(cell, str):
        return cell
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            continue
    return cell or None


if __name__ == "__main__":
    main()
