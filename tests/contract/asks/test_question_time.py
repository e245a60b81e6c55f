"""How long a question waits is a setting, and a late answer may begin a new run."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.contract.asks.test_deadlines import expire, minutes, question
from tests.contract.ruling import audited, somebody
from tests.contract.scenes import WRITE, agent_that, problem, said_to_model, waiting
from tests.house import House
from tests.wire import call, says


def setting(house: House, value: Any, status: int = 200) -> Any:
    response = house.client.patch("/api/settings", json={"question_timeout_minutes": value})
    assert response.status_code == status, response.text
    return response.json()


@pytest.fixture
def settings_back(house: House) -> Iterator[None]:
    yield
    setting(house, None)


def asks(house: House, given: dict[str, Any] | None = None, **agent: Any) -> dict[str, Any]:
    """The question of a new agent."""
    return house.ask(house.start(agent_that(house, says("", question(**(given or {}))), **agent)))


@pytest.mark.both_databases
@pytest.mark.usefixtures("settings_back")
def test_the_agent_comes_before_the_workspace_and_the_question_before_both(house: House) -> None:
    assert house.get("/api/settings")["question_timeout_minutes"] is None
    assert setting(house, 90)["question_timeout_minutes"] == 90
    assert minutes(asks(house)) == pytest.approx(90)
    assert minutes(asks(house, question_timeout_minutes=600)) == pytest.approx(600)
    assert minutes(asks(house, {"timeoutMinutes": 45}, question_timeout_minutes="none")) == pytest.approx(45)
    setting(house, "none")
    forever = asks(house)
    assert (forever["deadline"], forever["on_timeout"]) == (None, None)
    assert minutes(asks(house, question_timeout_minutes=5)) == pytest.approx(5)


def test_a_question_of_an_agent_that_waits_for_ever_is_answered_whenever(house: House) -> None:
    ask = asks(house, question_timeout_minutes="none")
    assert ask["deadline"] is None
    house.answer(ask, "respond", value="blue")
    assert house.ended(ask["run_id"])["status"] == "completed"


@pytest.mark.parametrize("value", [0, 4, 43_201, "never", True])
def test_a_time_out_of_bounds_is_refused(house: House, value: Any) -> None:
    problem(house.client.patch("/api/settings", json={"question_timeout_minutes": value}), 422)
    agent = {"slug": "x", "name": "x", "model": "openai-chat:x", "question_timeout_minutes": value}
    problem(house.client.post("/api/agents", json=agent), 422)


@pytest.mark.usefixtures("settings_back")
def test_a_changed_setting_is_on_the_record_and_an_admins_business(house: House) -> None:
    with house.member("approver") as approver:
        problem(approver.patch("/api/settings", json={"question_timeout_minutes": 60}), 403)
    setting(house, 60)
    workspace = house.get("/api/me")["workspace"]["id"]
    assert audited(house, workspace, "workspace.changed")[-1]["data"]["after"]["question_timeout_minutes"] == 60


def test_the_demo_agents_wait_for_ever(house: House) -> None:
    shipped = [each for each in house.get("/api/agents", limit=200)["items"] if each["model"].startswith("demo:")]
    assert {each["question_timeout_minutes"] for each in shipped} <= {"none"}


# Too late


def too_late(house: House, *calls: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A run that failed since nobody answered, and its ask."""
    run, ask = waiting(house, *(calls or (question(),)))
    expire(house, ask)
    assert house.ended(run)["completion_reason"] == "ask_expired"
    return run, ask


@pytest.mark.both_databases
def test_a_late_answer_begins_a_new_run_that_reads_question_and_answer(house: House) -> None:
    run, ask = too_late(house)
    late = house.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "respond", "value": "blue"})
    onward = problem(late, 409)["state"]["continue"]
    assert onward == {"run_id": run, "ask_id": ask["id"]}
    ann = somebody(house, "member")
    made = ann.post(f"/api/runs/{run}/continue", {"answers": [{"ask_id": ask["id"], "value": "blue"}]})
    assert made.status_code == 201, made.text
    assert made.json()["continues_id"] == run
    new = made.json()["id"]
    house.until(lambda: house.model.asked(made.json()["agent"])[1:])
    first = house.messages(new)[0]
    assert (first["role"], "Which?" in first["text"], "blue" in first["text"]) == ("user", True, True)
    assert "blue" in said_to_model(house, new)
    assert audited(house, ask["id"], "ask.answered_late")[0]["actor"] == ann.email


def test_a_late_answer_must_fit_its_question_and_come_from_who_may_give_it(house: House) -> None:
    run, ask = too_late(house, question(responseType="choice", options=["red", "blue"]))
    answers = {"answers": [{"ask_id": ask["id"], "value": "green"}]}
    problem(house.client.post(f"/api/runs/{run}/continue", json=answers), 422)
    approval = question(type="approval", responseType="approval")
    run, ask = too_late(house, approval)
    answers = {"answers": [{"ask_id": ask["id"], "value": True}]}
    problem(somebody(house, "member").post(f"/api/runs/{run}/continue", answers), 403)
    assert somebody(house).post(f"/api/runs/{run}/continue", answers).status_code == 201


def test_only_what_the_run_ended_for_want_of_is_answered_late(house: House) -> None:
    run, _ = too_late(house)
    _, other = too_late(house)
    answers = {"answers": [{"ask_id": other["id"], "value": "blue"}]}
    assert problem(house.client.post(f"/api/runs/{run}/continue", json=answers), 409)["code"] == "answer_not_wanted"
    run, ask = waiting(house, WRITE)
    house.post(f"/api/runs/{run}/cancel")
    answers = {"answers": [{"ask_id": ask["id"], "value": "yes"}]}
    assert problem(house.client.post(f"/api/runs/{run}/continue", json=answers), 409)["code"] == "answer_not_wanted"
    settled = house.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"})
    assert "continue" not in problem(settled, 409)["state"]
    problem(house.client.post(f"/api/runs/{run}/continue", json={}), 422)


def test_a_default_that_was_used_in_time_is_no_reason_for_a_new_run(house: House) -> None:
    run, ask = waiting(house, call("ask_question", {"question": "Which?", "defaultResponse": "red"}))
    expire(house, ask)
    assert house.ended(run)["status"] == "completed"
    late = house.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "respond", "value": "blue"})
    assert "continue" not in problem(late, 409)["state"]
