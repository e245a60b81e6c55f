"""Of several calls that are decided at once, each is remembered with its own risk."""

from signoff.asks.answers.similar_decisions import approved_calls
from signoff.asks.models import Ask
from signoff.policy.impact import Impact, ImpactKind
from signoff.policy.risk import Assessment, Risk
from tests.policy.trying import a_call

MILD = Assessment(Risk.MEDIUM, (), Impact((ImpactKind.STAYS_IN_FOLDER,), "x"))
GRAVE = Assessment(Risk.CRITICAL, (), Impact((ImpactKind.MOVES_MONEY,), "y"))


def test_the_gravest_of_a_batch_lends_its_risk_to_none() -> None:
    ask = Ask(
        arguments={"calls": [{"a": 1}, None, {"a": 3}]},
        call_ids=["1", "2", "3"],
        risk_level="critical",
        proposed_call={**a_call().to_json(), "each": [each.to_json() for each in (MILD, GRAVE, GRAVE)]},
    )
    assert [(each.arguments, each.assessment) for each in approved_calls(ask)] == [({"a": 1}, MILD), ({"a": 3}, GRAVE)]
