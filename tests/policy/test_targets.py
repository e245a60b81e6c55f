"""What a call is aimed at: the same for calls that go to the same place, and never the same for two that do not."""

from typing import Any

import pytest

from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.policy.targets import targets


@pytest.mark.parametrize(
    ("arguments", "aimed_at"),
    [
        ({"channel": "#ops", "text": "hello"}, {"channel": "#ops"}),
        ({"to": "Ann <Ann@Acme.com>", "subject": "Hi", "body": "…"}, {"to": "ann@acme.com"}),
        ({"to": ["b@acme.com", "a@acme.com"]}, {"to": ["a@acme.com", "b@acme.com"]}),
        ({"to": "b@acme.com, a@acme.com"}, {"to": ["a@acme.com", "b@acme.com"]}),
        ({"path": "drafts/a.md", "content": "…"}, {"path": "drafts/"}),
        ({"path": "./drafts//b.md"}, {"path": "drafts/"}),
        ({"path": "a.md"}, {"path": "./"}),
        ({"path": "/etc/hosts"}, {"path": "/etc/"}),
        ({"file_name": "drafts/a.md"}, {"file_name": "drafts/"}),
        ({"saveTo": "out/figures/one.png"}, {"saveTo": "out/figures/"}),
        ({"url": "https://API.example.com/v1/users?id=7"}, {"url": "api.example.com"}),
        ({"url": "http://example.com:8080"}, {"url": "http://example.com:8080"}),
        ({"customer_id": 17, "amount": 40.5, "order_id": "A-1"}, {"customer_id": 17}),
        ({"customer": "c-1", "reason": "late", "order": "A-1"}, {"customer": "c-1"}),
        ({"repository": "acme/site", "title": "Fix", "body": "…"}, {"repository": "acme/site"}),
        (
            {"table": "leads", "row_id": 4, "values": {"note": "call back", "stage": "won"}},
            {"table": "leads", "values.stage": "won"},
        ),
        ({"ticketId": 9, "status": "closed", "comment": "done"}, {"status": "closed"}),
        (
            {"messages": [{"to": "b@x.com", "text": "1"}, {"to": "a@x.com", "text": "2"}]},
            {"messages": [{"to": "a@x.com"}, {"to": "b@x.com"}]},
        ),
        ({"channel": "#ops", "send_at": "2026-11-17T10:00:00Z", "when": "2026-11-18"}, {"channel": "#ops"}),
        ({"limit": 50, "page": 2, "quantity": 3}, {}),
        ({}, {}),
    ],
)
def test_a_target_is_where_it_goes_and_whom_it_reaches(arguments: JsonObject, aimed_at: JsonObject) -> None:
    assert targets(arguments) == aimed_at


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("path", "drafts/../../etc/passwd"),
        ("path", "~/.ssh/id_rsa"),
        ("path", "drafts/*"),
        ("path", "C:\\drafts\\a.md"),
        ("path", "drafts\\..\\a.md"),
        ("path", "."),
        ("path", ""),
        ("path", "$HOME/a.md"),
        ("url", "https://good.com@evil.com/"),
        ("url", "https://good.com\\@evil.com"),
        ("url", "ftp://example.com/a"),
        ("url", "javascript:alert(1)"),
        ("url", "https://\u0435xample.com/"),
        ("to", "ann@acme.com; eve@evil.com"),
        ("to", '"ann@acme.com" <eve@evil.com>'),
        ("to", "Ann"),
        ("to", None),
        ("command", "rm -rf /"),
        ("query", "DELETE FROM customers"),
        ("id", 17),
        ("name", "customers"),
        ("account", "20261117"),
        ("force", True),
        ("x", 3),
        ("x", []),
        ("x", {}),
        ("путь", "drafts/a"),
    ],
)
def test_what_is_not_understood_counts_wholly(name: str, value: Any) -> None:
    assert targets({name: value}) == {name: value}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"channel": "#ops"}, {"channel": "#ops "}),
        ({"path": "drafts/a.md"}, {"path": "final/a.md"}),
        ({"path": "drafts/a.md"}, {"path": "drafts/"}),
        ({"path": "drafts/a.md"}, {"path": "/drafts/a.md"}),
        ({"path": "a/b/c.md"}, {"path": "a\\b/c.md"}),
        ({"url": "https://example.com"}, {"url": "http://example.com"}),
        ({"url": "https://example.com"}, {"url": "https://example.com.evil.com"}),
        ({"url": "https://example.com"}, {"url": "https://example.com:8443"}),
        ({"to": "ann@acme.com"}, {"to": ["ann@acme.com", "eve@evil.com"]}),
        ({"to": "ann@acme.com"}, {"to": "ann@acme.com", "bcc": "eve@evil.com"}),
        ({"text": "hello"}, {"text": "hello @everyone"}),
        ({"text": "hello"}, {"text": "hello <!channel>"}),
        ({"body": "hello"}, {"body": "eve@evil.com"}),
        ({"note": "hello"}, {"note": "https://evil.com/x"}),
        ({"a": {"b": 1}}, {"a.b": 1}),
        ({"a": [{"b": 1}]}, {"a": {"b": 1}}),
        ({"a": [[1], [2]]}, {"a": [1, 2]}),
        (
            {"sums": [{"to": "a", "from": "b"}, {"to": "c", "from": "d"}]},
            {"sums": [{"to": "a", "from": "d"}, {"to": "c", "from": "b"}]},
        ),
        ({"user": 1}, {"user": True}),
        ({"user": 1}, {"user": "1"}),
        ({"user": 1}, {"user": 1.0}),
        ({"user": None}, {}),
        ({"message": {"to": "a", "text": "x"}}, {"message": {"to": "b", "text": "x"}}),
    ],
)
def test_two_places_are_never_one(one: JsonObject, other: JsonObject) -> None:
    assert not jsons.same(targets(one), targets(other))
