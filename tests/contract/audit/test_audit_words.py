"""The record is found by parts of words and by names, and says what was changed before it was approved."""

from typing import Any

import pytest

from tests.contract.scenes import WRITE, run_that, waiting
from tests.house import House
from tests.wire import call, says

pytestmark = pytest.mark.both_databases


def found(house: House, **filters: str) -> list[dict[str, Any]]:
    return house.get("/api/audit", limit=200, **filters)["items"]


def answered(house: House, ask: dict[str, Any]) -> dict[str, Any]:
    (entry,) = found(house, subject=ask["id"], action="ask.answered")
    return entry["data"]


def test_an_actor_is_found_by_part_of_an_address_and_by_name(house: House) -> None:
    house.member("member", "zoe.quirk@example.org").close()
    named = next(each for each in house.get("/api/members", limit=200)["items"] if each["email"].startswith("zoe"))
    for part in ("zoe.qui", "ZOE.QUIRK@", named["name"][:5]):
        assert "zoe.quirk@example.org" in {entry["actor"] for entry in found(house, actor=part)}
    assert {entry["actor"] for entry in found(house, actor="zoe.qui")} == {"zoe.quirk@example.org"}


def test_an_agent_is_found_by_its_name(house: House) -> None:
    model = house.model.script("bookkeeping", says("", WRITE))
    house.ended(house.start(house.agent("ledger", model, "write_file", autonomy="full", name="Penny Counter")))
    assert {entry["actor"] for entry in found(house, actor="penny count")} == {"agent:ledger"}


def test_an_action_is_found_by_a_part_of_it(house: House) -> None:
    waiting(house)
    assert {entry["action"] for entry in found(house, action="open")} >= {"ask.opened"}
    assert {entry["action"].split(".")[0] for entry in found(house, action="ask.")} == {"ask"}


def test_a_subject_is_found_by_part_of_its_id_and_by_its_title(house: House) -> None:
    run, ask = waiting(house)
    house.answer(ask)
    house.ended(run)
    assert {entry["subject"] for entry in found(house, subject=run[:-2])} == {run}
    titled = house.start(house.run(run)["agent"], title="Pay the Harbour Master")
    assert titled in {entry["subject"] for entry in found(house, subject="harbour mas")}


@pytest.mark.parametrize("wildcard", ["%", "_", "a%z", "ask_opened", "\\"])
def test_a_wildcard_is_a_letter_like_any_other(house: House, wildcard: str) -> None:
    waiting(house)
    assert all(wildcard in entry["action"] for entry in found(house, action=wildcard))
    if wildcard != "_":
        # Names and titles have this one in them.
        assert found(house, subject=wildcard) == found(house, actor=wildcard) == []


def test_an_edited_approval_keeps_the_original_and_says_what_changed(house: House) -> None:
    given = {"path": "a.txt", "content": "one"}
    _, ask = waiting(house, call("write_file", given))
    house.answer(ask, arguments=given | {"content": "two"})
    entry = answered(house, ask)
    assert (entry["original_arguments"], entry["changed"]) == (given, ["content"])
    assert entry["answer"]["arguments"]["content"] == "two"
    _, plain = waiting(house)
    house.answer(plain)
    assert not {"changed", "original_arguments"} & set(answered(house, plain))


def test_a_secret_that_was_edited_away_is_masked_in_the_original(house: House) -> None:
    secret = "sk-live-" + "a1b2c3d4" * 4
    _, ask = waiting(house, call("write_file", {"path": "a.txt", "content": f"key {secret}"}))
    house.answer(ask, arguments={"path": "a.txt", "content": "no key"})
    entry = answered(house, ask)
    assert secret not in str(entry)
    assert "••••" in entry["original_arguments"]["content"]


def test_a_plan_that_was_approved_in_part_is_recorded_as_such(house: House) -> None:
    steps = [
        {"id": name, "tool": "write_file", "arguments": {"path": name, "content": name}, "purpose": name}
        for name in ("one", "two", "three")
    ]
    ask = house.ask(run_that(house, says("", call("propose_plan", {"steps": steps})), mode="plan"))
    house.answer(ask, steps=["one", {"id": "three", "arguments": {"path": "three", "content": "3"}}])
    entry = answered(house, ask)
    assert (entry["steps"], entry["steps_proposed"]) == (2, 3)
    assert (entry["left_out"], entry["edited_steps"]) == (["two"], ["three"])
