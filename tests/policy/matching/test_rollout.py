"""A rollout takes its share of the calls, always the same ones, and only ever more."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from signoff.policy.evaluate import Allow, Autonomy, Policy, Stance, evaluate
from tests.policy.trying import a_call, judge, policy

KEYS = [f"call-{number}" for number in range(10_000)]


def rolled_out(percentage: str, name: str = "it") -> Policy:
    action = f"{{auto_approve: true, rollout_percentage: {percentage}}}"
    return policy(f"auto_approval: {{rules: [{{name: {name}, conditions: {{}}, action: {action}}}]}}")


def taken(rules: Policy, at: datetime | None = None) -> set[str]:
    return {key for key in KEYS if rules.approval(a_call(scope=key), at)}


@pytest.mark.parametrize("percentage", [0, 1, 25, 50, 99.5, 100])
def test_a_rollout_takes_its_share_within_two_percent(percentage: float) -> None:
    assert abs(len(taken(rolled_out(str(percentage)))) / 100 - percentage) <= (2 if 0 < percentage < 100 else 0)


def test_the_same_call_has_the_same_fate_again() -> None:
    assert taken(rolled_out("25")) == taken(rolled_out("25"))


def test_a_growing_rollout_never_drops_a_call_that_was_in() -> None:
    shares = [taken(rolled_out(str(percentage))) for percentage in (5, 25, 26, 80)]
    assert all(less < more for less, more in pairwise(shares))


def test_two_rules_choose_different_calls() -> None:
    both = taken(rolled_out("50", "one")) & taken(rolled_out("50", "other"))
    assert 0.2 < len(both) / len(KEYS) < 0.3


@pytest.mark.parametrize(("day", "percentage"), [(-5, 10), (0, 10), (5, 30), (10, 50), (99, 50)])
def test_a_rollout_grows_evenly_between_its_days(day: int, percentage: float) -> None:
    rules = rolled_out("{start: 10, target: 50, from: 2026-01-01, until: 2026-01-11}")
    found = taken(rules, datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day))
    assert abs(len(found) / 100 - percentage) <= 2


def test_a_growing_rollout_takes_nothing_without_a_moment() -> None:
    assert taken(rolled_out("{start: 100, target: 100, from: 2026-01-01, until: 2026-01-11}")) == set()


def test_a_rollout_says_how_far_it_goes_and_leaves_the_others_to_the_next_rule() -> None:
    text = """
checkpoints:
  - {name: half, action: {auto_approve: true, rollout_percentage: 50}}
  - {name: rest, action: ask}
"""
    found = [judge(text, a_call(scope=key)) for key in KEYS[:50]]
    assert {verdict.rule for verdict in found} == {"half", "rest"}
    assert all("rolled out to 50 %" in verdict.reasons[0] for verdict in found if isinstance(verdict, Allow))
    assert isinstance(evaluate(a_call(scope="\ud800"), Stance(Autonomy.APPROVE_ALL), rolled_out("100")), Allow)
