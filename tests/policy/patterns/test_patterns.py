"""What was approved once lets nothing wider through: tried as somebody would who wants it to."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.asks.answers.similar_decisions import suggested
from signoff.policy.call import Allowance
from signoff.policy.evaluate import Allow, AskFirst, Autonomy, Stance, evaluate
from signoff.policy.patterns.derive import NotRememberable, choices
from signoff.policy.patterns.derive import given as with_conditions
from signoff.policy.patterns.pattern import BadPattern, kept_pattern, thresholds
from signoff.policy.risk import Risk
from tests.policy.trying import a_call

NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)
MAIL = {"to": "ann@acme.com", "subject": "Hello", "body": "As we said."}
POST = {"channel": "#ops", "text": "Deployed."}
FILE = {"path": "reports/2026/q1.md", "content": "# Q1"}
PAY = {"account": 4711, "amount": 120, "currency": "EUR", "urgent": False}
FETCH = {"url": "https://api.acme.com/v1/orders"}
MANY = {"rows": [{"sku": "a", "quantity": 2}, {"sku": "b", "quantity": 5}]}


def lets_through(approved: dict[str, Any], wanted: dict[str, Any]) -> bool:
    return suggested(approved, past=[]).holds(a_call(arguments=wanted)) is True


@pytest.mark.parametrize(
    ("approved", "same_again"),
    [
        (MAIL, MAIL | {"subject": "Other", "body": "Other words, to the same person."}),
        (MAIL, MAIL | {"to": "Ann <ANN@acme.com>"}),
        (POST, POST | {"text": "Rolled back."}),
        (POST, POST | {"thread": None}),
        (FILE, FILE | {"path": "reports/2026/q2.md", "content": "# Q2"}),
        (PAY, PAY | {"amount": 0.5}),
        (FETCH, {"url": "https://api.acme.com/v1/invoices"}),
        (FETCH, {"url": "HTTPS://API.ACME.COM:443/v1/orders/"}),
        (MANY, {"rows": [{"sku": "b", "quantity": 1}]}),
    ],
)
def test_what_only_says_something_else_to_the_same_place_is_let_through(
    approved: dict[str, Any], same_again: dict[str, Any]
) -> None:
    assert lets_through(approved, same_again)


@pytest.mark.parametrize(
    ("approved", "change"),
    [
        # Another place, or more.
        (POST, {"channel": "#general"}),
        (POST, {"channel": "#оps"}),  # noqa: RUF001
        (POST, {"channel": "#ops "}),
        (POST, {"channel": "#OPS"}),
        (POST, {"text": "@everyone look"}),
        (POST, {"text": "<!channel> look"}),
        (POST, {"text": "boss@acme.com"}),
        (POST, {"thread": "1"}),
        (POST, {"channel": ["#ops"]}),
        (POST, {"channel": ["#ops", "#general"]}),
        (POST, {"channel": {"name": "#ops"}}),
        (POST, {"text": 5}),
        (POST, {"text": None}),
        (POST, {"": "x"}),
        (POST, {"channel.name": "#general"}),
        (POST, {"arguments": {"channel": "#ops"}}),
        # Mail
        (MAIL, {"to": "ann@acme.com, eve@evil.io"}),
        (MAIL, {"to": "eve@evil.io (ann@acme.com)"}),
        (MAIL, {"to": '"ann@acme.com" <eve@evil.io>'}),
        (MAIL, {"to": "ann@acme.com.evil.io"}),
        (MAIL, {"to": "ann@аcme.com"}),  # noqa: RUF001
        (MAIL, {"to": "ann+eve@acme.com"}),
        (MAIL, {"to": "ann@acme.com\nbcc: eve@evil.io"}),
        (MAIL, {"cc": "eve@evil.io"}),
        (MAIL, {"bcc": ["eve@evil.io"]}),
        # Files
        (FILE, {"path": "reports/2026/../../etc/passwd"}),
        (FILE, {"path": "reports/2026/../2025/q1.md"}),
        (FILE, {"path": "reports/2026/q1.sh"}),
        (FILE, {"path": "reports/2026/q1.md.sh"}),
        (FILE, {"path": "reports/2026/deeper/q1.md"}),
        (FILE, {"path": "reports/2025/q1.md"}),
        (FILE, {"path": "/reports/2026/q1.md"}),
        (FILE, {"path": "reports/2026/.hidden.md"}),
        (FILE, {"path": "reports//2026/q1.md"}),
        (FILE, {"path": "./reports/2026/q1.md"}),
        (FILE, {"path": "reports\\2026\\q1.md"}),
        (FILE, {"path": "reports/2026/q1.md\x00.sh"}),
        (FILE, {"path": "reports/2026/q1.md "}),
        (FILE, {"path": "reports/2026/q1.md."}),
        (FILE, {"path": "reports/2026/$HOME.md"}),
        (FILE, {"path": "reports/2026/．．／x.md"}),  # noqa: RUF001
        (FILE, {"path": "reports/2026/%2e%2e%2fx.md"}),
        (FILE, {"overwrite": True}),
        # Money
        (PAY, {"amount": 120.01}),
        (PAY, {"amount": -5}),
        (PAY, {"amount": "50"}),
        (PAY, {"amount": True}),
        (PAY, {"amount": [50, 50]}),
        (PAY, {"account": 4710}),
        (PAY, {"account": "4711"}),
        (PAY, {"currency": "BTC"}),
        (PAY, {"urgent": True}),
        # The web
        (FETCH, {"url": "http://api.acme.com/v1/orders"}),
        (FETCH, {"url": "https://api.acme.com.evil.io/v1/orders"}),
        (FETCH, {"url": "https://evil.io/v1/orders"}),
        (FETCH, {"url": "https://api.acme.com@evil.io/v1/orders"}),
        (FETCH, {"url": "https://api.acme.com\\@evil.io/v1/orders"}),
        (FETCH, {"url": "https://api.acme.com:8443/v1/orders"}),
        (FETCH, {"url": "https://api.acme.com/v1/orders?secret=1"}),
        (FETCH, {"url": "https://api.acme.com/v1/orders#x"}),
        (FETCH, {"url": "https://api.acme.com/v1/../admin"}),
        (FETCH, {"url": "https://api.acme.com/v1/%2e%2e/admin"}),
        (FETCH, {"url": "https://api.acme.com/admin/orders"}),
        (FETCH, {"url": "https://api.acme.com./v1/orders"}),
        (FETCH, {"url": "https://аpi.acme.com/v1/orders"}),  # noqa: RUF001
        (FETCH, {"url": " https://api.acme.com/v1/orders"}),
        (FETCH, {"url": "https:/api.acme.com/v1/orders"}),
        # Lists
        (MANY, {"rows": [{"sku": "c", "quantity": 1}]}),
        (MANY, {"rows": [{"sku": "a", "quantity": 6}]}),
        (MANY, {"rows": [{"sku": "a", "quantity": 1}] * 3}),
        (MANY, {"rows": [{"sku": "a", "quantity": 1}, None]}),
        (MANY, {"rows": [{"sku": "a", "quantity": 1}, {"sku": "a"}, "x"]}),
        (MANY, {"rows": [{"sku": "a", "quantity": 1, "gift": True}]}),
        (MANY, {"rows": {"sku": "a", "quantity": 1}}),
        (MANY, {"rows": []}),
    ],
)
def test_what_is_wider_in_one_argument_asks(approved: dict[str, Any], change: dict[str, Any]) -> None:
    assert not lets_through(approved, approved | change)


@pytest.mark.parametrize("approved", [MAIL, POST, FILE, PAY, FETCH, MANY])
def test_an_argument_that_was_there_and_is_missing_asks(approved: dict[str, Any]) -> None:
    for name in approved:
        assert not lets_through(approved, {key: value for key, value in approved.items() if key != name})


plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
values = st.recursive(plain, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner))
calls = st.dictionaries(st.sampled_from(["to", "path", "url", "amount", "text", "x", "a.b"]), values, max_size=4)


@given(calls)
def test_every_choice_holds_for_the_call_that_it_was_made_from(arguments: dict[str, Any]) -> None:
    try:
        found = choices(arguments)
    except NotRememberable:
        return
    for each in found:
        assert each.pattern.holds(a_call(arguments=arguments)) is True, each
        assert kept_pattern(each.pattern.to_text()) == each.pattern
        assert each.pattern.sentence("Ann", "tool")


@given(calls, calls)
def test_the_narrowest_choice_is_within_the_wider_ones(arguments: dict[str, Any], others: dict[str, Any]) -> None:
    try:
        found = choices(arguments)
    except NotRememberable:
        return
    held = [each.pattern.holds(a_call(arguments=others)) is True for each in found]
    assert held == sorted(held)


@pytest.mark.parametrize(
    "arguments",
    [
        {"password": "hunter2", "to": "x"},
        {"headers": {"Authorization": "Bearer abcdefgh12345"}},
        {"query": "key sk-abcdefghijklmnopqrstuvwx"},
        {"a.b": 1},
        {"rows": ["a", 1]},
        {"command": "x" * 3_000},
    ],
)
def test_secrets_and_what_cannot_be_told_apart_are_not_remembered(arguments: dict[str, Any]) -> None:
    with pytest.raises(NotRememberable):
        choices(arguments)


def test_own_conditions_bind_whatever_they_do_not_name() -> None:
    mine = with_conditions(PAY, thresholds([{"field": "amount", "operator": "<=", "value": 500}]))
    assert mine.holds(a_call(arguments=PAY | {"amount": 400}))
    assert not mine.holds(a_call(arguments=PAY | {"amount": 400, "account": 1}))
    anything = with_conditions(POST, thresholds([{"field": "channel", "operator": "exists", "value": True}]))
    assert anything.holds(a_call(arguments=POST | {"channel": "#general"}))
    assert not anything.holds(a_call(arguments=POST | {"channel": 5}))


@pytest.mark.parametrize(
    "where",
    [
        {"field": "nowhere", "operator": "==", "value": 1},
        {"field": "amount", "operator": "!=", "value": 1},
        {"field": "currency", "operator": "not_in", "value": ["USD"]},
        {"field": "currency", "operator": "contains", "value": "E"},
        {"field": "currency", "operator": "like", "value": "../x"},
        {"field": "amount", "operator": "<=", "value": "much"},
    ],
)
def test_conditions_that_leave_everything_open_are_refused(where: dict[str, Any]) -> None:
    with pytest.raises(BadPattern):
        with_conditions(PAY, thresholds([where]))


def allowed(until: datetime | None = None, risk: Risk = Risk.HIGH) -> Stance:
    given = Allowance("id", "tool", risk, lambda: "Ann allowed this", until, suggested(POST, past=[]).holds)
    return Stance(Autonomy.APPROVE_ALL, allowances=[given])


def test_an_allowance_names_itself_in_the_verdict() -> None:
    verdict = evaluate(a_call(arguments=POST), allowed(), at=NOW)
    assert isinstance(verdict, Allow)
    assert (verdict.allowance, verdict.reasons) == ("id", ("Ann allowed this",))
    assert isinstance(evaluate(a_call(arguments=POST | {"channel": "#x"}), allowed(), at=NOW), AskFirst)
    assert isinstance(evaluate(a_call(risk="critical", arguments=POST), allowed(), at=NOW), AskFirst)


@pytest.mark.parametrize(("at", "lifts"), [(NOW, True), (NOW + timedelta(hours=1), False), (None, False)])
def test_an_allowance_that_has_ended_does_not_count(at: datetime | None, lifts: bool) -> None:
    verdict = evaluate(a_call(arguments=POST), allowed(NOW + timedelta(hours=1)), at=at)
    assert isinstance(verdict, Allow if lifts else AskFirst)
