"""JMESPath over foreign data, with a bound on its work: the library has none, and 2,000 characters can double a value
300 times."""

from typing import Any, cast

import jmespath
from jmespath.exceptions import JMESPathError
from jmespath.visitor import TreeInterpreter

from signoff.kit.jsons import Json, JsonObject

# Steps of a template and values that it makes: about a second, and no more memory than its result.
MOST_WORK = 1_000_000
# A value is worth so many characters.
CHARACTERS = 16
MAKING = frozenset(
    {"multi_select_list", "multi_select_dict", "function_expression", "flatten", "slice"}
    | {"projection", "filter_projection", "value_projection"}
)
# What goes through all that it is given, however deep.
DEEP = frozenset({"to_string", "contains"})


class TemplateError(Exception):
    """A template cannot be read, fails on this data, or would go on for too long."""


class Work:
    """How much a few templates may do together."""

    def __init__(self, most: int = MOST_WORK) -> None:
        self._left = most

    @property
    def is_used_up(self) -> bool:
        return self._left < 0

    def count(self, units: int = 1) -> None:
        self._left -= units
        if self._left < 0:
            raise TemplateError("it makes too much of this data; let it take less")

    def count_all(self, value: Any) -> None:
        """All that is in a value. What stands in it twice counts twice, as it does when it is written."""
        left = [value]
        while left:
            each = left.pop()
            self.count()
            if isinstance(each, str):
                self.count(len(each) // CHARACTERS)
            elif isinstance(each, list):
                left += cast(list[Any], each)
            elif isinstance(each, dict):
                left += cast(JsonObject, each).values()


def evaluate(template: str, value: Json, work: Work) -> Json:
    """What a template makes of a value."""
    try:
        return _Bounded(work).visit(jmespath.compile(template).parsed, value)
    except RecursionError:
        raise TemplateError("it is nested too deeply") from None
    except (JMESPathError, ValueError, TypeError) as error:
        raise TemplateError(str(error)) from None


class _Bounded(TreeInterpreter):
    def __init__(self, work: Work) -> None:
        super().__init__()
        self._work = work

    def visit(self, node: Any, *args: Any, **kwargs: Any) -> Any:
        self._work.count()
        made: Any = super().visit(node, *args, **kwargs)
        if node["type"] in MAKING:
            self._work.count_all(made)
        return made

    def visit_function_expression(self, node: Any, value: Any) -> Any:
        given = self._visited(node, value)
        for each in given:
            if node["value"] in DEEP:
                self._work.count_all(each)
            elif isinstance(each, str | list | dict):
                self._work.count(len(cast(str, each)) // (CHARACTERS if isinstance(each, str) else 1))
        return super().visit_function_expression(_of_values(node, given), value)

    def visit_comparator(self, node: Any, value: Any) -> Any:
        sides = self._visited(node, value)
        for each in sides:
            self._work.count_all(each)
        return super().visit_comparator(_of_values(node, sides), value)

    def _visited(self, node: Any, value: Any) -> list[Any]:
        return [self.visit(child, value) for child in node["children"]]


def _of_values(node: Any, values: list[Any]) -> Any:
    """The same with what its parts came to, so that none is worked out twice."""
    children: list[Any] = [{"type": "literal", "value": each, "children": []} for each in values]
    return {**node, "children": children}
