"""What rules see of a run, wherever one of its calls is judged."""

from typing import Any, TypedDict

from signoff.kit.jsons import JsonObject
from signoff.policy.call import SCHEDULE

FIELDS = ("input", "created_by", "title", "mode")


class PolicyInputs(TypedDict):
    """The part of a proposed call that is the same for all calls of a run."""

    agent: str | None
    workflow: str | None
    scope: str
    fields: JsonObject


def policy_inputs(run: Any, run_id: str) -> PolicyInputs:
    """For a run, or for a row with these of its columns."""
    fields = {name: getattr(run, name) for name in FIELDS} | {"step": run.step, SCHEDULE: run.schedule_id}
    return {"agent": run.agent, "workflow": run.workflow, "scope": run_id, "fields": fields}
