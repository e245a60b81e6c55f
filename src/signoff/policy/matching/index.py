"""Rules in their order, found by what they name, so that most need not be asked."""

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

from signoff.policy.call import CALLS, ProposedCall
from signoff.policy.matching.clauses import KIND
from signoff.policy.matching.rule import Match

R = TypeVar("R", bound=Match)


class RuleIndex(Generic[R]):
    """Each rule about calls lies in one place: by the tools it names, else by its operation types, else among the rest.

    What is no call is met only by the rules that name its kind."""

    __slots__ = ("_all", "_by_kind", "_by_operation", "_by_tool", "_rest", "_rules")

    def __init__(self, rules: Sequence[R] = ()) -> None:
        self._all = tuple(rules)
        self._by_kind = dict[str, list[R]]()
        self._rules = tuple(rule for rule in self._all if self._is_about_calls(rule))
        self._by_tool, self._by_operation = dict[str, list[int]](), dict[str, list[int]]()
        self._rest = list[int]()
        for position, rule in enumerate(self._rules):
            named = {clause.about: clause.names for clause in rule.clauses if clause.names and clause.about != KIND}
            place = self._by_tool if "tool" in named else self._by_operation
            for name in named.get("tool") or named.get("operation_type") or ():
                place.setdefault(name, []).append(position)
            if not named:
                self._rest.append(position)

    def _is_about_calls(self, rule: R) -> bool:
        """Lay a rule by the kinds that it names; one that names none is about calls."""
        kinds = next((clause.names for clause in rule.clauses if clause.about == KIND), frozenset({CALLS}))
        for kind in kinds:
            self._by_kind.setdefault(kind, []).append(rule)
        return CALLS in kinds

    def __iter__(self) -> Iterator[R]:
        return iter(self._all)

    def near(self, call: ProposedCall) -> Sequence[R]:
        """The rules that may match a call, in their order."""
        if call.ask_kind != CALLS:
            return self._by_kind.get(call.ask_kind, ())
        if len(self._rest) == len(self._rules):
            return self._rules
        found = [*self._rest, *self._by_tool.get(call.tool, ()), *self._by_operation.get(call.operation_type, ())]
        found.sort()
        rules = self._rules
        return [rules[position] for position in found]
