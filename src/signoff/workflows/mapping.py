"""What a step gets, made from the context."""

from collections.abc import Mapping, Sequence

from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.workflows.context import MISSING, Context, Missing, fields_of, object_of
from signoff.workflows.definition import ITEM, Const, PathWithDefault, Source, Step, Template
from signoff.workflows.fields import properties_of
from signoff.workflows.templates import TemplateError, Work, evaluate


class MissingInput(Exception):
    """What a step needs is not there, or cannot be made."""


def step_input(step: Step, context: Context) -> str:
    """The step's input as JSON: what its mapping says, else the whole context."""
    if step.input is None:
        return context.text()
    # An item is known only to each run of its own.
    per_item = step.each.as_ if step.each is not None else None
    sources = step.input.items()
    return mapped({to: each for to, each in sources if not (per_item and _is_of_item(each, per_item))}, context)


def mapped(sources: Mapping[str, Source], context: Context) -> str:
    """An object whose fields are taken from the context, as JSON."""
    return object_of({target: _made(target, source, context) for target, source in sources.items()})


def item_input(
    step: Step,
    given: str,
    context: Context,
    index: int,
    items: Sequence[str] | None = None,
    work: Work | None = None,
) -> str:
    """The same for one item of an `each`: with the item and its place. `items` is the list, where it is at hand. The
    templates of each item count by themselves, or as `work`."""
    assert step.each is not None
    item = _item(context, step.each.path, index) if items is None else items[index] if index < len(items) else MISSING
    if item is MISSING:
        raise MissingInput(f"`{step.each.path}` has no item {index}.")
    around = context.with_item(step.each.as_, item, index, work or Work())
    mapped = {
        target: _made(target, source, around)
        for target, source in (step.input or {}).items()
        if _is_of_item(source, step.each.as_)
    }
    if step.tool is not None:
        # A call has its arguments and nothing beside them; an item that somebody named is one.
        named = {step.each.as_: item} if step.each.as_ != ITEM else {}
        own = fields_of(given) if step.input is not None else None
        return object_of({**(own or {}), **named, **mapped})
    return object_of({**(fields_of(given) or {}), step.each.as_: item, "index": str(index), **mapped})


def _item(context: Context, path: str, index: int) -> str | Missing:
    """One of a list, without taking all of it apart."""
    listed = context.raw(path)
    return context.raw(f"{path}.{index}") if listed is not MISSING and listed.lstrip().startswith("[") else MISSING


def without_item(step: Step, given: str, wanted: JsonObject | None) -> str:
    """What a workflow is given, less of the item what nobody mapped and what it does not take."""
    if step.each is None or wanted is None or wanted.get("additionalProperties") is not False:
        return given
    beside = {step.each.as_, "index"} - set(step.input or ()) - set(properties_of(wanted))
    return object_of({name: value for name, value in (fields_of(given) or {}).items() if name not in beside})


def _is_of_item(source: Source, item: str) -> bool:
    path = source if isinstance(source, str) else source.path if isinstance(source, PathWithDefault) else ""
    if isinstance(source, Template):
        return item in source.template or "index" in source.template
    return path.split(".")[0] in (item, "index")


def _made(target: str, source: Source, context: Context) -> str:
    match source:
        case str():
            found = context.raw(source)
            if found is MISSING:
                raise MissingInput(f"`{source}`, for its input `{target}`, is not in the context.")
            return found
        case Const():
            return jsons.exact(source.const)
        case PathWithDefault():
            found = context.raw(source.path)
            if found is not MISSING:
                return found
            if source.has_default:
                return jsons.exact(source.default)
            raise MissingInput(f"`{source.path}`, for its input `{target}`, is not in the context.")
        case Template():
            return _from_template(target, source.template, context)


def _from_template(target: str, template: str, context: Context) -> str:
    try:
        return jsons.exact(evaluate(template, context.values, context.work))
    except (TemplateError, ValueError) as error:
        raise MissingInput(f"the template for its input `{target}` failed: {error}") from None
