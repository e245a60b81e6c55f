"""A file that does not have the right shape: each mistake in plain words, at its line and column."""

from collections.abc import Iterator
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from signoff.policy.format.rule_file import RuleFile
from signoff.policy.format.triggers import Example
from signoff.policy.problems import MOST_PROBLEMS, Misfits, RuleProblem, unknown
from signoff.policy.yaml.positions import Index, Node

WORDS = {
    "string_type": "must be text",
    "string_too_short": "must not be empty",
    "string_too_long": "is too long; at most {max_length} characters",
    "bool_type": "must be true or false, without quotes",
    "int_type": "must be a whole number, without quotes",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number, without quotes",
    "greater_than_equal": "must be at least {ge:,.12g}",
    "less_than_equal": "must be at most {le:,.12g}",
    "too_short": "is empty; write at least one entry, or leave the key out",
    "model_type": "must be a block of `key: value` lines",
    "model_attributes_type": "must be a block of `key: value` lines",
    "dict_type": "must be a block of `key: value` lines",
}


def problems_of(error: ValidationError, root: Node) -> Iterator[RuleProblem]:
    """The mistakes that the shape shows."""
    for each in error.errors(include_url=False)[:MOST_PROBLEMS]:
        steps = each["loc"]
        cause = each.get("ctx", {}).get("error")
        if isinstance(cause, Misfits):
            for key, message in cause.found:
                yield RuleProblem(*_key_place(root, (*steps, key)), message)
        elif each["type"] == "extra_forbidden":
            yield RuleProblem(*_key_place(root, steps), _unknown_key(str(steps[-1]), _part(steps[:-1])))
        else:
            yield RuleProblem(*root.find(steps).place, str(cause) if cause else _words(each, root, steps))


def _unknown_key(key: str, part: type[BaseModel]) -> str:
    message = unknown("key", key, [field.alias or name for name, field in part.model_fields.items()])
    return f"{message}. What the tool is given goes under `arguments`" if part is Example else message


def _words(each: ErrorDetails, root: Node, steps: tuple[Index, ...]) -> str:
    if each["type"] == "missing":
        return f"`{steps[-1]}` is missing{_for_example(steps)}"
    words = WORDS[each["type"]].format(**each.get("ctx", {})) if each["type"] in WORDS else each["msg"]
    written = _written(root, steps)
    if not written:
        return f"the file {words}"
    if isinstance(written[-1], int):
        return f"an entry of `{written[-2]}` {words}"
    return f"`{written[-1]}` {words}{_for_example(written)}"


def _written(root: Node, steps: tuple[Index, ...]) -> tuple[Index, ...]:
    """The steps that really stand in the file: short forms leave some out."""
    node, written = root, list[Index]()
    for step in steps:
        if step in node.inside:
            node = node.inside[step]
            written.append(step)
    return tuple(written)


def _for_example(steps: tuple[Index, ...]) -> str:
    key = steps[-1]
    field = next((each for name, each in _part(steps[:-1]).model_fields.items() if (each.alias or name) == key), None)
    return f"; write for example `{key}: {field.examples[0]}`" if field and field.examples else ""


def _key_place(root: Node, steps: tuple[Index, ...]) -> tuple[int, int]:
    node, parent = root.find(steps), root.find(steps[:-1])
    return node.key if node is not parent else parent.place


def _part(steps: tuple[Index, ...]) -> type[BaseModel]:
    """Which block of the file these steps lead to."""
    part: type[BaseModel] = RuleFile
    for step in steps:
        for name, field in part.model_fields.items():
            if (field.alias or name) == step:
                part = _block(field.annotation) or part
    return part


def _block(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for each in get_args(annotation) if (found := _block(each))), None)
