"""One Python file with tools: run as a module of its own, and whatever is wrong with it said with its line."""

import ast
import hashlib
import sys
import traceback
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from signoff.kit.jsons import clean_text
from signoff.tools.own.acceptance import why_refused
from signoff.tools.registry import Tool
from signoff.tools.threads import NoThreadFree, ToolThreads

# Whoever starts the server waits for it. One that hangs keeps its thread for good.
SECONDS = 10.0
LONGEST = 500
_THREADS = ToolThreads(most=8)
NO_BRACKETS = "tool() takes 0 positional arguments"


class BadToolFile(Exception):
    """The file cannot be used; why, and where in it."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.message = clean_text(" ".join(message.split()))[:LONGEST]
        self.line = line


def load_file(place: Path, source: bytes, taken: Mapping[str, str]) -> list[Tool]:
    """The tools of a file. Raises BadToolFile: then none of them is to be used."""
    try:
        tree = ast.parse(source, str(place))
        module: ModuleType = _THREADS.run_within(SECONDS, _executed, place, tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise BadToolFile(*_said(error, place)) from error
    except TimeoutError:
        raise BadToolFile(f"it took longer than {SECONDS:g} seconds to load") from None
    except NoThreadFree:
        raise BadToolFile("too many files hang while they load: mend them, then restart") from None
    # One tool may have several names in the file.
    named = {id(value): (name, value) for name, value in vars(module).items() if isinstance(value, Tool)}
    found = dict[str, Tool]()
    identity = hashlib.sha256(source).hexdigest()
    for variable, tool in named.values():
        if why := why_refused(tool, {**taken, **dict.fromkeys(found, "another one in this file")}):
            raise BadToolFile(why, _line_of(tree, variable))
        # Code that somebody put here, whatever it calls itself, and another one once the file is.
        found[tool.name] = replace(tool, source="python", identity=identity)
    if not found:
        raise BadToolFile("there is no tool in it: put @tool(...) over a function")
    return list(found.values())


def _executed(place: Path, tree: ast.Module) -> ModuleType:
    """The module, which a later version of it replaces. Functions of the former one go on as they were."""
    name = f"signoff_own_tools.{place.stem}"
    module, before = ModuleType(name), sys.modules.get(name)
    module.__file__ = str(place)
    sys.modules[name] = module
    try:
        exec(compile(tree, str(place), "exec"), vars(module))  # noqa: S102
    except (Exception, SystemExit) as error:
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before
        raise BadToolFile(*_said(error, place)) from error
    return module


def _said(error: BaseException, place: Path) -> tuple[str, int | None]:
    """What went wrong, and the last line of the file that had a part in it."""
    if isinstance(error, SyntaxError) and error.filename == str(place):
        return f"{error.msg}", error.lineno
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(place)]
    message = f"{type(error).__name__}: {error}"
    if NO_BRACKETS in message:
        message = "@tool needs brackets: @tool(risk=..., title=...)"
    return message, lines[-1] if lines else None


def _line_of(tree: ast.Module, variable: str) -> int | None:
    for part in tree.body:
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) and part.name == variable:
            return part.lineno
        if isinstance(part, ast.Assign) and any(isinstance(to, ast.Name) and to.id == variable for to in part.targets):
            return part.lineno
    return None
