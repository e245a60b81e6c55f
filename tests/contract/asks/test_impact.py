"""What a call does to the world stands on its ask, orders what waits, and is stated anew for other arguments."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject
from signoff.policy.impact import Impact, ImpactKind
from signoff.tools.registry import tool
from tests.contract.ruling import people, put_rules, rule
from tests.contract.scenes import agent_that, problem, run_that
from tests.house import House
from tests.wire import call, says

OLD, NEW = {"path": "old.txt", "content": "x"}, {"path": "new.txt", "content": "x"}


def paying(arguments: JsonObject, _folder: Path) -> Impact:
    if arguments["amount"] == 13:
        raise RuntimeError("no idea")
    kinds = (ImpactKind.MOVES_MONEY, *([ImpactKind.CANNOT_BE_UNDONE] if arguments["amount"] > 100 else []))
    return Impact(kinds, f"Pays {arguments['amount']} EUR")


@pytest.fixture
def pay(house: House) -> str:
    """A tool whose payments above 100 cannot be taken back."""
    name = f"pay_{new_id().replace('-', '')}"

    @tool(risk="high", operation_type="financial_transaction", title="Pay {amount}", name=name, impact=paying)
    def pay_out(amount: int, to: str = "ann") -> str:
        """Pay somebody."""
        return f"paid {amount} to {to}"

    house.parts.context.registry.register(pay_out)
    return name


def paying_ask(house: House, pay: str, amount: int, **fields: Any) -> dict[str, Any]:
    run = run_that(house, says("", call(pay, {"amount": amount, **fields})), says("done"), tools=(pay,))
    return house.ask(run)


def test_an_ask_says_in_one_line_what_its_call_does(house: House) -> None:
    run = run_that(house, says("", call("write_file", OLD)), says("", call("write_file", OLD)))
    first = house.ask(run)
    assert first["impact"] == {
        "kinds": ["stays_in_folder"],
        "text": "New file in its own folder",
        "stated": True,
        "first_time": True,
        "reversible": True,
    }
    house.answer(first)
    second = house.until(lambda: next((each for each in house.asks(run) if each["id"] != first["id"]), None))
    assert (second["impact"]["text"], second["impact"]["first_time"]) == ("Overwrites old.txt", False)
    assert [each["verdict"]["impact"]["text"] for each in house.calls(run)] == [
        "New file in its own folder",
        "Overwrites old.txt",
    ]


def test_first_time_is_by_agent_tool_and_target_and_what_was_refused_was_not_done(house: House) -> None:
    into = [{"path": f"{folder}/a.txt", "content": "x"} for folder in ("one", "one", "two", "one")]
    agent = agent_that(house, *(says("", call("write_file", each)) for each in into), tools=("write_file",))
    seen = list[Any]()
    run = house.start(agent)
    for decision in ("deny", "approve", "approve", "approve"):
        ask = house.until(lambda: next((each for each in house.asks(run) if each["status"] == "pending"), None))
        seen.append(ask["impact"]["first_time"])
        house.answer(ask, decision)
    assert seen == [True, True, True, False]
    other = run_that(house, says("", call("write_file", into[0])))
    assert house.ask(other)["impact"]["first_time"]


def test_a_grave_impact_makes_high_critical_and_comes_first_within_its_level(house: House, pay: str) -> None:
    small, large, not_known = (paying_ask(house, pay, amount) for amount in (5, 500, 13))
    assert [each["risk"]["level"] for each in (small, large, not_known)] == ["high", "critical", "critical"]
    assert "Moves money, cannot be undone: this counts as critical" in large["risk"]["reasons"]
    assert not_known["impact"]["stated"] is False
    assert "Its tool did not say what this affects: this counts as critical" in not_known["risk"]["reasons"]
    message = house.ask(run_that(house, says("", call("write_file", NEW))))
    listed = house.get("/api/asks", status="pending", sort="risk", limit=200)["items"]
    mine = {small["id"], large["id"], not_known["id"], message["id"]}
    assert [each["id"] for each in listed if each["id"] in mine] == [
        large["id"],
        not_known["id"],
        small["id"],
        message["id"],
    ]


@pytest.mark.parametrize("address", ["asks", "checkpoints"])
def test_a_tool_is_asked_what_a_call_does_while_others_can_write(house: House, address: str) -> None:
    """When it is proposed, when it is edited and right before it starts: under a lock it would not answer."""
    name, asked = f"note_{new_id().replace('-', '')}", list[str]()

    def writes(arguments: JsonObject, _folder: Path) -> Impact:
        house.parts.db.write(lambda session: session.execute(text("UPDATE workspaces SET name = name")) and None)
        asked.append(arguments["text"])
        return Impact((), "Wrote meanwhile")

    @tool(risk="high", name=name, impact=writes)
    def note(text: str) -> str:
        """Note something."""
        return text

    house.parts.context.registry.register(note)
    ask = house.ask(run_that(house, says("", call(name, {"text": "one"})), says("done"), tools=(name,)))
    assert ask["impact"]["text"] == "Wrote meanwhile"
    if address == "asks":
        answered = house.answer(ask, arguments={"text": "two"})
    else:
        answered = house.client.put(
            f"/api/checkpoints/{ask['id']}/approve", json={"modified_params": {"text": "two"}}
        ).json()
    assert answered["impact"]["text"] == "Wrote meanwhile"
    house.ended(ask["run_id"])
    assert house.calls(ask["run_id"])[0]["status"] == "succeeded"
    assert asked == ["one", "two", "two"]


def test_an_edit_states_the_impact_anew(house: House, pay: str) -> None:
    ask = paying_ask(house, pay, 5)
    shown = house.post(f"/api/asks/{ask['id']}/preview", {"arguments": {"amount": 500}})
    assert shown["impact"]["text"] == "Pays 500 EUR"
    answered = house.answer(ask, arguments={"amount": 500})
    assert (answered["risk"]["level"], answered["impact"]["text"]) == ("critical", "Pays 500 EUR")
    ended = house.ended(ask["run_id"])
    assert ended["open_asks"] == 0
    assert house.calls(ask["run_id"])[0]["status"] == "succeeded"


def test_an_edit_of_what_several_sign_is_put_before_them_with_its_new_impact(house: House, pay: str) -> None:
    agent = agent_that(house, says("", call(pay, {"amount": 500})), says("done"), tools=(pay,))
    put_rules(house, rule(agent, {"require_approval_count": 2}))
    ask = house.ask(house.start(agent))
    first, second = people(house, 2)
    first.answer(ask, arguments={"amount": 7})
    seen = house.get(f"/api/asks/{ask['id']}")
    assert (seen["risk"]["level"], seen["impact"]["text"], seen["title"]) == ("high", "Pays 7 EUR", "Pay 7")
    assert seen["digest"] != ask["digest"]
    assert not any("counts as critical" in reason for reason in seen["risk"]["reasons"])
    assert second.reads_and_answers(ask).json()["status"] == "approved"
    house.ended(ask["run_id"])


def test_a_rule_on_impact_meets_the_edit_too(house: House, pay: str) -> None:
    agent = agent_that(house, says("", call(pay, {"amount": 5})), says("done"), tools=(pay,))
    put_rules(house, rule(agent, "deny", impact="cannot_be_undone"))
    ask = house.ask(house.start(agent))
    refused = house.client.post(
        f"/api/asks/{ask['id']}/answer", json={"decision": "approve", "arguments": {"amount": 500}}
    )
    assert "A rule forbids this change" in problem(refused, 422)["detail"]


def test_what_grew_critical_after_it_was_approved_is_asked_for_again(house: House, tmp_path: Path) -> None:
    grave, name = tmp_path / "grave", f"pay_{new_id().replace('-', '')}"

    def growing(_arguments: JsonObject, _folder: Path) -> Impact:
        return Impact((ImpactKind.MOVES_MONEY, *([ImpactKind.CANNOT_BE_UNDONE] if grave.exists() else [])))

    @tool(risk="high", name=name, impact=growing)
    def pay_out() -> None:
        """Pay."""

    house.parts.context.registry.register(pay_out)
    run = run_that(house, says("", call(name, {})), says("done"), tools=(name,))
    ask = house.ask(run)
    grave.touch()
    house.answer(ask)
    again = house.until(lambda: next((each for each in house.asks(run) if each["id"] != ask["id"]), None))
    assert again["risk"]["level"] == "critical"
    house.answer(again)
    house.ended(run)
    assert house.calls(run)[0]["status"] == "succeeded"
