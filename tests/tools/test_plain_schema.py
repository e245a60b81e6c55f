"""A tool is a name, a description, a JSON Schema and a function: it needs no class of Python's."""

from typing import Any

import pytest

from signoff.kit.jsons import JsonObject
from signoff.policy.risk import Risk
from signoff.tools.registry import Tool, ToolContext
from tests.contract.scenes import agent_that
from tests.house import House
from tests.wire import DONE, call, says

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"city": {"type": "string", "minLength": 2}, "days": {"type": "integer", "maximum": 7}},
    "required": ["city"],
    "additionalProperties": False,
}


async def forecast(_context: ToolContext, arguments: JsonObject) -> Any:
    return {"city": arguments["city"], "sun": True}


FORECAST = Tool(
    name="weather__forecast",
    description="The weather of the next days.",
    schema=SCHEMA,
    function=forecast,
    risk=Risk.LOW,
    operation_type="read",
    idempotent=True,
    source="mcp",
    foreign_schema=True,
)


@pytest.fixture
def kind() -> str:
    return "sqlite"


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        ({"city": "Oslo"}, []),
        ({"city": "Oslo", "days": 7}, []),
        ({}, ["city"]),
        ({"city": "O"}, ["city"]),
        ({"city": "Oslo", "days": 8}, ["days"]),
        ({"city": "Oslo", "wind": True}, ["wind"]),
    ],
    ids=str,
)
def test_arguments_are_checked_by_the_schema_alone(arguments: JsonObject, wrong: list[str]) -> None:
    found = FORECAST.check(arguments)
    assert len(found) == len(wrong)
    assert all(name in f"{error.path} {error.message}" for name, error in zip(wrong, found, strict=True))


def test_a_schema_that_cannot_be_used_lets_nothing_through() -> None:
    broken = Tool("b", "", {"type": "nonsense"}, forecast, None, "read", idempotent=True, foreign_schema=True)
    assert "cannot be used" in broken.check({"city": "Oslo"})[0].message


def test_an_agent_uses_a_tool_without_a_class(house: House) -> None:
    house.parts.context.registry.register(FORECAST)
    replies = [says("", call(FORECAST.name, {"city": city})) for city in ("O", "Oslo")]
    agent = agent_that(house, *replies, DONE, tools=(FORECAST.name,), autonomy="full")
    run = house.ended(house.start(agent))
    assert [made["status"] for made in house.calls(run["id"])] == ["failed", "succeeded", "succeeded"]
    assert house.calls(run["id"])[1]["result"] == {"city": "Oslo", "sun": True}
    offered = {each["function"]["name"]: each["function"] for each in house.model.asked(agent)[0]["tools"]}
    assert offered[FORECAST.name]["parameters"]["required"] == ["city"]
