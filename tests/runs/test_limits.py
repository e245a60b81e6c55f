"""How far a run may go: 0 is no limit, in every sum and comparison, and no sum of limits ends at 0 or out of bounds."""

from math import inf

import pytest

from signoff.catalog.schemas import Limits
from signoff.runs.limits import Usage, beyond, credits_left, raised, reached, to_warn, within

SPENT = Usage(iterations=3, cost_credits=5_000.0, seconds=60.0)
FREE, TIGHT = Limits(max_cost_credits=0), Limits(max_cost_credits=100)


def test_0_credits_stop_and_warn_of_nothing_and_leave_any_amount() -> None:
    assert reached(FREE, SPENT) is None
    assert to_warn(FREE, SPENT, []) == []
    assert credits_left(FREE, SPENT) == inf


def test_an_exhausted_limit_is_not_taken_for_none() -> None:
    stopped = reached(TIGHT, SPENT)
    assert stopped is not None
    assert stopped.limit == "max_cost_credits"
    assert credits_left(TIGHT, SPENT) < 0


@pytest.mark.parametrize("name", ["max_cost_credits", "max_duration_hours"])
def test_setting_0_counts_as_raising_and_any_figure_below_none_does_not(name: str) -> None:
    own = Limits(max_cost_credits=100, max_duration_hours=4)
    none = own.model_copy(update={name: 0})
    assert beyond(own, none) == [name]
    assert beyond(none, own) == []
    assert beyond(none, none) == []


def test_whoever_may_not_raise_gets_the_agents_own_limit_and_not_0() -> None:
    assert within(TIGHT, FREE).max_cost_credits == 100
    assert within(FREE, TIGHT).max_cost_credits == 100


def test_what_is_granted_on_top_of_none_leaves_none() -> None:
    assert raised(FREE, {"credits": 50}).max_cost_credits == 0


@pytest.mark.parametrize("credits", [0.01, 100, 1_000_000])
def test_what_is_granted_is_never_0_and_stays_within_what_a_run_may_have(credits: float) -> None:
    limits = raised(Limits(max_cost_credits=credits), {"credits": 1_000_000, "hours": 24, "iterations": 100_000})
    assert limits.max_cost_credits > 0
    # As it is read back when the run goes on.
    assert Limits.model_validate(limits.model_dump()) == limits
