from typing import Any

import pytest

from signoff.cli.api_client import Failure
from signoff.cli.terminal.typed_values import chosen_steps, places, value_of
from tests.cli.conftest import an_ask

OPTIONS = [{"id": "eu", "label": "Europe", "value": "EU"}, {"id": "us", "label": "America", "value": "US"}]


@pytest.mark.parametrize(
    ("kind", "typed", "value"),
    [
        ("text", "yes", "yes"),
        ("boolean", "Yes", True),
        ("boolean", "n", False),
        ("number", "3", 3),
        ("number", "2,5", 2.5),
        ("form", '{"a": 1}', {"a": 1}),
        ("choice", "2", "US"),
        ("choice", "Europe", "EU"),
        ("choice", "EU", "EU"),
        ("choice", "us", "US"),
    ],
)
def test_what_was_typed_becomes_the_value(kind: str, typed: str, value: object):
    ask = an_ask(kind="question", response_type=kind, options=OPTIONS if kind == "choice" else None)
    assert value_of(ask, typed) == value


def test_a_recovery_understands_its_own_options_and_the_usual_three():
    ask = an_ask(kind="recovery", options=OPTIONS)
    assert [value_of(ask, typed) for typed in ("2", "Europe", "retry", "done")] == ["US", "EU", "retry", "done"]
    with pytest.raises(Failure):
        value_of(ask, "hope")


@pytest.mark.parametrize(
    ("kind", "typed"),
    [
        ("boolean", "perhaps"),
        ("number", "many"),
        ("number", "nan"),
        ("form", "[1]"),
        ("form", '{"a": NaN}'),
        ("choice", "3"),
    ],
)
def test_what_does_not_fit_is_refused(kind: str, typed: str):
    ask = an_ask(kind="question", response_type=kind, options=OPTIONS if kind == "choice" else None)
    with pytest.raises(Failure):
        value_of(ask, typed)


@pytest.mark.parametrize(
    ("typed", "found"), [("1", [0]), ("3,1", [0, 2]), ("2-4", [1, 2, 3]), ("1 3-4, 3", [0, 2, 3]), ("5-5", [4])]
)
def test_numbers_name_places(typed: str, found: list[int]):
    assert places(typed, 5) == found


@pytest.mark.parametrize("typed", ["", "0", "6", "4-2", "1-", "-1", "one", "1,,x", "1-2-3"])
def test_numbers_that_name_no_place_are_refused(typed: str):
    with pytest.raises(Failure):
        places(typed, 5)


def plan(*ids: str) -> dict[str, Any]:
    return an_ask(kind="plan", plan={"steps": [{"id": each} for each in ids]})


@pytest.mark.parametrize(
    ("ids", "typed", "steps"),
    [
        (("a", "b", "c"), "1,3", ["a", "c"]),
        (("a", "b", "c"), "c a", ["c", "a"]),
        # An id is what it says, wherever it stands.
        (("2", "1"), "1", ["1"]),
        (("a", "b"), '["a", {"id": "b", "arguments": {}}]', ["a", {"id": "b", "arguments": {}}]),
    ],
)
def test_steps_are_named_by_number_id_or_json(ids: tuple[str, ...], typed: str, steps: list[Any]):
    assert chosen_steps(plan(*ids), typed) == steps


@pytest.mark.parametrize("typed", ["4", "d", "[1", ""])
def test_steps_that_are_not_there_are_refused(typed: str):
    with pytest.raises(Failure):
        chosen_steps(plan("a", "b", "c"), typed)
