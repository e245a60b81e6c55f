"""Records keep arguments, and no secrets."""

import json

import pytest

from signoff.kit.text.masking import MOST_BYTES, masked, masked_text, names_a_secret

KEYS = [
    "sk-proj-abcdefghijklmnopqrstuvwx",
    "sk_live_abcdefghijklmnopqrst",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "xoxb-1234567890-abcdef",
    "AKIAIOSFODNN7EXAMPLE",
    "sgn_" + "a" * 43,
    "ses_" + "b" * 43,
    "inv_" + "i" * 43,
    "link_" + "c-_" * 14,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefgh",
]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("text", ["{}", "use {} today", "https://example.org/?x={}&y=1", "a={};", '"{}"'])
def test_what_looks_like_a_key_is_masked_wherever_it_stands(text: str, key: str) -> None:
    shown = masked_text(text.format(key))
    assert key not in shown
    assert "••••" in shown
    assert shown.startswith(text.partition("{}")[0])


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("Authorization: Bearer abc.def-123", "abc.def-123"),
        ("postgresql://me:pass4word@db/x", "pass4word"),
        ("https://x.example/?token=short&y=1", "short"),
        ("a\n-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----\nb", "MIIabc"),
        ("-----BEGIN PRIVATE KEY-----\nMIIabc and no end", "MIIabc"),
    ],
)
def test_secrets_inside_a_text_are_masked_and_the_rest_stays(text: str, secret: str) -> None:
    shown = masked_text(text)
    assert secret not in shown
    assert "••••" in shown


@pytest.mark.parametrize(
    "name",
    [
        *("password", "PASSWORD", "db_password", "apiKey", "X-API-Key", "client_secret", "access-token", "Cookie"),
        *("Authorization", "privateKey", "private_key", "passwd", "aws_secret_access_key", "pin", "Set-Cookie"),
    ],
)
def test_a_field_that_is_named_like_a_secret_is_masked_however_it_is_written(name: str) -> None:
    shown = json.dumps(masked({"arguments": {name: "hunter2", "deep": [{name: {"a": "hunter2"}}]}}))
    assert "hunter2" not in shown
    assert name in shown


@pytest.mark.parametrize("name", ["title", "max_tokens", "passenger", "key", "spinner", "author", "path", "secretary"])
def test_other_fields_stay_as_they_are(name: str) -> None:
    assert not names_a_secret(name)
    assert masked({name: "Invoice 7 from sky-blue GmbH, 1,200 €"}) == {name: "Invoice 7 from sky-blue GmbH, 1,200 €"}


def test_numbers_are_masked_under_a_password_and_counted_under_tokens() -> None:
    shown = masked({"pin": 1234, "tokens": {"input": 7}, "token": 3, "password": None, "is_secret": True})
    assert shown == {
        "pin": "•••• (4 characters)",
        "tokens": {"input": 7},
        "token": 3,
        "password": None,
        "is_secret": True,
    }


def test_the_fingerprint_of_a_short_secret_is_not_told() -> None:
    assert masked({"password": "hunter2"}) == {"password": "•••• (7 characters)"}
    assert masked({"password": "x" * 30})["password"].startswith("•••• (30 characters, sha256 ")


def test_a_record_has_a_bound_and_says_what_it_left_out() -> None:
    shown = masked({"title": "t", "arguments": {"content": "ä" * 1_000_000, "path": "a"}, "many": ["x" * 100] * 9_000})
    assert len(json.dumps(shown)) < MOST_BYTES + 1_000
    assert (shown["title"], shown["arguments"]["path"]) == ("t", "a")
    assert "(1000000 characters, sha256 " in shown["arguments"]["content"]
    assert shown["many"].keys() == {"too_large", "bytes", "sha256"}


def test_a_key_at_the_edge_of_what_is_kept_does_not_stay_in_half() -> None:
    key = "sgn_" + "k" * 43
    shown = masked({"content": "x " * 990 + key + " y" * 9_000})
    assert "sgn_" not in shown["content"]


@pytest.mark.parametrize("hard", ["PRIVATE KEY-----", "eyJ", "://a:", "bearer ", "-----BEGIN ", "token="])
def test_text_made_to_be_slow_takes_no_time_that_grows_with_it(hard: str) -> None:
    assert masked({"content": hard * 300_000})
    # Not everybody shortens a text before.
    assert masked_text(hard * 100_000)
