"""Whether a template can be read. Pure."""

from collections.abc import Iterator
from typing import Any, cast

import jmespath
from jmespath import functions
from jmespath.exceptions import JMESPathError

from signoff.kit.jsons import JsonObject
from signoff.workflows.checks.known import close_name


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
    return f"There is no function {unknown[0]}().{close_name(unknown[0], known)}" if unknown else None


def _functions(node: Any) -> Iterator[str]:
    """In no order. Hundreds of pipes stand inside each other, deeper than functions may call themselves."""
    left = [node]
    while left:
        each = left.pop()
        if isinstance(each, dict):
            parsed = cast(JsonObject, each)
            if parsed.get("type") == "function_expression":
                yield parsed["value"]
            left += parsed.get("children", ())
