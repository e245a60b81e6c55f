"""How data would go through a workflow, with samples in the place of what agents make. Pure."""

from collections.abc import Mapping

from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.workflows.conditions import ConditionError, holds
from signoff.workflows.context import Context
from signoff.workflows.definition import Step, WorkflowDefinition, in_order, needs_of, steps_before
from signoff.workflows.fields import sample
from signoff.workflows.mapping import MissingInput, item_input, step_input
from signoff.workflows.schemas import StepPreview


def preview(
    definition: WorkflowDefinition,
    given: str,
    agents: Mapping[str, JsonObject | None],
    outputs: Mapping[str, str] | None = None,
) -> list[StepPreview]:
    """What each step would receive, in the order in which they begin. `outputs`, by step, stand in for samples."""
    made, shown = dict[str, str](), list[StepPreview]()
    done, needs, left = set[str](), needs_of(definition), list(definition.steps)
    source = "sample" if outputs is None else "run"
    while left:
        step = next((each for each in left if set(needs[each.id]) <= done), left[0])
        left.remove(step)
        done.add(step.id)
        context = _context_of(definition, step, given, made)
        row = {"id": step.id, "input": None, "from": source, "error": None}
        skipped = False
        try:
            received = step_input(step, context)
            if step.each is not None:
                received = item_input(step, received, context, 0)
            row["input"] = jsons.loads(received)
            if step.when is not None and not holds(step.when, context):
                row["error"], skipped = "Its condition is not met: it is skipped.", True
        except (MissingInput, ConditionError) as error:
            row["error"] = str(error)
        shown.append(StepPreview.model_validate(row))
        output = (outputs or {}).get(step.id)
        if output is None and skipped:
            continue
        if output is None:
            source = "schema"
            one = sample(step.output_schema or agents.get(step.agent or ""))
            output = jsons.exact([one] if step.each is not None else one)
        made[step.id] = output
    return shown


def _context_of(definition: WorkflowDefinition, step: Step, given: str, made: Mapping[str, str]) -> Context:
    """As in a run: what the steps before it made, whatever others make beside it."""
    before, context = steps_before(definition, step.id), Context.start(given)
    for each in in_order(definition):
        if each.id in before and each.id in made:
            context = context.with_output(each.id, made[each.id])
    return context
