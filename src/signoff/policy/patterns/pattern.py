"""A pattern over a call's arguments: conditions on some, a kind for each, and no others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import cast

from pydantic import ValidationError

from signoff.kit import jsons
from signoff.kit.jsons import Json, JsonObject
from signoff.policy.argument_kinds import EMPTY
from signoff.policy.call import ProposedCall
from signoff.policy.format.triggers import Threshold, Trigger
from signoff.policy.matching.clauses import Clause, clauses, show
from signoff.policy.path_patterns import BELOW, QUERY

_ANY = "any "
_WORDS = {"==": "is", "<=": "is at most", ">=": "is at least", "<": "is below", ">": "is above"}


class BadPattern(ValueError):
    """A condition that cannot be kept, with its place."""


@dataclass(frozen=True)
class Pattern:
    """As rules write it: `where` are data thresholds, `arguments` the kinds."""

    where: tuple[Threshold, ...]
    arguments: Mapping[str, str]

    def holds(self, call: ProposedCall) -> bool | None:
        """Whether a call is within it: by the same matcher as rules, for every value of a list."""
        result: bool | None = True
        for clause in self._clauses:
            found = clause.holds(call, None)
            if found is False:
                return False
            result = result if found else None
        return result

    def to_json(self) -> JsonObject:
        return {"where": [_written(each) for each in self.where], "arguments": dict(self.arguments)}

    def to_text(self) -> str:
        return jsons.dumps(self.to_json())

    @cached_property
    def _clauses(self) -> tuple[Clause, ...]:
        given: JsonObject = {"data_threshold": list(self.where)} if self.where else {}
        return clauses(Trigger(**given, arguments=dict(self.arguments)), every=True)

    def conditions(self) -> list[str]:
        """Each condition in words, then what may say anything."""
        said = [f"{each.field} {words}" for each in self.where if (words := self._words(each))]
        free = [path for path, kind in self.arguments.items() if kind != EMPTY and not self._names(path)]
        return [*said, *(f"{_ANY}{path}" for path in free)]

    def sentence(self, who: str, tool: str) -> str:
        """What it lets an agent do, for the person who decides about it."""
        said = [each for each in self.conditions() if not each.startswith(_ANY)]
        free = [each.removeprefix(_ANY) for each in self.conditions() if each.startswith(_ANY)]
        rest = f" {_listed(free).capitalize()} may say anything." if free else ""
        return f"{who} may use {tool}{f' if {_listed(said)}' if said else ''}.{rest}"

    def _words(self, threshold: Threshold) -> str:
        """Two bounds of one number are one condition."""
        if threshold.operator not in (">=", "<="):
            return in_words(threshold)
        other = "<=" if threshold.operator == ">=" else ">="
        beside = next((each for each in self.where if (each.field, each.operator) == (threshold.field, other)), None)
        if beside is None:
            return in_words(threshold)
        if threshold.operator == ">=":
            return ""
        least = f"between {show(beside.value)} and" if beside.value else "at most"
        return f"is {least} {show(threshold.value)}"

    def _names(self, path: str) -> bool:
        return any(each.field == path for each in self.where)


def thresholds(given: Sequence[JsonObject]) -> tuple[Threshold, ...]:
    """Conditions as they are written. Raises BadPattern saying what is wrong with which."""
    found = list[Threshold]()
    for index, each in enumerate(given):
        try:
            found.append(Threshold.model_validate({name: value for name, value in each.items() if value is not None}))
        except ValidationError as error:
            first = error.errors()[0]
            raise BadPattern(f"where.{index}: {first['msg'].removeprefix('Value error, ')}") from None
    return tuple(found)


def in_words(threshold: Threshold) -> str:
    """A condition without its field: `is at most 120`, `is in reports/ (.md files)`."""
    match threshold.operator:
        case "like":
            value = threshold.value
            places = cast("list[Json]", value) if isinstance(value, list) else [value]
            return "is " + " or ".join(_place(str(each)) for each in places)
        case "exists":
            return "is not given" if threshold.value is False else "is anything"
        case "==" if isinstance(threshold.value, bool):
            return "is on" if threshold.value else "is off"
        case "in":
            values: list[Json] = threshold.value
            return f"is {' or '.join(show(each) for each in values)}"
        case word:
            return f"{_WORDS.get(word, word.replace('_', ' '))} {show(threshold.value)}"


def _place(pattern: str) -> str:
    """`reports/*.md` → in reports/ (.md files)."""
    body = pattern.removesuffix(QUERY)
    folder, _, last = body.rpartition("/")
    deep = last == BELOW or folder == BELOW or folder.endswith(f"/{BELOW}")
    folder = folder.removesuffix(BELOW).removesuffix("/")
    if "*" not in last:
        return f"{body}"
    where = f"{folder}/" if folder else "the run's own folder"
    kind = f" ({last[1:]} files)" if last.startswith("*.") else ""
    return f"{'anywhere in' if deep else 'in'} {where}{kind}"


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _written(threshold: Threshold) -> JsonObject:
    return {"field": threshold.field, "operator": threshold.operator, "value": threshold.value}


@lru_cache(maxsize=8_192)
def kept_pattern(text: str) -> Pattern:
    """A pattern as it was kept, made ready once for each content in each process."""
    kept: JsonObject = jsons.loads(text)
    return Pattern(thresholds(kept["where"]), kept["arguments"])
