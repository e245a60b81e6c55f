"""What other arguments of a call would do, for those below the tools in the order of imports."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from signoff.kit.jsons import JsonObject, digest
from signoff.policy.impact import Impact, ImpactOf
from signoff.tools.egress import ANYWHERE
from signoff.tools.impact_statements import Statements
from signoff.tools.registry import Registry, Tool

# No run has this id, so nothing is there.
NO_RUN = "-"
# What the connections of a run give it, by the run's id and the tool's name.
GrantedTool: TypeAlias = Callable[[str, str], Tool | None]


def tool_impacts(registry: Registry, runs_folder: Path, of_connections: GrantedTool | None = None) -> ImpactOf:
    """By the tools that this process knows, and the folders of its runs. What was stated once stays so: it is for
    one request, which asks before it locks anything."""
    known = dict[tuple[str | None, str, str], Impact | None]()

    def state(run_id: str | None, name: str, arguments: JsonObject) -> Impact | None:
        about = run_id, name, digest(arguments)
        if about not in known:
            tool, statements = registry.get(name), Statements(runs_folder / (run_id or NO_RUN))
            if tool is None and run_id is not None and of_connections is not None:
                tool = of_connections(run_id, name)
            known[about] = tool.used_for(arguments, ANYWHERE, statements).assessment.impact if tool else None
        return known[about]

    return state
