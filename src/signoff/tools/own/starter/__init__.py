"""The first lines of a new tool, with a test beside it."""

import sys
from collections.abc import Mapping
from importlib.resources import files
from keyword import iskeyword
from pathlib import Path

from signoff.kit import private_files
from signoff.tools.own.acceptance import why_bad_name

# Its undo is a tool, too.
LONGEST = 59


class CannotWrite(Exception):
    """No tool was made; the message says why."""


def write_tool(folder: Path, name: str, taken: Mapping[str, str]) -> tuple[Path, Path]:
    """Write a working tool of this name and its test. Nothing that is there is overwritten."""
    _require_good(name, taken)
    places = folder / f"{name}.py", folder / f"test_{name}.py"
    try:
        private_files.folder(folder)
        for place, template in zip(places, ("tool.py.txt", "test.py.txt"), strict=True):
            text = files(__name__).joinpath(template).read_text(encoding="utf-8").replace("NAME", name)
            if not private_files.put_once(place, text):
                raise CannotWrite(f"{place} exists already. Choose another name, or delete it first.")
    except OSError as error:
        raise CannotWrite(f"{folder} cannot be written: {error.strerror or type(error).__name__}.") from error
    return places


def _require_good(name: str, taken: Mapping[str, str]) -> None:
    for each in (name, f"undo_{name}"):
        if why := why_bad_name(each, taken):
            raise CannotWrite(f"{why[0].upper()}{why[1:]}.")
    if not name.isidentifier() or name != name.lower() or len(name) > LONGEST:
        raise CannotWrite(f"{name!r} has to be the name of a function: small letters, digits and _, at most {LONGEST}.")
    if iskeyword(name) or name in sys.stdlib_module_names or name.startswith(("test_", "conftest")):
        raise CannotWrite(f"{name!r} means something else to Python. Choose another name.")
