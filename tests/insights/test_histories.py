"""Learnt on the first half of a history, judged on the second: what is saved, and what gets through."""

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from signoff.asks.answers.similar_decisions import Decided, suggested
from signoff.insights.suggestions import still_asked, suggested_rule, with_suggestion
from signoff.policy.call import Allowance
from signoff.policy.compiled import NO_RULES, Policy, compile_policy
from signoff.policy.evaluate import Allow, Autonomy, Stance, evaluate
from signoff.policy.yaml.read import read_rules
from tests.insights.histories import OFFICE, History, Proposal, history
from tests.insights.operations import OPERATIONS

SEEDS = 20
NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)
# Who is asked so often for alike calls says "don't ask again".
PATIENCE = 3


@dataclass(frozen=True)
class Outcome:
    asks: int
    saved: int
    let_through: list[Proposal]

    @property
    def share(self) -> float:
        return self.saved / self.asks


def accepted_rules(decided: list[Decided]) -> str:
    """Every suggestion, accepted one after the other until there is none."""
    text = ""
    while True:
        policy = compile_policy(read_rules(text)) if text else NO_RULES
        taken = {rule.name for _, rule in read_rules(text).rules()}
        asked = still_asked(decided, policy, NOW).items()
        made = [found for (agent, tool), each in asked if (found := suggested_rule(agent, tool, each, taken))]
        if not made:
            return text
        for each in made:
            text = with_suggestion(text, each)


def allowances(decided: list[Decided], policy: Policy) -> dict[str, list[Allowance]]:
    """What a patient person allows for a while: the narrow kind, after some approvals that nothing covered."""
    found, patience = dict[str, list[Allowance]](), dict[str, int]()
    for at, each in enumerate(decided):
        agent = each.call.agent or ""
        stance = Stance(Autonomy.APPROVE_ALL, allowances=found.get(agent, []))
        if each.fate != "approved" or isinstance(evaluate(each.call, stance, policy, NOW), Allow):
            continue
        key = f"{agent}:{each.call.tool}"
        patience[key] = patience.get(key, 0) + 1
        if patience[key] % PATIENCE:
            continue
        past = [one for one in decided[:at] if (one.call.agent, one.call.tool) == (agent, each.call.tool)]
        pattern = suggested(each.call, past)
        given = Allowance(each.ask_id, each.call.tool, each.call.assessment.level, str, None, pattern.holds)
        found.setdefault(agent, []).append(given)
    return found


def judged(made: History) -> Outcome:
    policy = compile_policy(read_rules(accepted_rules(made.first)))
    given = allowances(made.first, policy)
    passed = list[Proposal]()
    for each in made.second:
        stance = Stance(Autonomy.APPROVE_ALL, allowances=given.get(each.agent, []))
        if isinstance(evaluate(each.call(), stance, policy, NOW), Allow):
            passed.append(each)
    return Outcome(len(made.second), len(passed), [each for each in passed if each.plant])


def histories(seed: int) -> list[History]:
    return [history(seed, OFFICE), history(seed, OPERATIONS, most=1)]


@pytest.mark.parametrize("seeds", [range(5), pytest.param(range(5, SEEDS), marks=pytest.mark.slow)], ids=str)
@pytest.mark.parametrize("house", [0, 1], ids=["office", "operations"])
def test_most_asks_are_saved_and_nothing_bad_gets_through_in_the_worst_history(house: int, seeds: range) -> None:
    outcomes = [judged(histories(seed)[house]) for seed in seeds]
    assert [each for outcome in outcomes for each in outcome.let_through] == []
    assert min(outcome.share for outcome in outcomes) >= 0.7


def test_the_histories_are_hard() -> None:
    """In each, calls go wrong in many ways, and in the second half in ways that nobody has refused before."""
    for made in (each for seed in range(SEEDS) for each in histories(seed)):
        bad = [each for each in made.second if each.plant]
        assert len({each.plant for each in bad}) >= 8
        assert len({(each.agent, each.plant) for each in bad} - made.known) >= 3
        assert all(each.fate == "refused" for each in made.first if each.call.arguments in [it.arguments for it in bad])
