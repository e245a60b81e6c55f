"""A limit is the agent's own: only an approver lets a run go beyond it."""

from typing import Any

import httpx
import pytest

from signoff.catalog.schemas import Limits
from signoff.runs.limits import beyond, within
from tests.contract.scenes import WRITE, agent_that, problem
from tests.house import House
from tests.wire import says

OWN = {"max_duration_hours": 2, "max_cost_credits": 50, "max_iterations": 20, "waiting_counts": True}
HIGHER: list[dict[str, Any]] = [
    {"max_duration_hours": 3},
    {"max_duration_hours": 0},
    {"max_cost_credits": 51},
    {"max_cost_credits": 0},
    {"max_iterations": 21},
    {"waiting_counts": False},
]


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


def limited(house: House) -> str:
    return agent_that(house, says("", WRITE), tools=("write_file",), limits=OWN)


@pytest.mark.parametrize("limits", HIGHER, ids=str)
def test_a_member_does_not_raise_a_limit(
    house: House, member: httpx.Client, approver: httpx.Client, limits: dict[str, Any]
) -> None:
    body = {"agent": limited(house), "task": "x", "limits": limits}
    refused = problem(member.post("/api/runs", json=body), 403)
    assert "approver" in refused["detail"]
    assert next(iter(limits)) in refused["detail"]
    assert approver.post("/api/runs", json=body).status_code == 201


def test_a_member_lowers_limits_as_before(house: House, member: httpx.Client) -> None:
    lower = {"max_duration_hours": 1, "max_cost_credits": 5, "max_iterations": 20, "waiting_counts": True}
    answer = member.post("/api/runs", json={"agent": limited(house), "task": "x", "limits": lower})
    assert answer.status_code == 201
    assert answer.json()["limits"] == lower


@pytest.mark.parametrize(("way", "body"), [("continue", {"instructions": "go on"}), ("retry", {})])
def test_what_an_approver_granted_one_run_is_no_members_for_the_next(
    house: House, member: httpx.Client, approver: httpx.Client, way: str, body: dict[str, Any]
) -> None:
    high = {"max_duration_hours": 0, "max_cost_credits": 1000, "max_iterations": 19, "waiting_counts": False}
    given = {"agent": limited(house), "task": "x", "limits": high}
    run = approver.post("/api/runs", json=given).json()["id"]
    house.post(f"/api/runs/{run}/cancel")
    after = member.post(f"/api/runs/{run}/{way}", json=body)
    assert after.status_code == 201
    assert after.json()["limits"] == OWN | {"max_iterations": 19}
    assert approver.post(f"/api/runs/{run}/{way}", json=body).json()["limits"] == high


def test_no_limit_is_beyond_any_limit_and_within_none() -> None:
    own, free = Limits(max_cost_credits=10), Limits(max_cost_credits=0, max_duration_hours=0)
    assert beyond(own, free) == ["max_duration_hours", "max_cost_credits"]
    assert beyond(free, own) == []
    assert within(own, free) == own
    assert beyond(free, free) == []
