"""Patterns and schemas that an agent or an API client writes: linear, bounded, or refused with a reason."""

from typing import Any

import pytest

from signoff.asks.models import Ask
from signoff.kit.schema.check import problems, schema_problem
from signoff.tools.registry import Tool, ToolContext, tool
from tests.contract.scenes import problem, requests_of, run_that, waiting
from tests.house import House
from tests.wire import call, results, says

# Backtracking engines need hours for this on forty letters; the tests' own timeout would tell.
SLOW = "^(a+)+$"
LETTERS = "a" * 40 + "!"


def form(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields}


def asking(schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    return call("ask_question", {"question": "?", "responseType": "form", "schema": schema, **more})


def fan_out(levels: int) -> dict[str, Any]:
    """Each level refers to the next one twice."""
    parts: dict[str, Any] = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(levels)}
    return form(a={"$ref": "#/$defs/d0"}) | {"$defs": parts | {f"d{levels}": {"type": "string"}}}


def again_and_again(levels: int) -> dict[str, Any]:
    """Each level evaluates all inner ones once more."""
    schema: dict[str, Any] = form(a={})
    for _ in range(levels):
        schema = {"allOf": [schema], "unevaluatedProperties": False}
    return schema


def nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for _ in range(levels):
        schema = {"not": schema}
    return schema


UNUSABLE = {
    "look-around": (form(a={"pattern": "(?=a)b"}), "look-around or back-references"),
    "back-reference": (form(a={"pattern": r"(a)\1"}), "look-around or back-references"),
    "huge repeats": (form(a={"pattern": "((a{100}){100}){100}"}), "must not be too large"),
    "no pattern": ({"patternProperties": {"(": {}}}, "regex"),
    "long pattern": (form(a={"pattern": "a" * 2_000}), "at most 1,000 characters"),
    "huge together": (form(**{f"p{n}": {"pattern": f"(a{{50}}){{99}}{n}"} for n in range(150)}), "alone or together"),
    "many patterns": (form(**{f"p{n}": {"pattern": f"^{n}$"} for n in range(201)}), "more than 200 patterns"),
    "no names": ({"required": [10**24 + n for n in range(2_000)]}, "list names"),
    "huge divisor": ({"multipleOf": 10**4_000 + 1}, "more than 10,000 checks"),
    "fan-out": (fan_out(30), "more than 10,000 checks"),
    "unevaluated": (again_and_again(13), "more than 10,000 checks"),
    "many references": ({"allOf": [{"$ref": "#/$defs/a"}] * 101, "$defs": {"a": {}}}, "more than 100 references"),
    "itself": ({"$ref": "#"}, "refers to itself"),
    "a loop": (form(a={"$ref": "#/properties/b"}, b={"$ref": "#/properties/a"}), "refers to itself"),
    "elsewhere": (form(a={"$ref": "http://127.0.0.1/x"}), "a part of the same schema"),
    "a file": (form(a={"$ref": "file:///etc/passwd"}), "a part of the same schema"),
    "another base": (form(a={"$id": "http://127.0.0.1/x", "$ref": "#/y"}), "`$id` inside"),
    "another draft": ({"$schema": "http://127.0.0.1/x"}, "json-schema.org"),
    "dynamic": ({"$dynamicRef": "#a", "$dynamicAnchor": "a"}, "is not supported"),
    "deep": (nested(40), "deeper than 32"),
    "large": ({"description": "x" * 70_000}, "at most 65,536"),
}


@pytest.mark.parametrize("which", UNUSABLE)
def test_a_schema_without_measure_is_refused_with_its_reason(which: str) -> None:
    schema, reason = UNUSABLE[which]
    assert reason in (schema_problem(schema) or "")
    assert reason in problems(schema, {"a": "x"}, "value")[0].message


@pytest.mark.parametrize(
    "schema",
    [
        form(a={"type": "string", "pattern": SLOW}),
        form(pattern={"type": "string"}) | {"$id": "https://example.org/f", "$schema": "https://json-schema.org/x"},
        fan_out(6),
        form(a={"$ref": "#/$defs/p"}, b={"$ref": "#/$defs/p"}) | {"$defs": {"p": form(c={"enum": [1, None]})}},
        {"properties": {"$ref": {"type": "string"}, "$id": {"const": {"$ref": "http://x"}}}},
    ],
)
def test_an_ordinary_form_is_taken(schema: dict[str, Any]) -> None:
    assert schema_problem(schema) is None


def test_a_pattern_takes_no_longer_than_the_text_is_long() -> None:
    [wrong] = problems(form(a={"pattern": SLOW}), {"a": "a" * 100_000 + "!"}, "value")
    assert (wrong.path, wrong.message) == ("value.a", f"must match the pattern {SLOW}")


HEAVY = {
    "checks": ({"items": {"allOf": [{"minimum": -n} for n in range(900)]}}, [1] * 100_000),
    "steps": ({"items": {"allOf": [{"pattern": "[ab]*a[ab]{900}c"}] * 50}}, ["ab" * 50_000]),
    "long numbers": ({"items": {"allOf": [{"minimum": -(10**2_000) - n} for n in range(20)]}}, [10**4_299] * 30_000),
    "small parts": ({"items": {"allOf": [{"multipleOf": 1e-300 * (n + 1)} for n in range(20)]}}, [1.5e308] * 99_000),
    "repetitions": ({"allOf": [{"uniqueItems": True}] * 90}, list(range(100_000))),
}


@pytest.mark.parametrize("which", HEAVY)
def test_a_schema_and_a_value_that_together_are_too_much_never_meet(which: str) -> None:
    schema, value = HEAVY[which]
    assert schema_problem(schema) is None
    assert "too large to be checked" in problems(schema, value)[0].message


# To compare each of them with each other takes a quarter of an hour and more.
NUMBERS = [10**30 + number for number in range(60_000)]
SET = form(x={"type": "array", "uniqueItems": True})


@pytest.mark.parametrize("ours", [False, True])
def test_a_list_of_large_numbers_is_searched_for_repetitions_in_one_pass(ours: bool) -> None:
    assert problems(SET, {"x": NUMBERS}, "value", ours=ours) == []
    [wrong] = problems(SET, {"x": [*NUMBERS, NUMBERS[0]]}, "value", ours=ours)
    assert (wrong.path, wrong.message) == ("value.x", "has duplicates; each entry may appear only once")


@pytest.mark.parametrize(
    ("items", "is_fine"),
    [
        ([], True),
        ([1, True, "1", [1], {"1": 1}, None], True),
        ([0, False, "", [], {}], True),
        ([1, 1.0], False),
        ([0, -0.0], False),
        ([[1, 2], [2, 1]], True),
        ([[1, [2.0]], [1.0, [2]]], False),
        ([{"a": 1, "b": [2]}, {"b": [2.0], "a": 1}], False),
        ([10**30, 10**30 + 1], True),
        ([10**30, 10**30], False),
        ([0.5, 0.25], True),
        (["é", "\u00e9"], False),
    ],
)
def test_what_is_equal_in_json_is_a_repetition(items: list[Any], is_fine: bool) -> None:
    assert (problems({"uniqueItems": True}, items) == []) is is_fine
    assert (problems({"not": {"uniqueItems": True}}, items) == []) is not is_fine
    assert problems({"uniqueItems": False}, items) == []
    assert problems({"properties": {"uniqueItems": {"type": "array"}}}, {"uniqueItems": items}) == []


def test_what_a_tool_of_ours_is_given_has_its_measure_too() -> None:
    def total(context: ToolContext, amounts: set[int]) -> str:
        return str(sum(amounts))

    total.__annotations__ |= {"context": ToolContext, "amounts": set[int], "return": str}
    checked = tool()(total)
    assert checked.check({"amounts": NUMBERS}) == []
    assert [each.path for each in checked.check({"amounts": [1, 1]})] == ["amounts"]
    [wrong] = checked.check({"amounts": [10**4_299] * 50_000})
    assert "too large to be checked" in wrong.message


def test_of_many_errors_in_a_large_value_one_is_told() -> None:
    # To collect them all takes long, since each carries the whole value.
    schema = {"required": [f"k{number}" for number in range(2_000)]}
    found = problems(schema, {f"q{number}": "x" * 10 for number in range(4_000)})
    assert [each.message for each in found] == ["'k0' is missing"]


def test_of_many_errors_twenty_are_told_in_order() -> None:
    found = problems({"items": {"type": ["string", "null"]}}, [1] * 300, "value")
    assert len(found) == 20
    assert (found[0].path, found[0].message) == ("value.0", "must be of type null or string")


def _recursive() -> Tool:
    from pydantic import BaseModel

    class Part(BaseModel):
        name: str
        parts: list["Part"] = []

    Part.model_rebuild(_types_namespace={"Part": Part})

    def build(context: ToolContext, part: Part) -> str:
        return part.name

    build.__annotations__ |= {"part": Part, "context": ToolContext, "return": str}
    return tool()(build)


def test_a_tool_of_ours_may_refer_to_itself() -> None:
    inner: dict[str, Any] = {"name": "b", "parts": [{"name": 3}]}
    checked = _recursive()
    assert checked.check({"part": {"name": "a", "parts": [{"name": "b"}]}}) == []
    assert [each.path for each in checked.check({"part": {"name": "a", "parts": [inner]}})] == [
        "part.parts.0.parts.0.name"
    ]


# Through the product


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


def test_a_form_with_a_slow_pattern_is_answered_and_freezes_nobody(house: House) -> None:
    run, ask = waiting(house, asking(form(a={"type": "string", "pattern": SLOW})))
    body = {"decision": "respond", "value": {"a": LETTERS}}
    errors = problem(house.client.post(f"/api/asks/{ask['id']}/answer", json=body), 422)["errors"]
    assert errors == [{"path": "value.a", "message": f"must match the pattern {SLOW}"}]
    house.answer(ask, "respond", value={"a": "aaa"})
    assert house.ended(run)["status"] == "completed"


def test_a_default_that_a_slow_pattern_refuses_is_an_error_to_the_model(house: House) -> None:
    schema = form(a={"type": "string", "pattern": SLOW})
    run = run_that(house, says("", asking(schema, defaultResponse={"value": {"a": LETTERS}})))
    assert house.ended(run)["status"] == "completed"
    assert "does not fit" in results(requests_of(house, run)[-1])[0]


def test_a_default_with_many_large_numbers_freezes_nobody(house: House) -> None:
    # Once in the way of the question, once in the way of an answer.
    run, ask = waiting(house, asking(SET, defaultResponse={"value": {"x": NUMBERS[:20_000]}}))
    house.answer(ask, "respond", value={"x": NUMBERS[:20_000]})
    assert house.ended(run)["status"] == "completed"


@pytest.mark.parametrize("which", ["look-around", "fan-out", "itself", "elsewhere", "large", "huge together"])
def test_a_form_that_cannot_be_used_is_not_opened_and_the_model_reads_why(house: House, which: str) -> None:
    schema, reason = UNUSABLE[which]
    run = run_that(house, says("", asking(schema)))
    assert house.ended(run)["status"] == "completed"
    assert reason in results(requests_of(house, run)[-1])[0]
    assert house.get("/api/asks", run=run)["items"] == []


@pytest.mark.parametrize("which", ["look-around", "fan-out", "unevaluated"])
def test_a_form_that_was_stored_before_answers_with_a_clear_problem(house: House, which: str) -> None:
    schema, reason = UNUSABLE[which]
    _, ask = waiting(house, asking(form(a={"type": "string"})))

    def work(session: Any) -> None:
        session.get_one(Ask, ask["id"]).schema = schema

    house.parts.db.write(work)
    body = {"decision": "respond", "value": {"a": LETTERS}}
    errors = problem(house.client.post(f"/api/asks/{ask['id']}/answer", json=body), 422)["errors"]
    assert errors[0]["message"].startswith("the schema cannot be used: ")
    assert reason in errors[0]["message"]
    assert house.get(f"/api/asks/{ask['id']}")["status"] == "pending"


def test_an_agent_with_an_output_schema_that_cannot_be_used_is_refused(house: House) -> None:
    body = {"slug": "bad", "name": "x", "model": "openai-chat:x", "output_schema": UNUSABLE["fan-out"][0]}
    errors = problem(house.client.post("/api/agents", json=body), 422)["errors"]
    assert errors[0]["path"] == "output_schema"
    assert house.client.get("/api/agents/bad").status_code == 404
