"""The connections of a run as people see them: of a workflow, those of its steps."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from signoff.claims.models import of_work
from signoff.connections import queries
from signoff.connections.models import Connection, ConnectionGrant
from signoff.connections.schemas import GrantOut
from signoff.runs.models import Run


def shown_grants(session: Session, run: Run) -> list[GrantOut]:
    """What it may use, and what was taken from it."""
    if run.kind != "workflow":
        return [GrantOut.of(*each) for each in queries.grants(session, [run.id])]
    of_steps = dict[str, list[tuple[ConnectionGrant, Connection]]]()
    for grant, row in queries.grants(session, of_work(run.id)):
        of_steps.setdefault(row.id, []).append((grant, row))
    return [_together(run, each) for each in of_steps.values()]


def _together(run: Run, found: Sequence[tuple[ConnectionGrant, Connection]]) -> GrantOut:
    """One connection of several steps. What was taken from the workflow itself was taken from all of them."""
    whole = next((each for each in found if each[0].run_id == run.id), None)
    if whole is not None:
        return GrantOut.of(*whole)
    shown = [GrantOut.of(*each) for each in found]
    first = next((each for each in shown if each.revoked_at is None), shown[-1])
    named = [each.tools for each in shown]
    tools = None if None in named else sorted({tool for each in named for tool in each or ()})
    return first.model_copy(update={"tools": tools})
