"""What is wrong with a workflow that reads well: names that do not exist, circles, fields that nobody makes. Pure."""

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, cast

import jmespath
from jmespath import functions
from jmespath.exceptions import JMESPathError

from signoff.kit.jsons import JsonObject
from signoff.kit.schema.check import schema_problem
from signoff.policy.warnings.signers import People
from signoff.workflows import conditions
from signoff.workflows.checkpoints import problems_of_time, warnings_of_signers
from signoff.workflows.definition import (
    ITEM,
    MOST_STEPS,
    RESERVED,
    Const,
    PathWithDefault,
    Source,
    Step,
    Template,
    WorkflowDefinition,
    in_order,
    needs_of,
    steps_before,
    unconnected,
)
from signoff.workflows.fields import Fields, fields_of_step, fits, properties_of, type_of, types_of
from signoff.workflows.own_rules import problems_of_rules
from signoff.workflows.reading import Problem

# What paths begin with, whatever the item of an `each` is called.
TAKEN = ("input", "steps", "index")
ALONE = "It is connected to no other step, so it runs beside them from the start."
NO_READER = "Only an agent reads a task. Nobody reads this one."
# Of what has more steps than this, only that is told: each is compared with all.
MOST_LOOKED_AT = 5 * MOST_STEPS
# A name is compared with so many others, and none that is longer than people write.
MOST_COMPARED, LONGEST_COMPARED = 200, 60


@dataclass(frozen=True)
class Known:
    """What there is in the workspace, by name."""

    # With what their output must fit, if anything.
    agents: Mapping[str, JsonObject | None] = field(default_factory=dict[str, "JsonObject | None"])
    # As they are deployed, or else as they were saved last.
    workflows: Mapping[str, WorkflowDefinition] = field(default_factory=dict[str, WorkflowDefinition])
    # With the schema of their arguments.
    tools: Mapping[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    # Who may sign at checkpoints, where that is looked at.
    people: People | None = None
    # Tools that work with what an agent has, or its run was granted.
    tools_of_agents: frozenset[str] = frozenset()
    # Workflows that cannot start yet.
    drafts: frozenset[str] = frozenset()


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
    return [*found, *_of_mappings(definition, known, certain=True)]


def warnings_of(definition: WorkflowDefinition, known: Known) -> list[Problem]:
    """What may go wrong, and cannot be told."""
    if len(definition.steps) > MOST_LOOKED_AT or _circle(definition):
        return []
    of_signers = warnings_of_signers(definition, known.people) if known.people is not None else ()
    alone = (Problem(each, f"steps.{_index(definition, each)}.needs", ALONE) for each in unconnected(definition))
    unread = [step.id for step in definition.steps if step.task is not None and step.agent is None]
    tasks = (Problem(each, f"steps.{_index(definition, each)}.task", NO_READER) for each in unread)
    found = [*_of_mappings(definition, known, certain=False), *_of_drafts(definition, known)]
    return [*found, *alone, *tasks, *of_signers]


def _of_drafts(definition: WorkflowDefinition, known: Known) -> Iterator[Problem]:
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
            yield kind, f"There is no {kind} {given!r}.{_hint(given, there)}"
    if step.each is not None and step.each.as_ in TAKEN:
        yield "each.as", f"{step.each.as_!r} means something else in paths. Choose another name."
    yield from _of_item(step, known.tools.get(step.tool or ""))
    yield from problems_of_time(step)
    if step.workflow is not None and _contains(step.workflow, definition.slug, known):
        yield "workflow", "The workflow would start itself. Choose another one."
    yield from _of_wanted(step, known)
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
            yield "needs", f"There is no step {each!r}.{_hint(each, ids)}"
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


def template_problem(template: str) -> str | None:
    """What is wrong with a JMESPath expression, unknown functions included: the library finds those only when run."""
    try:
        parsed = jmespath.compile(template).parsed
    except RecursionError:
        return "It cannot be read: it is nested too deeply."
    except JMESPathError as error:
        return f"It cannot be read: {error}"
    known = functions.Functions.FUNCTION_TABLE
    unknown = sorted({name for name in _functions(parsed) if name not in known})
    return f"There is no function {unknown[0]}().{_hint(unknown[0], known)}" if unknown else None


def _functions(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        parsed = cast(JsonObject, node)
        if parsed.get("type") == "function_expression":
            yield parsed["value"]
        for child in parsed.get("children", ()):
            yield from _functions(child)


def _of_mappings(definition: WorkflowDefinition, known: Known, *, certain: bool) -> Iterator[Problem]:
    """Paths to what no earlier step makes. Where one does not say what it makes, it is only a warning."""
    for index, step in enumerate(definition.steps):
        there = _known_before(definition, step, known)
        paths = [(f"input.{target}", source) for target, source in (step.input or {}).items()]
        if step.each is not None:
            paths.append(("each", step.each.path))
        if certain:
            yield from (Problem(step.id, f"steps.{index}.when", words) for words in _of_steps_named(step, there))
        if there.complete is certain:
            yield from (Problem(step.id, f"steps.{index}.when", words) for words in _of_condition(step, there))
        for name, source in paths:
            path = _path(source)
            if path is None or (step.each is not None and path.split(".")[0] in (step.each.as_, "index")):
                continue
            found = there.find(path)
            if found is None and (there.complete or there.is_nowhere(path)) is certain:
                hint = _hint(path.split(".")[0], there.names)
                yield Problem(step.id, f"steps.{index}.{name}", f"Nothing before this step makes `{path}`.{hint}")
            elif found and certain and (wrong := _mismatch(step, name, found, known)):
                yield Problem(step.id, f"steps.{index}.{name}", wrong)


def _of_condition(step: Step, there: Fields) -> Iterator[str]:
    """A name whose `-` was read as a minus is one that nothing makes, too."""
    for name in sorted(conditions.names_in(step.when or "")):
        if there.find(name) is None and name != "steps":
            yield f"Nothing before this step makes `{name}`.{_hint(name, there.names)}"


def _of_steps_named(step: Step, there: Fields) -> Iterator[str]:
    for name in sorted(conditions.steps_in(step.when or "") - there.steps.keys()):
        dashed = next((each for each in there.steps if each.startswith(f"{name}-")), None)
        hint = _hint(name, there.steps) if dashed is None else f' A `-` is a minus here: write `steps["{dashed}"]`.'
        yield f"No step {name!r} is done before this one.{hint}"


def _known_before(definition: WorkflowDefinition, step: Step, known: Known) -> Fields:
    """What is in the context when a step begins, as far as schemas say."""
    there, before = Fields.of_input(definition.input_schema), steps_before(definition, step.id)
    for each in in_order(definition):
        if each.id in before:
            there = there.with_step(each, fields_of_step(each, known.agents, known.workflows))
    return there


def _of_wanted(step: Step, known: Known) -> Iterator[tuple[str, str]]:
    """What its tool or workflow has to be given, and is not."""
    schema = _wanted(step, known)
    if step.input is None or schema is None:
        return
    item = _item_names(step)
    for name in schema.get("required") or ():
        if name not in step.input and name not in item:
            yield "input", f"The {_kind(step)} {step.subject!r} needs `{name}`. Map it."
    for name, source in step.input.items():
        wanted = properties_of(schema).get(name)
        if wanted is not None and isinstance(source, Const) and not fits(constant := type_of(source.const), wanted):
            yield f"input.{name}", f"It must be {_type(wanted)}, and this is {_type(constant)}."


def _item_names(step: Step) -> set[str]:
    """What each run is given of its item without a mapping."""
    if step.each is None or (step.tool is not None and step.each.as_ == ITEM):
        return set()
    return {step.each.as_} if step.tool is not None else {step.each.as_, "index"}


def _wanted(step: Step, known: Known) -> JsonObject | None:
    if step.tool is not None:
        return known.tools.get(step.tool)
    inner = known.workflows.get(step.workflow or "")
    return inner.input_schema if inner is not None else None


def _kind(step: Step) -> str:
    return "tool" if step.tool is not None else "workflow"


def _mismatch(step: Step, name: str, found: JsonObject, known: Known) -> str | None:
    if name == "each":
        return None if fits(found, {"type": "array"}) else f"It goes through a list, and this is {found.get('type')}."
    wanted = properties_of(_wanted(step, known)).get(name.removeprefix("input."))
    if wanted is None or fits(found, wanted):
        return None
    return f"It must be {_type(wanted)}, and what stands there is {_type(found)}."


def _type(schema: JsonObject) -> str:
    return " or ".join(sorted(types_of(schema))) or "anything"


def _path(source: Source) -> str | None:
    match source:
        case str():
            return source
        case PathWithDefault():
            return None if source.has_default else source.path
        case Const() | Template():
            return None


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


def _hint(given: str, there: Iterable[str]) -> str:
    if len(given) > LONGEST_COMPARED:
        return ""
    names = (each for each in there if len(each) <= LONGEST_COMPARED)
    close = difflib.get_close_matches(given, list(islice(names, MOST_COMPARED)), n=1)
    return f" Did you mean {close[0]!r}?" if close else ""
