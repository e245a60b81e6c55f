"""A pattern over a call's arguments: conditions on some, a kind for each, and no others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import cast

from pydantic import ValidationError

from signoff.kit import jsons
from signoff.kit.jsons import Json, JsonObject
from signoff.kit.text.field_words import field_words
from signoff.policy.argument_kinds import EMPTY, leaves
from signoff.policy.call import ProposedCall
from signoff.policy.format.triggers import Threshold, Trigger
from signoff.policy.impact import Impact, is_within
from signoff.policy.matching.clauses import Clause, clauses, show
from signoff.policy.path_patterns import BELOW, QUERY

_ANY = "any "
_WORDS = {"==": "is", "!=": "is not", "<=": "is at most", ">=": "is at least", "<": "is below", ">": "is above"}


class BadPattern(ValueError):
    """A condition that cannot be kept, with its place."""


@dataclass(frozen=True)
class Pattern:
    """As rules write it: `where` are data thresholds, `arguments` the kinds. The rest is for allowances alone."""

    where: tuple[Threshold, ...]
    arguments: Mapping[str, str]
    # Lists that stay as they are, in their order, by their fingerprints.
    lists: Mapping[str, str] = field(default_factory=dict[str, str])
    # Of all arguments together, where nothing but exactly them is meant; `where` then only says it in words.
    digest: str | None = None
    # What the approved call did; None where that is not looked at.
    impact: Impact | None = None

    def as_rule(self) -> "Pattern | None":
        """The same without what only an allowance has room for; None where the rest would be wider."""
        exactly = self.digest is None or all(each.operator == "==" for each in self.where)
        listed = self.lists or any(kind.startswith("up to ") for kind in self.arguments.values())
        return Pattern(self.where, self.arguments) if exactly and not listed else None

    def holds(self, call: ProposedCall) -> bool | None:
        """Whether a call is within it: by the same matcher as rules, for every value of a list."""
        if self.impact is not None and not is_within(call.assessment.impact, self.impact):
            return False
        if self.digest is not None:
            return jsons.digest(call.arguments) == self.digest
        if self.lists and not self._has_the_lists(call):
            return False
        result: bool | None = True
        for clause in self._clauses:
            found = clause.holds(call, None)
            if found is False:
                return False
            result = result if found else None
        return result

    def _has_the_lists(self, call: ProposedCall) -> bool:
        found = leaves(call.arguments) or {}
        return all(path in found and jsons.digest(found[path].values) == kept for path, kept in self.lists.items())

    def to_json(self) -> JsonObject:
        kept: JsonObject = {"where": [_written(each) for each in self.where], "arguments": dict(self.arguments)}
        kept |= {"lists": dict(self.lists)} if self.lists else {}
        kept |= {"digest": self.digest} if self.digest is not None else {}
        return kept | ({"impact": self.impact.to_json()} if self.impact is not None else {})

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
        how = " with exactly these arguments" if self.digest is not None else ""
        link = ": " if how else " if "
        return f"{who} may use {tool}{how}{f'{link}{_listed(said)}' if said else ''}.{rest}"

    def _words(self, threshold: Threshold) -> str:
        """Two bounds of one number are one condition; a list that stays as it is has no other members."""
        if threshold.operator == "in" and (self.digest is not None or threshold.field in self.lists):
            return f"is {_listed([show(each) for each in cast('list[Json]', threshold.value)])}"
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
            raise BadPattern(f"where.{index}: {field_words(first)}") from None
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
    impact = Impact.from_json(kept["impact"]) if "impact" in kept else None
    where = thresholds(kept["where"])
    return Pattern(where, kept["arguments"], kept.get("lists", {}), kept.get("digest"), impact)
