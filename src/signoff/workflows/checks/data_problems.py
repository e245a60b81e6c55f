"""Whether what steps are given is there, and is what they take. Pure."""

from collections.abc import Iterator

from signoff.kit.jsons import JsonObject
from signoff.workflows import conditions
from signoff.workflows.checks.known import Known, close_name
from signoff.workflows.definition import (
    ITEM,
    Const,
    PathWithDefault,
    Source,
    Step,
    Template,
    WorkflowDefinition,
    in_order,
    steps_before,
)
from signoff.workflows.fields import Fields, fields_of_step, fits, properties_of, type_of, types_of
from signoff.workflows.reading import Problem


def problems_of_paths(definition: WorkflowDefinition, known: Known, *, certain: bool) -> Iterator[Problem]:
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
                hint = close_name(path.split(".")[0], there.names)
                yield Problem(step.id, f"steps.{index}.{name}", f"Nothing before this step makes `{path}`.{hint}")
            elif found and certain and (wrong := _mismatch(step, name, found, known)):
                yield Problem(step.id, f"steps.{index}.{name}", wrong)


def _of_condition(step: Step, there: Fields) -> Iterator[str]:
    """A name whose `-` was read as a minus is one that nothing makes, too."""
    for name in sorted(conditions.names_in(step.when or "")):
        if there.find(name) is None and name != "steps":
            yield f"Nothing before this step makes `{name}`.{close_name(name, there.names)}"


def _of_steps_named(step: Step, there: Fields) -> Iterator[str]:
    for name in sorted(conditions.steps_in(step.when or "") - there.steps.keys()):
        dashed = next((each for each in there.steps if each.startswith(f"{name}-")), None)
        hint = (
            close_name(name, there.steps) if dashed is None else f' A `-` is a minus here: write `steps["{dashed}"]`.'
        )
        yield f"No step {name!r} is done before this one.{hint}"


def _known_before(definition: WorkflowDefinition, step: Step, known: Known) -> Fields:
    """What is in the context when a step begins, as far as schemas say."""
    there, before = Fields.of_input(definition.input_schema), steps_before(definition, step.id)
    for each in in_order(definition):
        if each.id in before:
            there = there.with_step(each, fields_of_step(each, known.agents, known.workflows))
    return there


def problems_of_given(step: Step, known: Known) -> Iterator[tuple[str, str]]:
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
