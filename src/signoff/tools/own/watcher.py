"""The folder of the user's tools, followed: what is right is in use within seconds, in every process."""

import logging
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from signoff.tools.own.acceptance import names_taken
from signoff.tools.own.folder import NotTrusted, read_trusted, require_trusted, tool_files
from signoff.tools.own.load_file import BadToolFile, load_file
from signoff.tools.registry import Registry, Tool

log = logging.getLogger(__name__)
WATCH_SECONDS = 1.0
# Changes whenever the content, the mode or the file itself does.
State: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class ToolProblem:
    """Why a file of the folder, or all of it, is not used."""

    file: str
    line: int | None
    message: str
    # The tools of its last good version are still in use.
    kept: bool

    def __str__(self) -> str:
        where = f"{self.file}, line {self.line}" if self.line else self.file
        stays = "The version before stays in use." if self.kept else "Its tools are not available."
        return f"{where}: {self.message}. {stays}"


@dataclass
class _Followed:
    """One file: how it last looked, the tools of its last good version, and what is wrong with it now."""

    state: State
    tools: list[Tool] = field(default_factory=list[Tool])
    problem: ToolProblem | None = None


class OwnTools:
    """Keeps the tools of a folder in a registry. A broken file never replaces a good one."""

    def __init__(self, registry: Registry, folder: Path) -> None:
        self._registry = registry
        self._folder = folder
        self._files = dict[str, _Followed]()
        self._folder_problem: ToolProblem | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="signoff-own-tools", daemon=True)

    @property
    def problems(self) -> list[ToolProblem]:
        found = [each.problem for each in list(self._files.values()) if each.problem]
        return [self._folder_problem, *found] if self._folder_problem else found

    def start(self) -> None:
        self.look()
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(timeout=5)

    def _watch(self) -> None:
        while not self._stop.wait(WATCH_SECONDS):
            self.look()

    def look(self) -> None:
        """Take in what changed since the last look. Calls that are under way keep the function they began with."""
        try:
            states = self._states()
            self._folder_problem = None
        except (NotTrusted, OSError) as error:
            self._refuse_folder(error)
            return
        changed = {
            name for name, state in states.items() if name not in self._files or self._files[name].state != state
        }
        gone = self._files.keys() - states.keys()
        if not changed and not gone:
            return
        for name in gone:
            self._registry.replace(self._files.pop(name).tools, [])
        for name in sorted(changed):
            self._files.setdefault(name, _Followed(states[name])).state = states[name]
        taken_in = [self._take(name) for name in sorted(changed)]
        # What was wrong with a file may be mended by a change of another: a name is free now.
        if gone or any(taken_in):
            for name in sorted(name for name, each in self._files.items() if each.problem):
                self._take(name)

    def _states(self) -> dict[str, State]:
        if not self._folder.is_dir():
            return {}
        require_trusted(self._folder, self._folder.stat())
        return {each.name: _state(each) for each in tool_files(self._folder)}

    def _refuse_folder(self, error: Exception) -> None:
        message = str(error) if isinstance(error, NotTrusted) else f"it cannot be read ({type(error).__name__})"
        problem = ToolProblem(self._folder.name, None, message, kept=any(each.tools for each in self._files.values()))
        if problem != self._folder_problem:
            log.error("%s", problem)
        self._folder_problem = problem

    def _take(self, name: str) -> bool:
        followed = self._files[name]
        taken = names_taken(self._registry)
        for other, each in self._files.items():
            taken |= dict.fromkeys((tool.name for tool in each.tools), other)
        for tool in followed.tools:
            del taken[tool.name]
        try:
            place = self._folder / name
            tools = load_file(place, read_trusted(self._folder, place), taken)
        except (BadToolFile, NotTrusted, OSError) as error:
            self._refuse(followed, name, error)
            return False
        self._registry.replace(followed.tools, tools)
        followed.tools, followed.problem = tools, None
        log.info("%s: %s", name, ", ".join(tool.name for tool in tools))
        return True

    def _refuse(self, followed: _Followed, name: str, error: Exception) -> None:
        line, message = None, str(error)
        if isinstance(error, BadToolFile):
            line, message = error.line, error.message
        elif isinstance(error, OSError):
            message = f"it cannot be read ({error.strerror or type(error).__name__})"
        problem = ToolProblem(name, line, message, kept=bool(followed.tools))
        if problem != followed.problem:
            log.error("%s", problem)
        followed.problem = problem


def _state(place: Path) -> State:
    try:
        state = place.stat()
    except OSError:
        return ()
    return state.st_mtime_ns, state.st_ctime_ns, state.st_size, state.st_ino
