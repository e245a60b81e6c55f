"""What a person changed."""

from hypothesis import given

from signoff.asks.answers.argument_diff import diff
from signoff.kit.jsons import Json
from tests.kit.test_kit import JSON


@given(JSON)
def test_nothing_differs_from_itself(value: Json) -> None:
    assert diff(value, value) == []


def test_every_kind_of_change_is_named_with_its_place() -> None:
    before = {"to": "a@x", "amount": 100, "lines": [1, 2], "old": True}
    after = {"to": "b@x", "amount": 100, "lines": [1, 2, 3], "new": None}
    found = {change.path: change.change for change in diff(before, after)}
    assert found == {"to": "changed", "lines[2]": "added", "old": "removed", "new": "added"}


def test_true_is_not_one() -> None:
    assert [change.path for change in diff({"a": 1}, {"a": True})] == ["a"]
