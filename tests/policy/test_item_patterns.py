"""Which of many alike things, as `like` compares them."""

import pytest

from signoff.policy.item_patterns import item_pattern_of, read_item_pattern

UUID = "0b0f7a52-9d2c-4f6e-8a51-3f9c1f0f7a11"


@pytest.mark.parametrize(
    ("word", "pattern"),
    [
        ("WEB-17", "WEB-{digits}"),
        ("100234", "{digits}"),
        ("INV2024-17", "INV{digits}-{digits}"),
        ("cus_8f3a", "cus_{code}"),
        (UUID, "{uuid}"),
        ("all", "all"),
        ("cus_all", "cus_all"),
    ],
)
def test_a_word_says_what_others_of_its_kind_look_like(word: str, pattern: str) -> None:
    assert item_pattern_of(word) == pattern
    found = read_item_pattern(pattern)
    assert (found is None) is ("{" not in pattern)
    assert found is None or found.holds(word) is True


@pytest.mark.parametrize(
    ("pattern", "value", "holds"),
    [
        ("WEB-{digits}", "WEB-0", True),
        ("WEB-{digits}", "web-1", False),
        ("WEB-{digits}", "WEB-1\n", False),
        ("WEB-{digits}", "WEB-\u0661", False),
        ("WEB-{digits}", "SEC-WEB-1", False),
        ("WEB-{digits}", 17, None),
        ("{code}", "all", False),
        ("{code}", "a11", True),
        ("{uuid}", UUID.upper(), True),
        ("{uuid}", UUID[:-1], False),
    ],
)
def test_what_is_counted_may_differ_and_nothing_else(pattern: str, value: object, holds: bool | None) -> None:
    found = read_item_pattern(pattern)
    assert found is not None
    assert found.holds(value) is holds


@pytest.mark.parametrize(
    "text", ["WEB", "", "{digits}{code}", "{letters}", "WEB {digits}", "{digits", "a.{digits}", "{code}a{code}"]
)
def test_what_leaves_too_much_open_or_nothing_is_no_pattern(text: str) -> None:
    assert read_item_pattern(text) is None


def test_many_places_in_a_pattern_are_told_apart_at_once() -> None:
    """Where one could end at any letter, ten of them take years; the tests' own timeout would tell."""
    for pattern, value in (
        ("{code}-" * 20 + "x", "1a-" * 20),
        ("{digits}a" * 20, "1a" * 20 + "a"),
        ("{uuid}a" * 9, "1"),
    ):
        found = read_item_pattern(pattern)
        assert found is not None
        assert found.holds(f"{value}!") is False
