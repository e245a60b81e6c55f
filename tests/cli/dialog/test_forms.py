from typing import Any

import pytest

from signoff.cli.dialog.forms import fill
from signoff.cli.dialog.prompt import Back, Prompt
from tests.cli.conftest import Typed


def filled(schema: dict[str, Any], *lines: str | None, given: dict[str, Any] | None = None) -> Any:
    typed = Typed(lines=lines)
    found = fill(Prompt(typed), schema, given or {})
    assert typed.lines == []
    return found


def form(required: tuple[str, ...] = (), **fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(required)}


@pytest.mark.parametrize(
    ("field", "typed", "value"),
    [
        ({"type": "string"}, "bees", "bees"),
        ({"type": "integer"}, "3", 3),
        ({"type": "number"}, "2,5", 2.5),
        ({"type": "boolean"}, "no", False),
        ({"enum": ["gold", "silver"]}, "2", "silver"),
        ({"enum": ["gold", "silver"]}, "gold", "gold"),
        ({"oneOf": [{"const": 1, "title": "One"}, {"const": 2, "title": "Two"}]}, "Two", 2),
        ({"type": ["null", "integer"]}, "4", 4),
        ({"type": "array", "items": {"type": "string"}}, "a, b,", ["a", "b"]),
        ({"type": "array", "items": {"type": "integer"}}, "1,2", [1, 2]),
        ({"type": "array", "items": {"type": "string"}}, '["a,b"]', ["a,b"]),
        ({"type": "array", "items": {"type": "object"}}, '[{"a": 1}]', [{"a": 1}]),
        ({"type": "object"}, '{"a": 1}', {"a": 1}),
        ({}, "[1, true]", [1, True]),
        ({"$ref": "#/$defs/day"}, "3", 3),
    ],
)
def test_a_field_is_read_by_its_type(field: dict[str, Any], typed: str, value: Any):
    schema = form(x=field) | {"$defs": {"day": {"type": "integer"}}}
    assert filled(schema, typed) == {"x": value}


@pytest.mark.parametrize(
    ("field", "lines", "value"),
    [
        ({"type": "integer", "minimum": 1}, ["many", "0", "2.5", "2"], 2),
        ({"type": "string", "pattern": "^[0-9]{5}$"}, ["12", "53111"], "53111"),
        ({"type": "boolean"}, ["perhaps", "yes"], True),
        ({"enum": ["a", "b"]}, ["3", "c", "1"], "a"),
        ({"type": "array", "items": {"type": "integer"}, "maxItems": 2}, ["1,2,3", "a", "1,2"], [1, 2]),
        ({"type": "object"}, ["{", "[1]", "{}"], {}),
        ({"type": "string"}, ["", "x"], "x"),
    ],
)
def test_what_does_not_fit_is_asked_again(field: dict[str, Any], lines: list[str], value: Any, capsys: Any):
    assert filled(form(("x",), x=field), *lines) == {"x": value}
    assert capsys.readouterr().err.count("\n") >= len(lines) - 1


def test_enter_takes_what_is_offered_and_leaves_out_what_is_not_needed():
    schema = form(("name",), name={"type": "string"}, days={"type": "integer", "default": 7}, tag={"type": "string"})
    assert filled(schema, "", "", "", given={"name": "Ada"}) == {"name": "Ada", "days": 7}
    assert filled(schema, "Grace", "-", "", given={"name": "Ada"}) == {"name": "Grace"}
    # A field that is needed may really be a dash.
    assert filled(schema, "-", "", "x") == {"name": "-", "days": 7, "tag": "x"}


def test_the_question_says_what_is_wanted_and_what_enter_does():
    typed = Typed(lines=["", "", "", ""])
    fields = {"a": {"type": "string"}, "b": {"type": "integer"}, "c": {"enum": [1, 2]}, "d": {"type": "boolean"}}
    fill(Prompt(typed), form(("d",), **fields), {"b": 3, "d": True})
    assert typed.asked == [
        "a (text; Enter to skip): ",
        "b (whole number; Enter: 3, - to leave it out): ",
        "c (1-2; Enter to skip): ",
        "d (yes or no; Enter: true): ",
    ]


def test_what_an_agent_calls_its_fields_cannot_move_the_cursor(capsys: Any):
    typed = Typed(lines=["1"])
    fill(Prompt(typed), form(**{"a\x1b[2K": {"enum": ["\x1b[1Gx"], "title": "\x1b[31mred"}}), {})
    assert "\x1b" not in "".join(typed.asked) + capsys.readouterr().out


def test_fields_within_a_field_are_asked_one_by_one():
    address = form(("city",), city={"type": "string"}, zip={"type": "string"})
    schema = form(("home",), home=address, work=address)
    assert filled(schema, "Bonn", "", "") == {"home": {"city": "Bonn"}}
    both = filled(schema, "Bonn", "", "y", "Ulm", "89073")
    assert both == {"home": {"city": "Bonn"}, "work": {"city": "Ulm", "zip": "89073"}}


def test_what_only_the_whole_shows_leads_back_to_the_fields(capsys: Any):
    schema = form(a={"type": "integer"}, b={"type": "integer"}) | {"minProperties": 1}
    assert filled(schema, "", "", "", "2") == {"b": 2}
    assert "Not valid yet" in capsys.readouterr().err


def test_a_form_without_fields_is_asked_for_whole():
    assert filled({"type": "object", "required": ["x"]}, "{}", '{"x": 1}') == {"x": 1}
    assert filled({"type": "object"}, "", given={"y": 2}) == {"y": 2}


def test_a_form_may_be_a_reference():
    assert filled({"$ref": "#/$defs/form", "$defs": {"form": form(a={"type": "integer"})}}, "3") == {"a": 3}


def test_the_end_of_the_input_goes_back():
    with pytest.raises(Back):
        filled(form(a={"type": "string"}), None)
