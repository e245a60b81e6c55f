"""How data would go through a workflow, with samples in the place of what agents make. Pure."""

from collections.abc import Mapping

from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.workflows.conditions import ConditionError, holds
from signoff.workflows.context import CHARACTERS_PARSED, Context
from signoff.workflows.definition import Step, WorkflowDefinition, in_order, needs_of, steps_before
from signoff.workflows.fields import sample
from signoff.workflows.mapping import MissingInput, item_input, step_input
from signoff.workflows.schemas import StepPreview
from signoff.workflows.templates import MOST_WORK, TemplateError, Work

# To lay fields over others costs less than to read them.
CHARACTERS_MERGED = 500
TOO_MUCH = "It is left out here: with the steps before it, this preview would go through too much data."


def preview(
    definition: WorkflowDefinition,
    given: str,
    agents: Mapping[str, JsonObject | None],
    outputs: Mapping[str, str] | None = None,
    most: int = MOST_WORK,
) -> list[StepPreview]:
    """What each step would receive, in the order in which they begin. `outputs`, by step, stand in for samples. All of
    them together do no more than one may in a run: others wait meanwhile."""
    made, shown = dict[str, str](), list[StepPreview]()
    done, needs, left = set[str](), needs_of(definition), list(definition.steps)
    source = "sample" if outputs is None else "run"
    work = Work(most)
    start = Context.start(given, work)
    while left:
        step = next((each for each in left if set(needs[each.id]) <= done), left[0])
        left.remove(step)
        done.add(step.id)
        row = {"id": step.id, "input": None, "from": source, "error": None}
        skipped = False
        try:
            if work.is_used_up:
                raise MissingInput(TOO_MUCH)
            context = _context_of(definition, step, start, made)
            received = step_input(step, context)
            if step.each is not None:
                received = item_input(step, received, context, 0, work=work)
            work.count(len(received) // CHARACTERS_PARSED)
            row["input"] = jsons.loads(received)
            if step.when is not None and not holds(step.when, context, work):
                row["error"], skipped = "Its condition is not met: it is skipped.", True
        except TemplateError:
            row["error"] = TOO_MUCH
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


def _context_of(definition: WorkflowDefinition, step: Step, start: Context, made: Mapping[str, str]) -> Context:
    """As in a run: what the steps before it made, whatever others make beside it."""
    before, context = steps_before(definition, step.id), start
    for each in in_order(definition):
        if each.id in before and each.id in made:
            start.work.count(len(made[each.id]) // CHARACTERS_MERGED)
            context = context.with_output(each.id, made[each.id])
    return context
