"""Who did what, kept in a chain that shows any change."""

import json
from itertools import pairwise

import pytest
from sqlalchemy import inspect, text

from tests.contract.scenes import waiting
from tests.house import House

pytestmark = pytest.mark.both_databases


def test_every_decision_is_recorded_once_with_who_and_from_where(house: House) -> None:
    run, ask = waiting(house)
    house.answer(ask, "deny", note="too early")
    (entry,) = house.get("/api/audit", subject=ask["id"], action="ask.answered")["items"]
    assert entry["actor"] == house.get("/api/me")["user"]["email"]
    assert "too early" in str(entry["data"])
    assert "127.0.0.1" in str(entry["data"])
    house.ended(run)


def test_entries_form_a_chain(house: House) -> None:
    waiting(house)
    entries = house.get("/api/audit", limit=200)["items"]
    assert entries[0]["at"] >= entries[-1]["at"]
    for later, earlier in pairwise(entries):
        assert later["previous"] == earlier["hash"]


def test_verify_counts_every_entry(house: House) -> None:
    proof = house.get("/api/audit/verify")
    assert proof["ok"] is True
    assert proof["entries"] == house.get("/api/audit", limit=1)["total"]
    assert proof.get("first_broken") is None


@pytest.mark.parametrize("action", ["agent.created", "run.started", "run.created", "member.added", "token.created"])
def test_changes_are_recorded(house: House, action: str) -> None:
    waiting(house)
    house.member("viewer").close()
    actions = {entry["action"] for entry in house.get("/api/audit", limit=200)["items"]}
    assert action in actions or (action.startswith("run.") and actions & {"run.started", "run.created"})


def test_filters_narrow_the_audit(house: House) -> None:
    run, ask = waiting(house)
    since = house.get("/api/audit", limit=1)["items"][0]["at"]
    house.answer(ask)
    house.ended(run)
    assert {entry["run_id"] for entry in house.get("/api/audit", run=run)["items"]} == {run}
    assert {entry["action"] for entry in house.get("/api/audit", action="ask.answered")["items"]} == {"ask.answered"}
    later = house.get("/api/audit", since=since, limit=200)["items"]
    assert "ask.answered" in {entry["action"] for entry in later}
    assert min(entry["at"] for entry in later) >= since
    me = house.get("/api/me")["user"]["email"]
    assert {entry["actor"] for entry in house.get("/api/audit", actor=me)["items"]} == {me}
    assert house.get("/api/audit", actor="nobody")["total"] == 0


def test_an_export_has_every_entry(house: House) -> None:
    waiting(house)
    total = house.get("/api/audit", limit=1)["total"]
    lines = house.client.get("/api/audit/export").text.strip().splitlines()
    entries = [json.loads(line) for line in lines]
    assert len(entries) == total
    assert {"id", "at", "actor", "action", "subject", "data", "hash", "previous"} <= entries[0].keys()


def test_a_changed_entry_is_found(house: House) -> None:
    waiting(house)
    victim = house.get("/api/audit", limit=3)["items"][-1]
    tables = inspect(house.parts.db.writer).get_table_names()
    columns = {name: {each["name"] for each in inspect(house.parts.db.writer).get_columns(name)} for name in tables}
    (table,) = [name for name in tables if {"hash", "previous", "action"} <= columns[name]]
    change = f"UPDATE {table} SET action = :action WHERE id = :id"
    house.parts.db.write(lambda s: s.execute(text(change), {"action": "nothing.happened", "id": victim["id"]}) and None)
    proof = house.get("/api/audit/verify")
    house.parts.db.write(lambda s: s.execute(text(change), {"action": victim["action"], "id": victim["id"]}) and None)
    assert proof["ok"] is False
    assert proof["first_broken"]
    assert house.get("/api/audit/verify")["ok"] is True
