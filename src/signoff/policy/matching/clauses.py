"""A trigger made ready to be asked: each condition as one cheap test, and as a sentence that explains it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import TypeAlias, cast
from zoneinfo import ZoneInfo

from signoff.kit.jsons import Json
from signoff.policy.argument_kinds import fits
from signoff.policy.call import RULED_KINDS, ProposedCall
from signoff.policy.format.triggers import Comparison, Hours, Threshold, Trigger
from signoff.policy.hours import Week
from signoff.policy.impact import IMPACT_WORDS, UNKNOWN, impact_words
from signoff.policy.matching.declared_fields import declares
from signoff.policy.matching.field_paths import Reader, reader, steps_into_arguments
from signoff.policy.matching.mail_addresses import address_comparator, compares_addresses, split_addresses
from signoff.policy.operators import Comparator, Ternary, comparator
from signoff.policy.risk import Risk

Test: TypeAlias = Callable[[ProposedCall, datetime | None], Ternary]
Saying: TypeAlias = Callable[[ProposedCall, datetime | None], str]
NEGATIONS = ("!=", "not_in")
LONGEST = 60
KIND = "ask_kind"


@dataclass(frozen=True, slots=True)
class Clause:
    """One condition: what of the call it looks at, whether it holds, and that in words."""

    about: str
    holds: Test
    say: Saying
    # The only kinds, tools or operation types that can satisfy it, where they are listed by name.
    names: frozenset[str] = frozenset()


def clauses(trigger: Trigger, every: bool) -> tuple[Clause, ...]:
    """The conditions, cheapest first. With `every`, all values of a list must satisfy; else one is enough."""
    found = list[Clause]()
    if trigger.ask_kind:
        found.append(_kind(trigger.ask_kind))
    for about in ("tool", "operation_type", "agent", "workflow"):
        patterns: tuple[str, ...] = getattr(trigger, about)
        if patterns:
            found.append(_word(about, patterns))
    found += [_scheduled(trigger.scheduled)] if trigger.scheduled is not None else []
    if trigger.risk_level:
        found.append(_risk(trigger.risk_level))
    found += _effects(trigger, every)
    confidence = trigger.confidence or trigger.agent_confidence
    if confidence:
        found.append(_figure("confidence", confidence))
    if trigger.cost:
        found.append(_figure("cost", trigger.cost))
    found += _arguments(trigger, every)
    if trigger.hours:
        found.append(_hours(trigger.hours, inside=True))
    if trigger.outside_hours:
        found.append(_hours(trigger.outside_hours, inside=False))
    return tuple(found)


def _effects(trigger: Trigger, every: bool) -> list[Clause]:
    does = [_impact(frozenset(trigger.impact), every)] if trigger.impact else []
    return does + ([_reversible(trigger.reversible)] if trigger.reversible is not None else [])


def _arguments(trigger: Trigger, every: bool) -> list[Clause]:
    exactly = [_exactly(trigger.arguments)] if trigger.arguments is not None else []
    return exactly + [_field(each, every) for each in (*trigger.data_threshold, *trigger.custom_field)]


def week(hours: Hours) -> Week:
    return Week(ZoneInfo(hours.timezone), hours.days())


def _word(about: str, patterns: tuple[str, ...]) -> Clause:
    read = attrgetter(about)
    exact = frozenset(each for each in patterns if "*" not in each)
    # Most stars stand at the end, and those are one question for all.
    begins = tuple(each[:-1] for each in patterns if each.find("*") == len(each) - 1)
    globs = tuple(each.split("*") for each in patterns if -1 < each.find("*") < len(each) - 1)

    def named(call: ProposedCall, _at: datetime | None) -> Ternary:
        return read(call) in exact

    def named_or_like(call: ProposedCall, _at: datetime | None) -> Ternary:
        word = read(call)
        if word is None:
            return False
        return word in exact or word.startswith(begins) or (bool(globs) and any(_is_like(word, each) for each in globs))

    holds, what = named_or_like if begins or globs else named, about.replace("_", " ")

    def say(call: ProposedCall, at: datetime | None) -> str:
        word = read(call)
        if not word:
            return f"{what} is not given"
        return f"{what} is {word}" if holds(call, at) else f"{what} is {word}, not {' or '.join(patterns)}"

    names = exact if about in ("tool", "operation_type") and holds is named else frozenset[str]()
    return Clause(about, holds, say, names)


def _kind(kinds: tuple[str, ...]) -> Clause:
    def holds(call: ProposedCall, _at: datetime | None) -> Ternary:
        return call.ask_kind in kinds

    def say(call: ProposedCall, at: datetime | None) -> str:
        is_it = f"it is {_A_KIND[call.ask_kind]}"
        return is_it if holds(call, at) else f"{is_it}, not {' or '.join(_A_KIND[each] for each in kinds)}"

    return Clause(KIND, holds, say, frozenset(kinds))


_A_KIND = {"approval": "a call", **{kind: f"a {kind}" for kind in RULED_KINDS[1:]}}


def _is_like(word: str, glob: list[str]) -> bool:
    """Whether the parts between the stars stand in this word, in order."""
    first, *middle, last = glob
    if len(word) < len(first) + len(last) or not (word.startswith(first) and word.endswith(last)):
        return False
    start, end = len(first), len(word) - len(last)
    for part in middle:
        at = word.find(part, start, end)
        if at < 0:
            return False
        start = at + len(part)
    return True


def _risk(levels: tuple[Risk, ...]) -> Clause:
    def holds(call: ProposedCall, _at: datetime | None) -> Ternary:
        return call.assessment.level in levels

    def say(call: ProposedCall, at: datetime | None) -> str:
        level = call.assessment.level
        return f"risk is {level}" if holds(call, at) else f"risk is {level}, not {' or '.join(levels)}"

    return Clause("risk_level", holds, say)


def _impact(wanted: frozenset[str], every: bool) -> Clause:
    def holds(call: ProposedCall, _at: datetime | None) -> Ternary:
        does = impact_words(call.assessment.impact)
        if every and wanted.issuperset(does):
            return True
        if not every and not wanted.isdisjoint(does):
            return True
        # What a tool did not state may be anything.
        return None if UNKNOWN in does and (not every or wanted.issuperset(does[:-1])) else False

    def say(call: ProposedCall, at: datetime | None) -> str:
        named = ", ".join(impact_words(call.assessment.impact))
        match holds(call, at):
            case True:
                return f"impact is {named}"
            case False:
                return f"impact is {named}, not {' or '.join(word for word in IMPACT_WORDS if word in wanted)}"
            case None:
                return "impact is not known"

    return Clause("impact", holds, say)


def _reversible(wanted: bool) -> Clause:
    def can(call: ProposedCall) -> bool:
        """What nobody says can be undone cannot."""
        return call.assessment.impact is not None and call.assessment.impact.reversible

    def holds(call: ProposedCall, _at: datetime | None) -> Ternary:
        return can(call) is wanted

    def say(call: ProposedCall, _at: datetime | None) -> str:
        return "it can be undone" if can(call) else "it cannot be undone"

    return Clause("reversible", holds, say)


def _scheduled(wanted: bool) -> Clause:
    def holds(call: ProposedCall, _at: datetime | None) -> Ternary:
        return call.is_scheduled is wanted

    def say(call: ProposedCall, _at: datetime | None) -> str:
        return "a schedule started the run" if call.is_scheduled else "no schedule started the run"

    return Clause("scheduled", holds, say)


def _figure(about: str, comparison: Comparison) -> Clause:
    read, compare = attrgetter(about), comparator(comparison.operator, comparison.value)
    bound = f"{comparison.operator} {show(comparison.value)}"

    def holds(call: ProposedCall, _at: datetime | None) -> Ternary:
        value = read(call)
        return False if value is None else compare(value)

    def say(call: ProposedCall, at: datetime | None) -> str:
        value = read(call)
        return _sentence(about, value, bound, holds(call, at))

    return Clause(about, holds, say)


def _field(threshold: Threshold, every: bool) -> Clause:
    read, compare, empty = _reader(threshold), *_of_field(threshold)
    # What settles the matter at once: one value that satisfies, or, where all must, one that does not.
    settles, place = not every, steps_into_arguments(threshold.field)

    def blank(call: ProposedCall) -> Ternary:
        """What an empty place gives. A field that the tool has, and the call leaves out, could be anything."""
        if empty is False and threshold.operator != "exists" and place and call.schema is not None:
            return None if declares(call.schema, place) else empty
        return empty

    def one(value: Json, call: ProposedCall) -> Ternary:
        return blank(call) if value is None else compare(value)

    def holds(call: ProposedCall, _at: datetime | None) -> Ternary:
        value = read(call)
        if type(value) is not list:
            return blank(call) if value is None else compare(value)
        found = {one(each, call) for each in cast("list[Json]", value)}
        if settles in found:
            return settles
        return None if None in found else not settles

    def say(call: ProposedCall, at: datetime | None) -> str:
        found, value = holds(call, at), read(call)
        values = cast("list[Json]", value) if isinstance(value, list) else [value]
        telling = [each for each in values if one(each, call) is found]
        if threshold.operator == "exists":
            return f"{threshold.field} is {'not ' if telling[0] is None else ''}given"
        bound = f"{threshold.operator} {show(threshold.value)}"
        alike = f" (each of {len(values)} values)" if len(telling) == len(values) > 1 else ""
        return _sentence(threshold.field, telling[0], bound, found) + alike

    return Clause("arguments", holds, say)


def _exactly(wanted: Mapping[str, str]) -> Clause:
    def holds(call: ProposedCall, _at: datetime | None) -> Ternary:
        return fits(wanted, call.arguments)

    names = ", ".join(wanted) or "none"

    def say(call: ProposedCall, at: datetime | None) -> str:
        match holds(call, at):
            case True:
                return f"the arguments are {names}, and no others"
            case False:
                return f"the arguments are not exactly {names}, each of its kind"
            case None:
                return "which arguments are given cannot be told"

    return Clause("arguments", holds, say)


def _reader(threshold: Threshold) -> Reader:
    """Reads the field; where addresses are compared, each one by itself."""
    read = reader(threshold.field)
    if not compares_addresses(threshold.operator, threshold.value):
        return read

    def addresses(call: ProposedCall) -> Json:
        value = read(call)
        if value is None:
            return None
        values = cast("list[Json]", value) if isinstance(value, list) else [value]
        found = [address for each in values for address in split_addresses(each)]
        return found if len(found) > 1 else found[0]

    return addresses


def _of_field(threshold: Threshold) -> tuple[Comparator, Ternary]:
    """How a value is compared, and what an empty place gives."""
    if threshold.operator == "exists":
        wanted = threshold.value is not False
        return (lambda _: wanted), not wanted
    # Nothing is said of an absent field, so it satisfies nothing. Nor may its absence prove that it is *not* something.
    empty = None if threshold.operator in NEGATIONS else False
    if compares_addresses(threshold.operator, threshold.value):
        return address_comparator(threshold.operator, threshold.value), empty
    return comparator(threshold.operator, threshold.value), empty


def _hours(hours: Hours, inside: bool) -> Clause:
    times = week(hours)

    def holds(_call: ProposedCall, at: datetime | None) -> Ternary:
        found = times.open_at(at)
        return None if found is None else found is inside

    def say(_call: ProposedCall, at: datetime | None) -> str:
        local = times.local(at)
        if local is None:
            return "the time is not known, so the hours cannot be checked"
        where = "within" if times.open_at(at) else "outside"
        return f"{local:%A %H:%M} in {hours.timezone} is {where} the hours"

    return Clause("at", holds, say)


def _sentence(what: str, value: Json, bound: str, holds: Ternary) -> str:
    if value is None:
        return f"{what} is not given" + (f", so {what} {bound} cannot be checked" if holds is None else "")
    text = f"{what} {show(value)} {bound}"
    match holds:
        case True:
            return text
        case False:
            return f"{text} does not hold"
        case None:
            return f"{text} cannot be checked"


def show(value: Json) -> str:
    """A value in a sentence, short."""
    match value:
        case bool():
            return str(value).lower()
        case float():
            return f"{value:.15g}"
        case int():
            # Python refuses to print numbers of thousands of digits.
            return str(value) if value.bit_length() < 1_000 else "a very long number"
        case str():
            return f'"{value if len(value) <= LONGEST else value[: LONGEST - 1] + "…"}"'
        case dict():
            return "an object"
        case _:
            # Only a rule compares with a list, and it holds plain values alone.
            return f"[{', '.join(show(each) for each in value)}]"
