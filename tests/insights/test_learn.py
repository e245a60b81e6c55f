"""When a rule is suggested, and when the record does not speak for one."""

from dataclasses import replace
from typing import Any

import pytest

from signoff.asks.answers.similar_decisions import Decided, Fate
from signoff.insights.learn import Learnt, learn, lower_bound
from signoff.insights.suggestions import suggested_rule, with_suggestion
from signoff.kit import clock
from signoff.policy.call import ProposedCall
from signoff.policy.compiled import compile_policy
from signoff.policy.evaluate import Allow, Autonomy, Stance, evaluate
from signoff.policy.impact import NOT_KNOWN, Impact, ImpactKind
from signoff.policy.risk import Assessment, Risk
from signoff.policy.yaml.read import read_rules
from tests.policy.trying import a_call

POST = {"channel": "#ops", "text": "All is well."}


def decided(
    fate: Fate, arguments: dict[str, Any], times: int = 1, approved: dict[str, Any] | None = None
) -> list[Decided]:
    return [Decided("ask", "title", "ada", fate, a_call(arguments=arguments), approved)] * times


def learnt(*decisions: list[Decided]) -> Learnt | None:
    return next(learn([each for some in decisions for each in some]), None)


@pytest.mark.parametrize(("approved", "decisions", "sure"), [(2, 2, False), (9, 9, False), (10, 10, True)])
def test_two_of_two_are_no_evidence(approved: int, decisions: int, sure: bool) -> None:
    found = learnt(decided("approved", POST, approved))
    assert (found is not None) is sure
    assert (lower_bound(approved, decisions) >= 0.7) is (approved >= 9)


def test_the_lower_bound_is_wilsons() -> None:
    assert lower_bound(24, 24) == pytest.approx(0.862, abs=0.001)
    assert lower_bound(9, 10) == pytest.approx(0.596, abs=0.001)
    assert lower_bound(0, 0) == 0


def test_a_refusal_that_an_argument_tells_apart_leaves_the_rest() -> None:
    general = POST | {"channel": "#general"}
    found = learnt(decided("approved", POST, 12), decided("approved", general, 3), decided("refused", general))
    assert found is not None
    assert (found.approved, found.pattern.conditions()) == (12, ['channel is "#ops"', "any text"])


def test_a_refusal_that_nothing_tells_apart_leaves_no_suggestion() -> None:
    assert learnt(decided("approved", POST, 40), decided("refused", POST)) is None


def test_a_number_that_was_refused_ends_the_range_below_it() -> None:
    approved = [each for amount in range(1, 41) for each in decided("approved", {"amount": amount})]
    found = learnt(approved, decided("refused", {"amount": 30}))
    assert found is not None
    assert found.pattern.conditions() == ["amount is between 1 and 29"]


def test_the_bound_of_one_target_is_not_lent_to_another() -> None:
    small = [each for number in range(10) for each in decided("approved", {"to": "SMALL", "amount": 5 + number % 3})]
    big = decided("approved", {"to": "BIG", "amount": 9000}, 10)
    for decisions, words in (
        (small + big[:9], ['to is "SMALL"', "amount is between 5 and 7"]),
        (small[:9] + big, ['to is "BIG"', "amount is 9000"]),
    ):
        found = learnt(decisions)
        assert found is not None
        assert found.pattern.conditions() == words


def test_two_values_are_learnt_together_only_where_they_were_approved_together() -> None:
    web = decided("approved", {"service": "web", "environment": "production"}, 8)
    billing = decided("approved", {"service": "billing", "environment": "staging"}, 8)
    assert learnt(web, billing) is None
    found = learnt(web, decided("approved", {"service": "web", "environment": "staging"}, 3), billing)
    assert found is not None
    assert found.pattern.conditions() == [
        'service is "web"',
        'environment is "production" or "staging"',
    ]


def test_a_number_for_one_unit_is_none_for_another() -> None:
    minutes = [each for number in range(12) for each in decided("approved", {"duration": 30 + number, "unit": "min"})]
    hours = decided("approved", {"duration": 2, "unit": "h"}, 3) + decided("approved", {"duration": 3, "unit": "h"}, 3)
    found = learnt(minutes, hours)
    assert found is not None
    assert not found.pattern.holds(a_call(arguments={"duration": 35, "unit": "h"}))
    assert found.pattern.conditions() == ["duration is between 30 and 41", 'unit is "min"']


@pytest.mark.parametrize(
    ("values", "words", "others"),
    [
        ([str(number) for number in range(1000, 1020)], "{digits}", ["all", "ALL", "last-30-days", "STAFF-7", ""]),
        ([f"WEB-{number}" for number in range(20)], "WEB-{digits}", ["SEC-1", "WEB-all", "WEB-1,SEC-1", "WEB-"]),
        ([f"cus_{number:x}f{number}" for number in range(30, 50)], "cus_{code}", ["emp_1f2", "cus_all", "cus_1f2_2"]),
    ],
)
def test_one_of_many_alike_things_looks_like_the_others(values: list[str], words: str, others: list[str]) -> None:
    found = learnt(*(decided("approved", {"record_id": value}) for value in values))
    assert found is not None
    assert found.pattern.conditions() == [f"record_id is {words}"]
    assert [other for other in others if found.pattern.holds(a_call(arguments={"record_id": other}))] == []


def test_things_that_are_counted_are_learnt_by_number() -> None:
    found = learnt(*(decided("approved", {"issue_number": number}) for number in range(3, 40)))
    assert found is not None
    assert found.pattern.conditions() == ["issue_number is at least 3"]
    for other in (-1, 0, "all"):
        assert not found.pattern.holds(a_call(arguments={"issue_number": other}))


def test_one_refusal_among_many_alike_things_leaves_that_one_out() -> None:
    approved = [decided("approved", {"order_id": f"ORD-{number}"}) for number in range(100, 130)]
    found = learnt(*approved, decided("refused", {"order_id": "ORD-99"}))
    assert found is not None
    assert found.pattern.conditions() == ["order_id is ORD-{digits}", 'order_id is not "ORD-99"']
    assert learnt(*approved[:14], decided("refused", {"order_id": "ORD-99"})) is None
    assert learnt(*approved, decided("refused", {"order_id": "ORD-100"})) is None


def test_what_was_approved_once_is_no_habit() -> None:
    staging = decided("approved", {"environment": "staging"}, 30)
    found = learnt(staging, decided("approved", {"environment": "production"}))
    assert found is not None
    assert found.pattern.conditions() == ['environment is "staging"']


def test_an_amount_is_for_whom_it_was_approved() -> None:
    intern = [decided("approved", {"recipients": ["intern"], "amount": 10 + number}) for number in range(12)]
    landlord = [decided("approved", {"recipients": ["landlord"], "amount": 5000 + number}) for number in range(6)]
    found = learnt(*intern, *landlord)
    assert found is not None
    assert found.pattern.conditions() == ['recipients is "intern"', "amount is between 10 and 21"]


@pytest.mark.parametrize("arguments", [{"labels": []}, {"to": ["a", "b"], "cc": ["c"]}, {"to": "a\x7fb"}])
def test_odd_arguments_break_nothing(arguments: dict[str, Any]) -> None:
    made = suggested_rule("bot", "send", decided("approved", arguments, 12), set())
    assert made is None or made.learnt.pattern.holds(a_call(arguments=arguments))


@pytest.mark.parametrize(
    ("approved", "later"),
    [
        (Impact(), Impact((ImpactKind.MOVES_MONEY,))),
        (NOT_KNOWN, Impact((ImpactKind.MOVES_MONEY,))),
        (Impact((ImpactKind.LEAVES_HOUSE,)), Impact((ImpactKind.LEAVES_HOUSE, ImpactKind.REACHES_PEOPLE))),
        (Impact((ImpactKind.LEAVES_HOUSE,)), NOT_KNOWN),
    ],
)
def test_a_suggested_rule_holds_the_impact(approved: Impact, later: Impact) -> None:
    def call(impact: Impact) -> ProposedCall:
        return replace(a_call(arguments=POST, agent="bot"), assessment=Assessment(Risk.HIGH, (), impact))

    decisions = [Decided("ask", "title", "ada", "approved", call(approved))] * 12
    made = suggested_rule("bot", call(approved).tool, decisions, set())
    assert made is not None
    policy = compile_policy(read_rules(with_suggestion("", made)))
    for impact, passes in ((approved, True), (later, False)):
        verdict = evaluate(call(impact), Stance(Autonomy.APPROVE_ALL), policy, clock.now())
        assert isinstance(verdict, Allow) is passes


def test_a_page_that_was_refused_has_many_spellings() -> None:
    pages = [decided("approved", {"url": f"https://acme.com/team/{n}", "method": "GET"}) for n in range(40)]
    assert learnt(*pages, decided("refused", {"url": "https://acme.com/team/salaries", "method": "GET"})) is None


@pytest.mark.parametrize(
    "text",
    [
        "Sign in at https://evil.io now.",
        "See evil.io/login today.",
        "Log in at evil.com please.",
        "Log in at evil\u3002com please.",
        "The card is 4111 1111 1111 1111.",
        "The card is 4111.1111.1111.1111.",
        "@here now",
        "/deploy production",
    ],
)
def test_words_may_differ_but_lead_nowhere_and_give_nothing_away(text: str) -> None:
    found = learnt(*(decided("approved", POST | {"text": f"All is well, {number}."}) for number in range(12)))
    assert found is not None
    assert not found.pattern.holds(a_call(arguments=POST | {"text": text}))


def test_what_stands_together_in_a_list_is_not_learnt() -> None:
    pay = {"payments": [{"to": "SMALL", "amount": 5}, {"to": "BIG", "amount": 9000}]}
    assert learnt(decided("approved", pay, 40)) is None


@pytest.mark.parametrize(("more", "learns"), [({}, False), ({"method": "POST"}, False), ({"method": "GET"}, True)])
def test_pages_are_learnt_only_where_they_are_read(more: dict[str, Any], learns: bool) -> None:
    pages = [{"url": f"https://api.acme.com/v1/orders/{number}", **more} for number in range(20)]
    assert (learnt(*(decided("approved", page) for page in pages)) is not None) is learns


def test_other_words_are_no_objection_but_less_evidence() -> None:
    reworded = decided("edited", POST, 2, POST | {"text": "Better."})
    found = learnt(decided("approved", POST, 20), reworded)
    assert found is not None
    assert (found.approved, found.decided) == (20, 22)
    assert learnt(decided("approved", POST, 10), reworded) is None
    moved = decided("edited", POST, 1, POST | {"channel": "#dev"})
    assert learnt(decided("approved", POST, 40), moved) is None


def test_a_condition_is_never_wider_than_what_was_seen() -> None:
    paths = [f"reports/{year}/q{quarter}.md" for year in (2024, 2025) for quarter in range(1, 9)]
    found = learnt(*(decided("approved", {"path": path, "content": "x"}) for path in paths))
    assert found is not None
    assert found.pattern.conditions()[0] == "path is in reports/2024/ (.md files) or in reports/2025/ (.md files)"
    people = [f"person{number}@acme.com" for number in range(30)]
    assert learnt(*(decided("approved", {"to": person}) for person in people)) is None


@pytest.mark.parametrize("arguments", [{"password": "hunter2"}, {"a.b": 1}])
def test_nothing_is_learnt_of_secrets_and_of_what_cannot_be_told_apart(arguments: dict[str, Any]) -> None:
    assert learnt(decided("approved", arguments, 40)) is None


def sending(impact: Impact | None, times: int = 12) -> list[Decided]:
    call = a_call(arguments=POST)
    call = replace(call, assessment=replace(call.assessment, impact=impact))
    return [Decided("ask", "title", "ada", "approved", call)] * times


PEOPLE, MONEY = Impact((ImpactKind.REACHES_PEOPLE,)), Impact((ImpactKind.REACHES_PEOPLE, ImpactKind.MOVES_MONEY))


@pytest.mark.parametrize(
    ("approved", "wanted", "passes"),
    [
        (PEOPLE, PEOPLE, True),
        (PEOPLE, MONEY, False),
        (PEOPLE, NOT_KNOWN, False),
        (PEOPLE, None, False),
        (MONEY, PEOPLE, True),
        (NOT_KNOWN, NOT_KNOWN, True),
        (None, None, True),
    ],
)
def test_a_learnt_rule_lets_nothing_graver_through_than_what_was_approved(
    approved: Impact | None, wanted: Impact | None, passes: bool
) -> None:
    made = suggested_rule("a", "tool", sending(approved), set())
    assert made is not None
    (asked,) = sending(wanted, times=1)
    policy = compile_policy(read_rules(with_suggestion("", made)))
    verdict = evaluate(replace(asked.call, agent="a"), Stance(Autonomy.APPROVE_ALL), policy, clock.now())
    assert isinstance(verdict, Allow) is passes
