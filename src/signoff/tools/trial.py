"""A tool tried without a server and without a run: what it says of a call, and what it does in a folder you choose."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from signoff.kit import jsons
from signoff.kit.db.database import Database
from signoff.kit.jsons import JsonObject
from signoff.kit.settings import Settings
from signoff.policy.impact import Impact
from signoff.policy.risk import Assessment
from signoff.tools.effects import CannotUndo, UndoCall
from signoff.tools.egress import ANYWHERE
from signoff.tools.impact_statements import Statements
from signoff.tools.previews import make_preview
from signoff.tools.registry import Tool, ToolContext, ToolFailed

CALL_ID = "trial"


class _NoDatabase(Database):
    def __init__(self) -> None:
        """Nothing is opened."""

    def __getattr__(self, name: str) -> NoReturn:
        raise ToolFailed("This tool needs the server's database, and there is none in a trial.")


@dataclass(frozen=True)
class Trial:
    """One tool, and a folder that stands for the run's own. For tests of your tools, and `signoff tools test`."""

    tool: Tool
    folder: Path
    settings: Settings = field(default_factory=Settings)

    def problems(self, arguments: JsonObject) -> list[str]:
        """What is wrong with the arguments, each with its place."""
        return [f"{each.path}: {each.message}" if each.path else each.message for each in self.tool.check(arguments)]

    def assessment(self, arguments: JsonObject) -> Assessment:
        """Risk, reasons and impact of this call, before any rule."""
        return self.tool.used_for(arguments, ANYWHERE, Statements(self.folder)).assessment

    def impact(self, **arguments: Any) -> Impact | None:
        return self.assessment(arguments).impact

    def preview(self, **arguments: Any) -> JsonObject | None:
        """As it would stand on an ask; None: the tool has none."""
        return make_preview(self.tool, self._context, arguments)

    def run(self, **arguments: Any) -> Any:
        """Do it, in this folder and in whatever the tool reaches. Raises ToolFailed, as in a run."""
        if wrong := self.problems(arguments):
            raise ToolFailed(f"The arguments of {self.tool.name} do not fit: {'; '.join(wrong)}")
        result = asyncio.run(self.tool.run(self._context, arguments))
        # An undo gets what was stored.
        return jsons.loads(jsons.dumps(result))

    def undo(self, result: Any, **arguments: Any) -> UndoCall:
        """The call that would take this one back. Raises CannotUndo."""
        if self.tool.undo is None:
            raise CannotUndo(f"{self.tool.name} has no undo.")
        return self.tool.undo(self._context, arguments, result)

    @property
    def _context(self) -> ToolContext:
        return ToolContext("trial", "trial", "trial", CALL_ID, self.folder, self.settings, _NoDatabase())
