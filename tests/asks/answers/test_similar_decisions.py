"""What is remembered when nobody says more, and what it would have let through."""

from signoff.asks.answers.similar_decisions import Decided, Fate, past_of, suggested, suggested_of, ways
from signoff.policy.risk import Risk
from tests.policy.trying import a_call

POST = {"channel": "#ops", "text": "All is well."}


def past(fate: Fate, risk: str = "high", **arguments: str) -> Decided:
    return Decided("ask", "title", "ada", fate, a_call(risk=risk, arguments=POST | arguments))


def test_the_choice_that_is_shown_as_suggested_is_the_one_that_is_kept_without_conditions() -> None:
    """What was refused of a higher risk would ask all the same: it is no objection in either."""
    call = a_call(arguments=POST)
    for refused, name in ((past("refused", text="No."), "exact"), (past("refused", "critical", text="No."), "alike")):
        shown = suggested_of(ways(call, [refused]))
        assert (shown.name, shown.pattern) == (name, suggested(call, [refused]))


def test_several_patterns_count_each_call_once_and_whatever_one_of_them_lets_through() -> None:
    patterns = [suggested(a_call(arguments=POST | {"channel": channel}), []) for channel in ("#ops", "#ops", "#all")]
    decided = [past("approved"), past("refused", channel="#all"), past("approved", channel="#x")]
    found = past_of(patterns, Risk.HIGH, decided)
    assert (found.approved, found.refused, found.objections) == (1, 1, [decided[1]])
