"""Schedules through the API: who makes, changes and runs them, and what they say of their times."""

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from signoff.schedules import firing
from signoff.schedules.models import Schedule
from tests.contract.scenes import Abroad, agent_that, problem
from tests.house import House
from tests.wire import DONE

NIGHTLY: dict[str, Any] = {"cron": "30 2 * * *", "timezone": "Europe/Berlin", "task": "Tidy up", "name": "Tidying"}


@pytest.fixture(scope="module")
def agent(house: House) -> str:
    return agent_that(house, DONE, DONE, DONE, DONE)


def made(client: httpx.Client, agent: str, **given: Any) -> dict[str, Any]:
    response = client.post("/api/schedules", json={"agent": agent, **NIGHTLY, **given})
    assert response.status_code == 201, response.text
    return response.json()


def actions_of(house: House, schedule_id: str) -> list[str]:
    return [each["action"] for each in house.get("/api/audit", subject=schedule_id, limit=50)["items"]]


def test_a_new_schedule_says_when_it_runs_and_what_that_means(house: House, member: httpx.Client, agent: str) -> None:
    schedule = made(member, agent)
    assert schedule["in_words"] == "At 02:30 every day"
    assert (schedule["enabled"], schedule["mine"], schedule["last_run_id"]) == (True, True, None)
    times = [datetime.fromisoformat(each) for each in schedule["next_runs"]]
    assert len(times) == 5
    assert times == sorted(times)
    assert datetime.fromisoformat(schedule["next_at"]) == times[0] > datetime.now(UTC)
    assert house.get(f"/api/schedules/{schedule['id']}") == schedule | {"mine": False}
    assert schedule["id"] in [each["id"] for each in house.get("/api/schedules", agent=agent)["items"]]
    assert actions_of(house, schedule["id"]) == ["schedule.created"]


def test_short_words_are_written_out(member: httpx.Client, agent: str) -> None:
    found = {word: made(member, agent, cron=word)["cron"] for word in ("@hourly", "@daily", "@weekly", "@monthly")}
    assert found == {"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *"}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"cron": "0 0 9 * * *"}, "five fields"),
        ({"cron": "@yearly"}, "five fields"),
        ({"cron": "61 * * * *"}, "bad minute"),
        ({"cron": "0 0 */31 2 1#5"}, "never comes"),
        ({"timezone": "Europe/Berlinn"}, "did you mean `Europe/Berlin`"),
        ({"task": " "}, "give the task"),
        ({"workflow": "w"}, "one of them"),
        ({"agent": None}, "one of them"),
    ],
)
def test_what_cannot_be_a_schedule_is_refused_with_what_to_write(
    member: httpx.Client, agent: str, wrong: dict[str, Any], said: str
) -> None:
    response = member.post("/api/schedules", json={"agent": agent, **NIGHTLY, **wrong})
    assert response.status_code == 422
    assert said in response.text
    assert "Value error" not in response.text


def test_an_agent_that_is_not_there_cannot_be_scheduled(member: httpx.Client) -> None:
    assert problem(member.post("/api/schedules", json={"agent": "nobody-s", **NIGHTLY}), 404)["code"] == "unknown_agent"


def test_a_preview_tells_the_times_of_an_expression(viewer: httpx.Client) -> None:
    found = viewer.post("/api/schedules/preview", json={"cron": "@daily", "timezone": "Asia/Tokyo"}).json()
    assert (found["cron"], found["in_words"], len(found["next_runs"])) == ("0 0 * * *", "At 00:00 every day", 5)
    assert {datetime.fromisoformat(each).hour for each in found["next_runs"]} == {15}


def test_one_that_is_paused_has_no_next_time_and_goes_on_from_now(
    house: House, member: httpx.Client, agent: str
) -> None:
    schedule = made(member, agent)
    path = f"/api/schedules/{schedule['id']}"
    paused = member.patch(path, json={"enabled": False}).json()
    assert (paused["next_at"], paused["next_runs"], paused["disabled_reason"]) == (None, [], None)
    on = member.patch(path, json={"enabled": True, "cron": "0 9 * * 1-5", "name": None}).json()
    assert (on["cron"], on["name"], on["task"], on["timezone"]) == ("0 9 * * 1-5", None, "Tidy up", "Europe/Berlin")
    assert on["next_at"] == on["next_runs"][0]
    assert actions_of(house, schedule["id"]) == ["schedule.changed", "schedule.changed", "schedule.created"]
    assert member.patch(path, json={"task": ""}).status_code == 422


def test_whoever_made_it_and_admins_change_it_and_nobody_else(
    house: House, member: httpx.Client, approver: httpx.Client, viewer: httpx.Client, agent: str
) -> None:
    path = f"/api/schedules/{made(member, agent)['id']}"
    assert problem(approver.patch(path, json={"task": "x"}), 403)["code"] == "not_your_schedule"
    assert problem(approver.post(f"{path}/run-now"), 403)["code"] == "not_your_schedule"
    assert problem(approver.delete(path), 403)["code"] == "not_your_schedule"
    assert viewer.get(path).status_code == 200
    assert viewer.post("/api/schedules", json={"agent": agent, **NIGHTLY}).status_code == 403
    assert house.client.patch(path, json={"task": "Tidy all"}).json()["task"] == "Tidy all"
    assert member.delete(path).status_code == 204
    assert problem(member.get(path), 404)["code"] == "unknown_schedule"


def test_run_now_starts_its_run_in_the_name_of_who_wants_it(house: House, member: httpx.Client, agent: str) -> None:
    schedule = made(member, agent, input={"folder": "a"})
    run = member.post(f"/api/schedules/{schedule['id']}/run-now").json()
    assert (run["title"], run["task"], run["input"]) == ("Tidying", "Tidy up", {"folder": "a"})
    assert (run["created_by"], run["schedule_id"]) == (schedule["created_by"], schedule["id"])
    house.ended(run["id"])
    after = member.get(f"/api/schedules/{schedule['id']}").json()
    assert (after["last_run_id"], after["last_run_status"]) == (run["id"], "completed")
    assert after["next_at"] == schedule["next_at"]
    assert actions_of(house, schedule["id"])[0] == "schedule.fired"


def test_a_schedule_of_another_workspace_is_not_there(house: House, abroad: Abroad, agent: str) -> None:
    path = f"/api/schedules/{made(house.client, agent)['id']}"
    for response in (
        abroad.client.get(path),
        abroad.client.patch(path, json={"enabled": False}),
        abroad.client.post(f"{path}/run-now"),
        abroad.client.delete(path),
    ):
        assert response.status_code == 404
    theirs = [each["id"] for each in abroad.client.get("/api/schedules").json()["items"]]
    assert theirs == [abroad.ids["schedule_id"]]


def test_the_steps_of_a_scheduled_workflow_know_their_schedule(house: House, member: httpx.Client) -> None:
    given = {"slug": "by-the-clock", "name": "By the clock"}
    house.post("/api/workflows", given | {"steps": [{"id": "one", "agent": agent_that(house, DONE)}]}, 201)
    body = {"workflow": "by-the-clock", "cron": "@daily", "input": {"month": "May"}}
    schedule = member.post("/api/schedules", json=body).json()
    run = member.post(f"/api/schedules/{schedule['id']}/run-now").json()
    assert (run["kind"], run["workflow"], run["input"]) == ("workflow", "by-the-clock", {"month": "May"})
    (step,) = house.ended(run["id"])["steps"]
    assert house.run(step["run_id"])["schedule_id"] == schedule["id"]


@pytest.mark.both_databases
@pytest.mark.parametrize("way", ["made", "changed"])
def test_it_ends_with_the_token_that_it_was_made_or_changed_with(house: House, agent: str, way: str) -> None:
    person = house.member("member")
    token = person.post("/api/tokens", json={"name": "leaked"}).json()
    with httpx.Client(base_url=house.url, headers={"Authorization": f"Bearer {token['token']}"}) as program:
        if way == "made":
            schedule = made(program, agent)
        else:
            schedule = made(person, agent)
            assert program.patch(f"/api/schedules/{schedule['id']}", json={"task": "Something else"}).is_success

    def owner() -> Any:
        return house.parts.db.read(lambda s: firing.owner(s, s.get_one(Schedule, schedule["id"])))

    assert not isinstance(owner(), str)
    assert person.delete(f"/api/tokens/{token['id']}").status_code == 204
    assert "API token" in owner()
    # Its owner looked at it, and wants it.
    assert person.patch(f"/api/schedules/{schedule['id']}", json={"task": "Mine again"}).is_success
    assert not isinstance(owner(), str)
