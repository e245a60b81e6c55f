"""What other arguments of a call would do, for those below the tools in the order of imports."""

from pathlib import Path

from signoff.connections.queries import granted
from signoff.kit.db.database import Database
from signoff.kit.jsons import JsonObject, digest
from signoff.policy.impact import Impact, ImpactOf
from signoff.tools.connections.available import ConnectionTools
from signoff.tools.egress import ANYWHERE
from signoff.tools.impact_statements import Statements
from signoff.tools.registry import Registry

# No run has this id, so nothing is there.
NO_RUN = "-"


def tool_impacts(registry: Registry, connected: ConnectionTools, db: Database, runs_folder: Path) -> ImpactOf:
    """By the tools that this process knows, and the folders of its runs. What was stated once stays so: it is for
    one request, which asks before it locks anything."""
    known = dict[tuple[str | None, str, str], Impact | None]()

    def state(run_id: str | None, name: str, arguments: JsonObject) -> Impact | None:
        about = run_id, name, digest(arguments)
        if about not in known:
            tool, statements = registry.get(name), Statements(runs_folder / (run_id or NO_RUN))
            if tool is None and run_id is not None:
                tool = db.read(lambda session: connected.of(session, granted(session, run_id)).get(name))
            known[about] = tool.used_for(arguments, ANYWHERE, statements).assessment.impact if tool else None
        return known[about]

    return state
