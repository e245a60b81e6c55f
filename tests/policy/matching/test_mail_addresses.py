"""Rules compare the addresses that a mail goes to, not the text in which they stand."""

from typing import Any

import pytest

from signoff.policy.evaluate import Allow, AskFirst, Autonomy, Deny, Verdict
from tests.policy.trying import a_call, judge, one_rule

OURS = "{custom_field: {field: to, operator: ends_with, value: '@acme.com'}}"
THEIRS = "{custom_field: {field: to, operator: ends_with, value: '@evil.com'}}"
NOT_TEAM = "{custom_field: {field: to, operator: not_in, value: [team@acme.com, boss@acme.com]}}"
RIVAL = "{custom_field: {field: to, operator: '==', value: Rival@evil.com}}"


def by(trigger: str, action: str, to: Any) -> Verdict:
    return judge(one_rule(trigger, action), a_call(arguments={"to": to}), autonomy=Autonomy.APPROVE_ALL)


@pytest.mark.parametrize(
    "to",
    [
        "ann@acme.com",
        "Ann@ACME.com",
        " ann@acme.com ",
        "Ann <ann@acme.com>",
        '"Doe, Ann" <ann@acme.com>',
        "ann@acme.com, Bob <bob@acme.com>",
        ["ann@acme.com", "bob@acme.com"],
    ],
    ids=str,
)
def test_mail_within_the_house_is_approved_however_it_is_written(to: Any) -> None:
    assert isinstance(by(OURS, "auto_approve", to), Allow)


FOOLING = [
    "x@evil.com, ann@acme.com",
    "ann@acme.com, x@evil.com",
    ["ann@acme.com", "x@evil.com"],
    ["x@evil.com, ann@acme.com"],
    '"ann@acme.com" <x@evil.com>',
    "ann@acme.com <x@evil.com>",
    "x@evil.com <ann@acme.com>",
    "<x@evil.com> <ann@acme.com>",
    "x@evil.com@acme.com",
    '"x@evil.com,"@acme.com',
    "x@evil.com (@acme.com",
    "x@evil.com;ann@acme.com",
    "x@evil.com ann@acme.com",
    "x@evil.com\nann@acme.com",
    "x@evil.com\r\nBcc: ann@acme.com",
    "list:x@evil.com,ann@acme.com",
    "x%evil.com@acme.com",
    "x@evil.com\u2028ann@acme.com",
    "x\uff20evil.com,ann@acme.com",
    "x@evil.com,\u200bann@acme.com\u200b",
    "x@[10.0.0.1],ann@acme.com",
    "",
    [],
    None,
    {"email": "ann@acme.com"},
]


@pytest.mark.parametrize("to", FOOLING, ids=repr)
def test_no_spelling_makes_a_mail_to_others_look_like_one_within_the_house(to: Any) -> None:
    assert isinstance(by(OURS, "auto_approve", to), AskFirst)


@pytest.mark.parametrize(
    "to",
    [
        "x@evil.com",
        "X@EVIL.COM",
        "x@evil.com ",
        "Evil <x@evil.com>",
        "x@evil.com, ann@acme.com",
        ["ann@acme.com", "X <x@Evil.com>"],
    ],
    ids=repr,
)
def test_a_forbidden_house_is_found_however_it_is_written(to: Any) -> None:
    assert isinstance(by(THEIRS, "deny", to), Deny)


@pytest.mark.parametrize(
    "to", ["x@evil.com.", "x@evil\u3002com", "x\uff20evil.com", '"ann" <x@evil.com', "x@evil.com;"]
)
def test_what_cannot_be_read_as_addresses_a_person_decides(to: str) -> None:
    found = judge(one_rule(THEIRS, "deny"), a_call(arguments={"to": to}))
    assert isinstance(found, AskFirst)
    assert isinstance(judge(one_rule(THEIRS), a_call(arguments={"to": to})), AskFirst)


@pytest.mark.parametrize("to", ["ann@acme.com.evil.org", "ann@notevil.com", "ann@mail.evil.com", "everybody"])
def test_another_house_is_another_house(to: str) -> None:
    assert isinstance(judge(one_rule(THEIRS, "deny"), a_call(arguments={"to": to})), Allow)


def test_whole_addresses_are_compared_in_the_same_way() -> None:
    for to in ("rival@evil.com", "Rival <RIVAL@EVIL.COM>", "ann@acme.com, rival@evil.com"):
        assert isinstance(judge(one_rule(RIVAL, "deny"), a_call(arguments={"to": to})), Deny)
    for to in ("team@acme.com", "Team <TEAM@acme.com>", "team@acme.com, boss@acme.com"):
        assert isinstance(judge(one_rule(NOT_TEAM), a_call(arguments={"to": to})), Allow)
    for to in ("team@acme.com, x@evil.com", "everybody", '"team@acme.com" <x@evil.com>'):
        assert isinstance(judge(one_rule(NOT_TEAM), a_call(arguments={"to": to})), AskFirst)


def test_texts_that_are_no_addresses_are_compared_as_they_stand() -> None:
    here = "{custom_field: {field: text, operator: ends_with, value: '@here'}}"
    assert isinstance(judge(one_rule(here), a_call(arguments={"text": "look @here"})), AskFirst)
    assert isinstance(judge(one_rule(here), a_call(arguments={"text": "look @HERE"})), Allow)


def test_a_very_long_text_takes_no_time() -> None:
    for text in ("a" * 200_000 + "@acme.com", "<" * 9_000, '"' * 9_000, "a@" * 4_000, "a.-" * 3_000 + "@acme.com"):
        assert isinstance(by(OURS, "auto_approve", text), AskFirst)
