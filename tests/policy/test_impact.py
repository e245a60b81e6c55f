"""What a call does to the world: which of it makes a risk critical, what comes first, and what rules make of it."""

from dataclasses import replace
from itertools import chain, combinations

import pytest

from signoff.policy.call import Allowance, Autonomy, Stance
from signoff.policy.evaluate import Allow, AskFirst, Deny, ProposedCall, as_rules_see, evaluate
from signoff.policy.impact import (
    LONGEST_TEXT,
    NOT_KNOWN,
    UNANSWERED,
    Impact,
    ImpactKind,
    by_operation,
    checked,
    in_order,
    order,
    sentence,
    together,
)
from signoff.policy.risk import HIGH_OPERATIONS, READING, Assessment, Risk, raised
from tests.policy.trying import a_call, judge, one_rule, problems

K = ImpactKind
MONEY_FOR_GOOD = (K.MOVES_MONEY, K.CANNOT_BE_UNDONE)
ALL_SETS = [
    frozenset(each)
    for each in chain.from_iterable(combinations(ImpactKind, size) for size in range(len(ImpactKind) + 1))
]


def with_impact(*kinds: ImpactKind, risk: str = "high", stated: bool = True) -> ProposedCall:
    call = a_call("pay", risk)
    return replace(call, assessment=replace(call.assessment, impact=Impact(in_order(kinds), stated=stated)))


@pytest.mark.parametrize("kinds", ALL_SETS, ids=lambda kinds: "+".join(sorted(kinds)) or "none")
def test_high_becomes_critical_for_money_or_customers_without_a_way_back_and_for_nothing_else(
    kinds: frozenset[ImpactKind],
) -> None:
    for_good = K.CANNOT_BE_UNDONE in kinds
    grave = for_good and (K.MOVES_MONEY in kinds or K.REACHES_CUSTOMERS in kinds)
    found = raised(Assessment(Risk.HIGH, ("why",), Impact(in_order(kinds))))
    assert found.level is (Risk.CRITICAL if grave else Risk.HIGH)
    assert len(found.reasons) == (2 if grave else 1)


@pytest.mark.parametrize("level", [Risk.LOW, Risk.MEDIUM, Risk.CRITICAL])
@pytest.mark.parametrize("impact", [None, NOT_KNOWN, Impact(), Impact(MONEY_FOR_GOOD)])
def test_no_other_level_is_moved_by_an_impact(level: Risk, impact: Impact | None) -> None:
    risk = Assessment(level, (), impact)
    assert raised(risk) is risk


@pytest.mark.parametrize("operation", sorted(READING | HIGH_OPERATIONS))
def test_what_a_class_alone_says_moves_no_level(operation: str) -> None:
    risk = Assessment(Risk.HIGH, (), by_operation(operation))
    assert raised(risk) is risk


@pytest.mark.parametrize("autonomy", list(Autonomy))
@pytest.mark.parametrize("level", list(Risk))
@pytest.mark.parametrize("override", [{}, {"pay": "low"}, {"pay": "safe"}, {"pay": "approval_required"}])
def test_without_rules_about_it_what_asks_is_what_asked_before(
    autonomy: Autonomy, level: Risk, override: dict[str, str]
) -> None:
    stance = Stance(autonomy, override)
    plain = evaluate(a_call("pay", level), stance)
    assert evaluate(with_impact(*MONEY_FOR_GOOD, risk=level), stance).word == plain.word


def test_an_allowance_up_to_high_is_none_for_what_its_impact_makes_critical() -> None:
    stance = Stance(Autonomy.APPROVE_HIGH_RISK, {}, [Allowance("a", "pay", Risk.HIGH, lambda: "Somebody allowed this")])
    assert isinstance(evaluate(with_impact(K.MOVES_MONEY), stance), Allow)
    assert isinstance(evaluate(with_impact(*MONEY_FOR_GOOD), stance), AskFirst)
    silent = replace(with_impact(), assessment=Assessment(Risk.HIGH, (), UNANSWERED))
    assert isinstance(evaluate(silent, stance), AskFirst)


def test_an_agent_that_calls_a_tool_high_gets_critical_for_a_grave_impact() -> None:
    seen = as_rules_see(with_impact(*MONEY_FOR_GOOD, risk="low"), Stance(Autonomy.FULL, {"pay": "high"}))
    assert seen.assessment.level is Risk.CRITICAL
    assert seen.assessment.impact == with_impact(*MONEY_FOR_GOOD).assessment.impact


def test_the_gravest_comes_first_and_there_the_first_time() -> None:
    wanted = [
        Impact((K.MOVES_MONEY,)),
        Impact((K.REACHES_CUSTOMERS,)),
        Impact(in_order((K.REACHES_PEOPLE, K.CANNOT_BE_UNDONE))),
        Impact((K.REACHES_PEOPLE,), first_time=True),
        Impact((K.REACHES_PEOPLE,), first_time=False),
        Impact((K.LEAVES_HOUSE,)),
        Impact(in_order((K.STAYS_IN_FOLDER, K.CANNOT_BE_UNDONE))),
        Impact(in_order((K.STAYS_IN_FOLDER, K.OVERWRITES))),
        Impact(in_order((K.STAYS_IN_FOLDER, K.OVERWRITES)), reversible=True),
        Impact((K.STAYS_IN_FOLDER,)),
    ]
    assert sorted(wanted, key=order) == wanted
    assert order(Impact(tuple(ImpactKind), first_time=True)) == 0


def test_what_is_not_known_comes_with_what_leaves_the_house_and_what_has_none_comes_last() -> None:
    assert order(NOT_KNOWN) == order(Impact((K.LEAVES_HOUSE,))) == 119
    assert order(None) == order(Impact()) == 127


@pytest.mark.parametrize(
    ("kinds", "words"),
    [
        ((), "Changes nothing"),
        ((K.STAYS_IN_FOLDER,), "Stays in its own folder"),
        ((K.CANNOT_BE_UNDONE, K.REACHES_CUSTOMERS), "Reaches customers, cannot be undone"),
        ((K.CANNOT_BE_UNDONE, K.LEAVES_HOUSE, K.MOVES_MONEY), "Moves money, leaves your systems, cannot be undone"),
    ],
)
def test_the_kinds_in_one_line(kinds: tuple[ImpactKind, ...], words: str) -> None:
    assert sentence(kinds) == words


def test_what_a_tool_states_is_one_short_line_in_order() -> None:
    found = checked(Impact((K.MOVES_MONEY, K.OVERWRITES, K.MOVES_MONEY), " two\nlines\x00 " + "x" * 500))
    assert found.kinds == (K.OVERWRITES, K.MOVES_MONEY)
    assert found.text.startswith("two lines")
    assert len(found.text) == LONGEST_TEXT
    assert checked(Impact((K.MOVES_MONEY,))).text == "Moves money"


@pytest.mark.parametrize("wrong", [None, "moves_money", [K.MOVES_MONEY], Impact(("no such",))])  # type: ignore[arg-type]
def test_anything_else_is_no_statement(wrong: object) -> None:
    with pytest.raises(ValueError, match=r"impact|ImpactKind"):
        checked(wrong)


def test_what_cannot_be_undone_is_not_reversible_whatever_else_is_said() -> None:
    assert not checked(Impact((K.OVERWRITES, K.CANNOT_BE_UNDONE), "x", reversible=True)).reversible
    assert checked(Impact((K.OVERWRITES,), "x", reversible=True)).reversible
    assert not checked(Impact((K.OVERWRITES,), "x")).reversible


def test_a_tool_cannot_say_for_itself_that_it_was_done_before() -> None:
    assert checked(Impact((), "x", stated=False, first_time=False)) == Impact((), "x", reversible=True)


def test_several_calls_do_all_that_any_of_them_does() -> None:
    one, other = Impact((K.OVERWRITES,), "A", first_time=False), Impact((K.MOVES_MONEY,), "B", first_time=True)
    assert together([one, other]) == Impact((K.OVERWRITES, K.MOVES_MONEY), "A; B", first_time=True)
    assert together([one, one]).text == "A"
    assert not together([one, NOT_KNOWN]).stated
    assert together([one, UNANSWERED]).unanswered


def test_a_kept_impact_comes_back() -> None:
    for impact in (NOT_KNOWN, UNANSWERED, Impact(), Impact(MONEY_FOR_GOOD, "Pays", first_time=True)):
        assert Impact.from_json(impact.to_json()) == impact


ASK, DENY = one_rule("{impact: [moves_money, leaves_house]}"), one_rule("{impact: moves_money}", "deny")
APPROVE = one_rule("{impact: [stays_in_folder, overwrites]}", "auto_approve")


def test_a_rule_asks_and_denies_by_any_of_the_kinds_it_names() -> None:
    assert isinstance(judge(ASK, with_impact(K.MOVES_MONEY, K.OVERWRITES)), AskFirst)
    assert isinstance(judge(ASK, with_impact(K.OVERWRITES)), Allow)
    refused = judge(DENY, with_impact(*MONEY_FOR_GOOD))
    assert isinstance(refused, Deny)
    assert "impact is cannot_be_undone, moves_money" in refused.reasons


def test_a_rule_approves_only_what_does_nothing_beyond_the_kinds_it_names() -> None:
    def word(call: ProposedCall) -> str:
        return judge(APPROVE, call, autonomy=Autonomy.APPROVE_ALL).word

    assert word(with_impact(K.STAYS_IN_FOLDER)) == "allow"
    assert word(with_impact(K.STAYS_IN_FOLDER, K.OVERWRITES)) == "allow"
    assert word(with_impact(K.STAYS_IN_FOLDER, K.CANNOT_BE_UNDONE)) == "ask"
    assert word(with_impact()) == "ask"
    assert word(with_impact(K.STAYS_IN_FOLDER, stated=False)) == "ask"


@pytest.mark.parametrize("call", [a_call("pay"), with_impact(K.OVERWRITES, stated=False)], ids=["none", "by class"])
def test_what_nobody_stated_may_be_anything_so_a_person_decides(call: ProposedCall) -> None:
    assert isinstance(judge(ASK, call), AskFirst)
    assert isinstance(judge(DENY, call), AskFirst)
    assert isinstance(judge(DENY, with_impact(K.MOVES_MONEY, stated=False)), Deny)


def test_a_rule_about_critical_risk_meets_what_its_impact_made_critical() -> None:
    text = one_rule("{risk_level: critical}", "deny")
    assert isinstance(judge(text, with_impact(*MONEY_FOR_GOOD)), Deny)


def test_an_unknown_impact_in_a_rule_is_a_mistake_with_what_to_write() -> None:
    (_, _, message), *_ = problems(one_rule("{impact: [moves_mony]}"))
    assert "unknown impact `moves_mony`; did you mean `moves_money`?" in message


def test_the_examples_of_a_rule_may_name_an_impact() -> None:
    rule = "checkpoints:\n- {name: it, trigger: {impact: moves_money}, action: deny, examples: {%s}}"
    assert problems(rule % "match: [{impact: moves_money}], no_match: [{impact: [overwrites]}]") == []
    assert "should match" in problems(rule % "match: [{impact: overwrites}]")[0][2]
