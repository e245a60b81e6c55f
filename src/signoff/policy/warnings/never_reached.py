"""Rules that never decide anything, because one that is asked before them always does. Pure, and only what is sure."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from signoff.policy.call import CALLS
from signoff.policy.format.rule_actions import ActionSpec
from signoff.policy.format.rule_file import RuleFile
from signoff.policy.format.triggers import Comparison, Threshold, Trigger

# Each is compared with all before it: beyond so many it would take its time.
MOST_COMPARED = 200
# What a call always tells, one way or the other.
_WORDS = ("risk_level", "operation_type", "tool", "agent", "workflow")
_CONFIDENCE = ("confidence", "agent_confidence")
_FIELDS = ("data_threshold", "custom_field")
_OTHER = tuple(set(Trigger.model_fields) - {"ask_kind", *_WORDS, *_CONFIDENCE, *_FIELDS, "cost"})


@dataclass(frozen=True)
class _Asked:
    """A rule at its turn."""

    steps: tuple[str | int, ...]
    name: str
    trigger: Trigger
    action: ActionSpec

    @property
    def always_decides(self) -> bool:
        """Whether it speaks on every call that fits: a doubt makes those that approve or deny step back."""
        if self.action.kind == "ask":
            return True
        said = self.trigger.model_fields_set - {"ask_kind", *_WORDS}
        return not said and self.action.rollout_percentage is None


def never_reached(rule_file: RuleFile) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The place of each rule that is never reached, and which one is in its way."""
    before = list[_Asked]()
    for rule in islice(_in_order(rule_file), MOST_COMPARED):
        for first in before:
            if first.always_decides and _covers(first.trigger, rule.trigger):
                stop = " (while auto-approvals are not stopped)" if first.action.kind == "auto_approve" else ""
                yield rule.steps, f'this rule never decides: "{first.name}" comes first and always matches{stop}'
                break
        before.append(rule)


def _in_order(rule_file: RuleFile) -> Iterator[_Asked]:
    """Denials first, then by priority, then what lifts an ask."""
    places = enumerate(rule_file.checkpoints)
    by_priority = sorted(places, key=lambda each: (each[1].action.kind != "deny", each[1].priority))
    for at, rule in by_priority:
        if rule.enabled:
            yield _Asked(("checkpoints", at), rule.name, rule.trigger, rule.action)
    for at, rule in enumerate(rule_file.auto_approval.rules if rule_file.auto_approval.enabled else ()):
        if rule.enabled:
            yield _Asked(("auto_approval", "rules", at), rule.name, rule.conditions, rule.action)


def _covers(wide: Trigger, narrow: Trigger) -> bool:
    """Whether what fits the one surely fits the other."""
    return (
        set(wide.ask_kind or (CALLS,)) >= set(narrow.ask_kind or (CALLS,))
        and all(_words_cover(getattr(wide, key), getattr(narrow, key)) for key in _WORDS)
        and _figure_covers(_confidence(wide), _confidence(narrow))
        and _figure_covers(wide.cost, narrow.cost)
        and all(any(_field_covers(each, other) for other in _fields(narrow)) for each in _fields(wide))
        and all(getattr(wide, key) in (None, (), getattr(narrow, key)) for key in _OTHER)
    )


def _words_cover(wide: tuple[str, ...], narrow: tuple[str, ...]) -> bool:
    if not wide:
        return True
    begins = tuple(each[:-1] for each in wide if each.find("*") == len(each) - 1)
    return bool(narrow) and all(each in wide or each.startswith(begins) for each in narrow)


def _confidence(trigger: Trigger) -> Comparison | None:
    return trigger.confidence or trigger.agent_confidence


def _fields(trigger: Trigger) -> tuple[Threshold, ...]:
    return (*trigger.data_threshold, *trigger.custom_field)


def _figure_covers(wide: Comparison | None, narrow: Comparison | None) -> bool:
    if wide is None:
        return True
    return narrow is not None and _bound_covers((wide.operator, wide.value), (narrow.operator, narrow.value))


def _field_covers(wide: Threshold, narrow: Threshold) -> bool:
    if wide.field != narrow.field:
        return False
    return wide == narrow or _bound_covers((wide.operator, wide.value), (narrow.operator, narrow.value))


def _bound_covers(wide: tuple[str, object], narrow: tuple[str, object]) -> bool:
    """`> 500` covers `> 1000`."""
    if wide == narrow:
        return True
    (one, outer), (other, inner) = wide, narrow
    if type(outer) not in (int, float) or type(inner) not in (int, float) or one[0] != other[0] or one[0] not in "<>":
        return False
    if outer == inner:
        return one.endswith("=")
    return (inner > outer) is (one[0] == ">")  # pyright: ignore[reportOperatorIssue, reportUnknownVariableType]
