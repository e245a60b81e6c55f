"""Limits are named as people say them."""

import pytest

from signoff.catalog.schemas import Limits
from signoff.runs.limits import Usage, reached


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"max_duration_hours": 0.000277778}, "time limit of 1 second"),
        ({"max_duration_hours": 0.5}, "time limit of 30 minutes"),
        ({"max_duration_hours": 4}, "time limit of 4 hours"),
        ({"max_cost_credits": 1}, "cost limit of 1 credit"),
        ({"max_cost_credits": 2.5}, "cost limit of 2.5 credits"),
        ({"max_iterations": 3}, "limit of 3 steps"),
    ],
)
def test_a_limit_that_is_reached_has_no_word_of_the_database(limits: dict[str, float], words: str):
    found = reached(Limits.model_validate(limits), Usage(3, 2.5, 15_000))
    assert found is not None
    assert found.words == words
