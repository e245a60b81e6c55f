"""Which steps may begin. Pure."""

from collections.abc import Mapping

from signoff.runs.workflow.states import DONE, StepStatus
from signoff.workflows.definition import Step, WorkflowDefinition, needs_of


def ready(definition: WorkflowDefinition, states: Mapping[str, StepStatus]) -> list[Step]:
    """Steps that nobody has begun and whose needs are all done, in the order of the definition."""
    needs = needs_of(definition)
    return [
        step
        for step in definition.steps
        if states[step.id] is StepStatus.PENDING and all(states[each] in DONE for each in needs[step.id])
    ]


def stops_on_error(definition: WorkflowDefinition, step: Step) -> bool:
    """Whether the workflow fails with this step."""
    return definition.stop_on_error if step.stop_on_error is None else step.stop_on_error
