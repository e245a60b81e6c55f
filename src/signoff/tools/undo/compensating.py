"""The call that would take another one back, found out by looking at the world: within a moment, never inside a
transaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from signoff.asks.effects.previews import effect
from signoff.kit.db.database import Database
from signoff.kit.jsons import JsonObject, clean_text, digest
from signoff.kit.settings import Settings
from signoff.policy.risk import Assessment
from signoff.runs.models import Call, Run
from signoff.runs.undoing.undo_calls import CannotBeUndone
from signoff.tools.effects import CannotUndo, UndoCall
from signoff.tools.egress import ANYWHERE
from signoff.tools.impact_statements import Statements
from signoff.tools.previews import make_preview
from signoff.tools.registry import Registry, Tool, ToolContext
from signoff.tools.threads import NoThreadFree, ToolThreads

SECONDS = 2.0
_THREADS = ToolThreads(most=8)


@dataclass(frozen=True)
class Compensation:
    """What takes a call back, as policy and people see it."""

    target: Call
    # As it is used with these arguments.
    tool: Tool
    arguments: JsonObject
    preview: JsonObject | None

    @property
    def assessment(self) -> Assessment:
        return self.tool.assessment

    @property
    def digest(self) -> str:
        """Of what would happen, for who looks before they undo."""
        shown = effect(self.preview) if self.preview else None
        return digest({"tool": self.tool.name, "arguments": self.arguments, "preview": shown})


def compensations(
    registry: Registry, settings: Settings, db: Database, run: Run, targets: Sequence[Call]
) -> list[Compensation]:
    """What would take these back, one after the other. Raises CannotBeUndone if the first cannot be.

    What the others would change is known where the world is as their call left it. Elsewhere a call after them has
    been there: of them the world is looked at once that one is undone."""
    around = (registry, settings, db, run)
    found = list[Compensation]()
    for target in targets:
        try:
            found.append(compensation(*around, target))
        except CannotBeUndone:
            if not found:
                raise
            found.append(compensation(*around, target, looks_later=True))
    return found


def digest_of(found: Sequence[Compensation]) -> str:
    """Of all that would happen, in its order."""
    return digest([each.digest for each in found])


def compensation(
    registry: Registry, settings: Settings, db: Database, run: Run, target: Call, *, looks_later: bool = False
) -> Compensation:
    """What would take a call back now. Raises CannotBeUndone with the reason."""
    folder = settings.runs_folder / run.id
    agent = run.agent or ""
    context = ToolContext(run.workspace_id, run.id, agent, target.id, folder, settings, db, looks_later=looks_later)
    wanted = undo_call(registry.get(target.tool), context, target.arguments, target.result)
    tool = registry.get(wanted.tool)
    if tool is None or tool.check(wanted.arguments):
        raise CannotBeUndone(f"{target.tool} can no longer be undone here: {wanted.tool} is not available.")
    used = tool.used_for(wanted.arguments, ANYWHERE, Statements(folder))
    shown = None if looks_later else make_preview(tool, context, wanted.arguments)
    return Compensation(target, used, wanted.arguments, shown)


def undo_call(tool: Tool | None, context: ToolContext, arguments: JsonObject, result: Any) -> UndoCall:
    """Ask a tool how a call of it is taken back. Raises CannotBeUndone with the reason."""
    if tool is None or tool.undo is None or not tool.reviewed:
        raise CannotBeUndone("This tool has no undo.")
    try:
        found: Any = _THREADS.run_within(SECONDS, tool.undo, context, arguments, result)
    except CannotUndo as error:
        raise CannotBeUndone(clean_text(str(error))) from error
    except (TimeoutError, NoThreadFree) as error:
        raise CannotBeUndone("It took too long to find out how to undo it. Try again.") from error
    except Exception as error:
        raise CannotBeUndone("The tool could not say how to undo it.") from error
    return found
