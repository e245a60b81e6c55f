"""What is wrong with a workflow that reads well: names that do not exist, circles, fields that nobody makes. Pure."""

from collections.abc import Iterator

from signoff.kit.jsons import JsonObject
from signoff.kit.schema.check import schema_problem
from signoff.workflows import conditions
from signoff.workflows.checks.checkpoints import problems_of_time, warnings_of_signers
from signoff.workflows.checks.data_problems import problems_of_given, problems_of_paths
from signoff.workflows.checks.known import Known, close_name
from signoff.workflows.checks.template_problem import template_problem
from signoff.workflows.definition import (
    ITEM,
    MOST_STEPS,
    RESERVED,
    RESERVED_SLUGS,
    Step,
    Template,
    WorkflowDefinition,
    needs_of,
    steps_before,
    unconnected,
)
from signoff.workflows.fields import properties_of
from signoff.workflows.own_rules import problems_of_rules
from signoff.workflows.reading import Problem

# What paths begin with, whatever the item of an `each` is called.
TAKEN = ("input", "steps", "index")
ALONE = "It is connected to no other step, so it runs beside them from the start."
NO_READER = "Only an agent reads a task. Nobody reads this one."
# Of what has more steps than this, only that is told: each is compared with all.
MOST_LOOKED_AT = 5 * MOST_STEPS


def problems_of(definition: WorkflowDefinition, known: Known) -> list[Problem]:
    """Everything that would fail when it runs, as far as that can be told now."""
    found = list[Problem](_of_whole(definition))
    if len(definition.steps) > MOST_LOOKED_AT:
        return found
    found += (Problem(None, path, words) for path, words in problems_of_rules(definition))
    for index, step in enumerate(definition.steps):
        place = f"steps.{index}"
        found += (Problem(step.id, f"{place}.{name}", words) for name, words in _of_step(definition, step, known))
    circle = _circle(definition)
    if circle:
        names = " → ".join([*circle, circle[0]])
        found.append(
            Problem(circle[0], f"steps.{_index(definition, circle[0])}.needs", f"These wait for each other: {names}.")
        )
    return [*found, *problems_of_paths(definition, known, certain=True)]


def warnings_of(definition: WorkflowDefinition, known: Known) -> list[Problem]:
    """What may go wrong, and cannot be told."""
    if len(definition.steps) > MOST_LOOKED_AT or _circle(definition):
        return []
    of_signers = warnings_of_signers(definition, known.people) if known.people is not None else ()
    alone = (Problem(each, f"steps.{_index(definition, each)}.needs", ALONE) for each in unconnected(definition))
    unread = [step.id for step in definition.steps if step.task is not None and step.agent is None]
    tasks = (Problem(each, f"steps.{_index(definition, each)}.task", NO_READER) for each in unread)
    found = [*problems_of_paths(definition, known, certain=False), *problems_of_drafts(definition, known)]
    return [*found, *alone, *tasks, *of_signers]


def problems_of_drafts(definition: WorkflowDefinition, known: Known) -> Iterator[Problem]:
    """What fails if it runs now, and is well once something else is deployed."""
    for index, step in enumerate(definition.steps):
        if step.workflow in known.drafts and step.workflow != definition.slug:
            words = f"The workflow {step.workflow!r} has only drafts. Deploy it before this one runs."
            yield Problem(step.id, f"steps.{index}.workflow", words)


def problem_of_count(definition: WorkflowDefinition) -> Problem | None:
    count = len(definition.steps)
    words = f"There are {count} steps, at most {MOST_STEPS} go. Move some to a workflow of their own."
    return Problem(None, "steps", words) if count > MOST_STEPS else None


def _of_whole(definition: WorkflowDefinition) -> Iterator[Problem]:
    if too_many := problem_of_count(definition):
        yield too_many
    if definition.slug in RESERVED_SLUGS:
        yield Problem(None, "slug", f"{definition.slug!r} is taken by the API. Choose another one.")
    if definition.input_schema is not None and (wrong := schema_problem(definition.input_schema)):
        yield Problem(None, "input_schema", wrong)
    seen = set[str]()
    for index, step in enumerate(definition.steps):
        if step.id in seen:
            yield Problem(step.id, f"steps.{index}.id", f"Two steps are called {step.id!r}. Give one another id.")
        seen.add(step.id)
        if step.id in RESERVED:
            yield Problem(
                step.id, f"steps.{index}.id", f"{step.id!r} means something else in paths. Choose another id."
            )


def _of_step(definition: WorkflowDefinition, step: Step, known: Known) -> Iterator[tuple[str, str]]:
    for kind, given, there in (
        ("agent", step.agent, known.agents),
        ("workflow", step.workflow, known.workflows),
        ("tool", step.tool, known.tools),
    ):
        if kind == "tool" and given in known.tools_of_agents:
            yield kind, f"{given!r} works with what an agent has. Let an agent use it in its step."
        elif given is not None and given not in there and not (kind == "workflow" and given == definition.slug):
            yield kind, f"There is no {kind} {given!r}.{close_name(given, there)}"
    if step.each is not None and step.each.as_ in TAKEN:
        yield "each.as", f"{step.each.as_!r} means something else in paths. Choose another name."
    yield from _of_item(step, known.tools.get(step.tool or ""))
    yield from problems_of_time(step)
    if step.workflow is not None and _contains(step.workflow, definition.slug, known):
        yield "workflow", "The workflow would start itself. Choose another one."
    yield from problems_of_given(step, known)
    yield from _of_needs(definition, step)
    yield from _of_expressions(step)


def _of_item(step: Step, schema: JsonObject | None) -> Iterator[tuple[str, str]]:
    """An item with a name is an argument of the tool."""
    if step.each is None or step.each.as_ == ITEM or schema is None or schema.get("additionalProperties") is not False:
        return
    if step.each.as_ not in properties_of(schema):
        wanted = f"The tool {step.tool!r} takes no `{step.each.as_}`."
        yield "each.as", f"{wanted} Leave `as` out, and map what it takes from `{ITEM}`."


def _of_needs(definition: WorkflowDefinition, step: Step) -> Iterator[tuple[str, str]]:
    ids = [each.id for each in definition.steps]
    for each in step.needs or ():
        if each not in ids:
            yield "needs", f"There is no step {each!r}.{close_name(each, ids)}"
        elif each == step.id:
            yield "needs", "A step cannot wait for itself."


def _of_expressions(step: Step) -> Iterator[tuple[str, str]]:
    if step.when is not None and (wrong := conditions.problem(step.when)):
        yield "when", wrong
    if step.output_schema is not None:
        if wrong := schema_problem(step.output_schema):
            yield "output_schema", wrong
        for name in sorted({"input", "steps"} & set(properties_of(step.output_schema))):
            yield "output_schema", f"The field {name!r} means something else in paths. Call it otherwise."
    for target, source in (step.input or {}).items():
        if isinstance(source, Template) and (wrong := template_problem(source.template)):
            yield f"input.{target}", wrong


def _circle(definition: WorkflowDefinition) -> list[str]:
    if len({step.id for step in definition.steps}) < len(definition.steps):
        # Whoever waits for one of two of the same name seems to wait for itself.
        return []
    needs = needs_of(definition)
    for step in definition.steps:
        if step.id in steps_before(definition, step.id):
            circle, at = [step.id], step.id
            while (
                at := next(each for each in needs[at] if step.id in {each} | steps_before(definition, each))
            ) != step.id:
                if at in circle:
                    break
                circle.append(at)
            return circle
    return []


def _contains(slug: str, wanted: str, known: Known) -> bool:
    """Whether a workflow is started by another one, however deep. Each is looked at once: many may start the same."""
    seen, look = {slug}, [slug]
    while look:
        at = look.pop()
        if at == wanted:
            return True
        inner = known.workflows.get(at)
        started = {each.workflow for each in inner.steps if each.workflow} if inner is not None else set[str]()
        look += started - seen
        seen |= started
    return False


def _index(definition: WorkflowDefinition, step_id: str) -> int:
    return next(index for index, step in enumerate(definition.steps) if step.id == step_id)
