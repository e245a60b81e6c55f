"""What rules see of a run, wherever one of its calls is judged."""

from typing import Any, TypedDict

from sqlalchemy.orm import Session

from signoff.claims.rules_in_force import in_force
from signoff.kit.jsons import JsonObject
from signoff.policy.call import SCHEDULE
from signoff.policy.compiled import Policy
from signoff.runs.models import Run

FIELDS = ("created_by", "title", "mode")


class PolicyInputs(TypedDict):
    """The part of a proposed call that is the same for all calls of a run."""

    agent: str | None
    workflow: str | None
    scope: str
    fields: JsonObject


def rules_for(session: Session, run: Run) -> Policy:
    """The rules of this moment: the workspace's, and those of the workflows of whose steps it is."""
    # Whatever is started below a workflow bears its name.
    return in_force(session, run.workspace_id, run.id if run.workflow is not None else None)


def policy_inputs(run: Any, run_id: str, given: Any = None) -> PolicyInputs:
    """For a run, or for a row with these of its columns. A large input comes with them, read by `value_of`."""
    given = run.input if given is None else given
    if given is None and "input" in run.apart:
        # Rules about it would seem not to be met.
        raise RuntimeError(f"the input of run {run_id} was not read")
    fields = {name: getattr(run, name) for name in FIELDS}
    fields |= {"input": given, "step": run.step, SCHEDULE: run.schedule_id}
    return {"agent": run.agent, "workflow": run.workflow, "scope": run_id, "fields": fields}
