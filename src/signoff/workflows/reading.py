"""Text or JSON → a workflow, or every problem with its place."""

from dataclasses import dataclass
from typing import Any, cast

import yaml
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from signoff.kit import jsons
from signoff.kit.errors import FieldError, Invalid
from signoff.kit.jsons import JsonObject
from signoff.policy.problems import BadRules
from signoff.policy.yaml.positions import MOST_BYTES_IN, Node, read_yaml
from signoff.policy.yaml.wording import WORDS
from signoff.workflows.definition import WorkflowDefinition, written

# Where a workflow has other things to say than rules.
OWN_WORDS = {
    "extra_forbidden": "is not a field of a workflow; take it out, or correct its name",
    "missing": "is missing",
    "float_parsing": "must be a number",
    "int_parsing": "must be a whole number",
    "too_short": "A workflow needs at least one step.",
    "string_pattern_mismatch": "Use only lower-case letters, digits, `-` and `_`, as in `first-step`.",
}


@dataclass(frozen=True)
class Problem:
    """One mistake: the step and the field that it is about, and what to do."""

    step: str | None
    path: str
    message: str
    line: int | None = None
    column: int | None = None


class BadWorkflow(Invalid):
    """The workflow cannot be used; every problem that was found."""

    code = "invalid_workflow"

    def __init__(self, problems: list[Problem]) -> None:
        errors = [FieldError(each.path, each.message) for each in problems]
        listed = [{"step": each.step, "path": each.path, "message": each.message} for each in problems]
        count = "one problem" if len(problems) == 1 else f"{len(problems)} problems"
        super().__init__(f"The workflow has {count}.", errors=errors, state={"problems": listed})
        self.problems = problems


@dataclass(frozen=True)
class ReadWorkflow:
    """A workflow with the text that it was written in, and where its parts stand there."""

    definition: WorkflowDefinition
    source: str
    root: Node | None = None


def read_workflow(given: JsonObject) -> ReadWorkflow:
    """A definition, or `{yaml}` with one. Raises BadWorkflow."""
    text = given.get("yaml") if set(given) <= {"yaml", "slug"} else None
    if text is None:
        # Its rules have a bound of their own.
        if len(jsons.dumps({name: each for name, each in given.items() if name != "rules"})) > MOST_BYTES_IN:
            raise BadWorkflow([Problem(None, "steps", f"A workflow has at most {MOST_BYTES_IN:,} characters.")])
        return _checked(given, None, None)
    if not isinstance(text, str):
        raise BadWorkflow([Problem(None, "yaml", "must be text")])
    try:
        root = read_yaml(text)
    except BadRules as error:
        raise BadWorkflow(
            [Problem(None, "yaml", each.message, each.line, each.column) for each in error.problems]
        ) from None
    value: Any = root.value
    if not isinstance(value, dict):
        raise BadWorkflow([Problem(None, "yaml", "A workflow is a list of fields such as `name:` and `steps:`.", 1, 1)])
    return _checked(cast(JsonObject, value), text, root)


def as_yaml(definition: WorkflowDefinition) -> str:
    """A workflow as text, for one that was given as JSON."""
    return yaml.safe_dump(written(definition), sort_keys=False, allow_unicode=True, width=120)


def located(problem: Problem, root: Node | None) -> Problem:
    """The same with its line and column in the text, where there is one."""
    if root is None or problem.line is not None:
        return problem
    node = root
    for part in problem.path.split("."):
        # A field may be called by a number, too, or by what Python takes for one.
        index = int(part) if part.isdecimal() else part
        node = node.inside.get(part) or node.inside.get(index) or node
    return Problem(problem.step, problem.path, problem.message, *node.key)


def _checked(value: JsonObject, text: str | None, root: Node | None) -> ReadWorkflow:
    try:
        definition = WorkflowDefinition.model_validate(value)
    except ValidationError as error:
        raise BadWorkflow([located(each, root) for each in _problems(error, value)]) from None
    return ReadWorkflow(definition, as_yaml(definition) if text is None else text, root)


def _problems(error: ValidationError, value: JsonObject) -> list[Problem]:
    found = dict[tuple[str, str], Problem]()
    for each in error.errors():
        # The names of alternatives are the library's, not the author's.
        parts = [part for part in each["loc"] if not (isinstance(part, str) and ("[" in part or part[:1].isupper()))]
        path = ".".join(str(part) for part in parts if part not in ("constrained-str", "str"))
        message = _words(each)
        found[path, message] = Problem(_step_at(value, parts), path, message)
    return list(found.values())


def _words(each: ErrorDetails) -> str:
    kind = each["type"]
    if kind in OWN_WORDS:
        return OWN_WORDS[kind]
    if kind in WORDS:
        return WORDS[kind].format(**each.get("ctx", {}))
    return each["msg"].removeprefix("Value error, ")


def _step_at(value: JsonObject, parts: list[Any]) -> str | None:
    given = value.get("steps")
    if len(parts) < 2 or parts[0] != "steps" or not isinstance(parts[1], int) or not isinstance(given, list):
        return None
    steps = cast(list[Any], given)
    step = steps[parts[1]] if parts[1] < len(steps) else None
    return str(cast(JsonObject, step).get("id", parts[1] + 1)) if isinstance(step, dict) else str(parts[1] + 1)
