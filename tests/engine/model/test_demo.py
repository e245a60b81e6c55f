"""The demo agents play through the real engine without a key."""

import pytest

from tests.house import House


@pytest.fixture
def kind() -> str:
    return "sqlite"


@pytest.fixture
def house(house: House) -> House:
    for slug in ("launch-plan", "support-reply"):
        agent = {"slug": slug, "name": slug, "model": f"demo:{slug}", "tools": ["write_file", "send_message"]}
        house.post("/api/agents", agent, 201)
    return house


def test_the_launch_plan_runs_exactly_the_steps_that_were_let_through(house: House) -> None:
    run = house.start("launch-plan", "Launch version 2", mode="plan")
    ask = house.ask(run)
    assert (ask["kind"], [step["id"] for step in ask["plan"]["steps"]]) == ("plan", ["notes", "checklist", "announce"])
    house.answer(ask, steps=["notes", "checklist"])
    assert house.ended(run)["status"] == "completed"
    ran = [
        (each["tool"], each["status"]) for each in house.calls(run) if each["tool"] in ("write_file", "send_message")
    ]
    assert ran == [("write_file", "succeeded"), ("write_file", "succeeded")]
    assert not [each for each in house.get("/api/notifications")["items"] if each["kind"] == "message"]


def test_a_refused_plan_comes_back_smaller(house: House) -> None:
    run = house.start("launch-plan", "Launch version 2", mode="plan")
    house.answer(house.ask(run), "deny", note="Do not announce anything.")
    again = house.ask(run)
    assert len(again["plan"]["steps"]) == 1
    house.answer(again)
    assert house.ended(run)["status"] == "completed"
