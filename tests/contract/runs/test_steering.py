"""The user at the wheel: message, pause, resume, cancel, complete, continue, delete."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from signoff.kit.ids import new_id
from tests.contract.scenes import (
    DELIVERABLE,
    QUESTION,
    WRITE,
    free_run,
    problem,
    requests_of,
    run_that,
    said_to_model,
    waiting,
)
from tests.house import House
from tests.wire import DONE, call, says


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


class Slow:
    """A model that thinks until it is let go."""

    def __init__(self, house: House) -> None:
        self.name = f"m{new_id()}"
        self.thinking, self.free, self.turns = threading.Event(), threading.Event(), 0
        house.agent(self.name, house.model.play(self.name, self.answer), "write_file", autonomy="full")
        self.run = house.start(self.name)
        assert self.thinking.wait(10)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        self.turns += 1
        self.thinking.set()
        self.free.wait(20)
        return says("", call("report_progress", {"current_step": "on"})) if self.turns == 1 else DONE


@pytest.fixture
def slow(house: House) -> Iterator[Slow]:
    slow = Slow(house)
    yield slow
    slow.free.set()
    house.ended(slow.run)


def test_a_message_reaches_the_model_at_the_next_iteration(house: House, slow: Slow) -> None:
    message = house.post(f"/api/runs/{slow.run}/messages", {"text": "Mind the gap"}, 201)
    assert (message["role"], message["text"]) == ("user", "Mind the gap")
    slow.free.set()
    house.ended(slow.run)
    first, second = requests_of(house, slow.run)[:2]
    assert "Mind the gap" not in str(first["messages"])
    *_, said, _now = (each["content"] for each in second["messages"] if each["role"] == "user")
    assert said == "Mind the gap"


def test_every_line_of_a_person_bears_their_name(house: House, person: Callable[[str], httpx.Client]) -> None:
    run = run_that(house, says("", WRITE))
    house.ask(run)
    member = person("member")
    assert member.post(f"/api/runs/{run}/messages", json={"text": "and hurry"}).is_success
    said = [message for message in house.messages(run) if message["role"] == "user"]
    mine, theirs = (client.get("/api/me").json()["user"]["email"] for client in (house.client, member))
    assert [message["author"] for message in said] == [mine, theirs]
    assert {message["author"] for message in house.messages(run) if message["role"] != "user"} == {None}


def test_a_message_while_waiting_is_read_after_the_answer(house: House) -> None:
    run, ask = waiting(house)
    house.post(f"/api/runs/{run}/messages", {"text": "Be brief"}, 201)
    assert house.run(run)["status"] == "waiting_approval"
    house.answer(ask)
    house.ended(run)
    assert "Be brief" in said_to_model(house, run)
    assert any(each["role"] == "user" and each["text"] == "Be brief" for each in house.messages(run))


def test_an_ended_run_takes_no_messages(house: House) -> None:
    run = free_run(house)["id"]
    assert "completed" in str(problem(house.client.post(f"/api/runs/{run}/messages", json={"text": "late"}), 409))


def test_a_pause_holds_a_working_run_after_its_step(house: House, slow: Slow) -> None:
    assert house.post(f"/api/runs/{slow.run}/pause")["status"] == "paused"
    slow.free.set()
    house.status(slow.run, "paused")
    assert slow.turns == 1
    house.post(f"/api/runs/{slow.run}/resume")
    assert house.ended(slow.run)["status"] == "completed"


def test_a_paused_run_keeps_its_asks_and_goes_on_after_resume(house: House) -> None:
    run, ask = waiting(house)
    assert house.post(f"/api/runs/{run}/pause")["status"] == "paused"
    assert house.run(run)["open_asks"] == 1
    assert house.post(f"/api/runs/{run}/resume")["status"] == "running"
    house.status(run, "waiting_approval")
    house.answer(ask)
    assert house.ended(run)["status"] == "completed"


def test_an_answer_during_a_pause_counts_but_nothing_runs_until_resume(house: House) -> None:
    run, ask = waiting(house)
    house.post(f"/api/runs/{run}/pause")
    house.answer(ask)
    with pytest.raises(AssertionError):
        house.until(lambda: house.run(run)["status"] != "paused", 0.5)
    assert house.calls(run)[0]["status"] != "succeeded"
    house.post(f"/api/runs/{run}/resume")
    assert house.ended(run)["status"] == "completed"
    assert house.calls(run)[0]["status"] == "succeeded"


@pytest.mark.parametrize("verb", ["resume"])
def test_only_a_paused_run_resumes(house: House, verb: str) -> None:
    run, _ = waiting(house)
    assert "waiting_approval" in str(problem(house.client.post(f"/api/runs/{run}/{verb}"), 409))


def test_a_paused_run_pauses_no_further(house: House) -> None:
    run, _ = waiting(house)
    house.post(f"/api/runs/{run}/pause")
    assert "paused" in str(problem(house.client.post(f"/api/runs/{run}/pause"), 409))
    assert house.run(run)["status"] == "paused"


@pytest.mark.parametrize("verb", ["pause", "resume", "cancel", "complete"])
def test_an_ended_run_never_moves_again_and_the_conflict_says_so(house: House, verb: str) -> None:
    run = free_run(house)
    assert "completed" in str(problem(house.client.post(f"/api/runs/{run['id']}/{verb}"), 409))
    assert house.run(run["id"]) == run


def test_cancel_cancels_open_asks_and_keeps_drafts(house: House) -> None:
    run, ask = waiting(house, DELIVERABLE, WRITE, QUESTION)
    ended = house.post(f"/api/runs/{run}/cancel")
    assert (ended["status"], ended["completion_reason"], ended["open_asks"]) == ("cancelled", "cancelled", 0)
    assert {each["status"] for each in house.get(f"/api/runs/{run}/asks")["items"]} == {"cancelled"}
    (draft,) = house.get(f"/api/runs/{run}/deliverables")["items"]
    assert draft["status"] == "draft"
    assert house.client.get(f"/api/deliverables/{draft['id']}/content").text == "# One"
    assert "cancelled" in str(
        problem(house.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"}), 409)
    )


def test_cancel_stops_a_run_that_thinks(house: House, slow: Slow) -> None:
    house.post(f"/api/runs/{slow.run}/cancel")
    slow.free.set()
    assert house.ended(slow.run)["status"] == "cancelled"
    assert slow.turns == 1


def test_a_paused_run_can_be_cancelled(house: House) -> None:
    run, _ = waiting(house)
    house.post(f"/api/runs/{run}/pause")
    assert house.post(f"/api/runs/{run}/cancel")["status"] == "cancelled"


def test_complete_ends_a_run_by_the_user(house: House) -> None:
    run, _ = waiting(house, DELIVERABLE, WRITE)
    ended = house.post(f"/api/runs/{run}/complete")
    assert (ended["status"], ended["completion_reason"]) == ("completed", "user_completed")
    assert house.get(f"/api/runs/{run}/asks")["items"][0]["status"] == "cancelled"
    (made,) = house.get(f"/api/runs/{run}/deliverables")["items"]
    assert made["status"] == "final"
    assert [each["status"] for each in house.calls(run)] == ["succeeded", "denied"]


def test_continue_makes_a_new_run_that_knows_the_old_one(house: House) -> None:
    old = free_run(house, says("I looked at the moon", call("complete_task", {"summary": "moon seen"})))
    new = house.post(f"/api/runs/{old['id']}/continue", {"instructions": "Now the stars"}, 201)
    assert (new["continues_id"], new["continuation_count"]) == (old["id"], 1)
    assert new["id"] != old["id"]
    assert house.ended(new["id"])["status"] == "completed"
    heard = said_to_model(house, new["id"])
    assert "Now the stars" in heard
    assert "moon" in heard
    assert house.run(old["id"]) == old


def test_a_continuation_counts_on(house: House) -> None:
    run = free_run(house)
    for count in (1, 2):
        run = house.post(f"/api/runs/{run['id']}/continue", {"instructions": "more"}, 201)
        assert run["continuation_count"] == count
        house.ended(run["id"])


def test_a_cancelled_run_can_be_continued(house: House) -> None:
    run, _ = waiting(house)
    house.post(f"/api/runs/{run}/cancel")
    new = house.post(f"/api/runs/{run}/continue", {"instructions": "try again"}, 201)
    assert new["continues_id"] == run
    house.answer(house.ask(new["id"]))
    assert house.ended(new["id"])["status"] == "completed"


def test_a_run_that_works_is_not_continued(house: House) -> None:
    run, _ = waiting(house)
    body = problem(house.client.post(f"/api/runs/{run}/continue", json={"instructions": "more"}), 409)
    assert "waiting_approval" in str(body)


def test_a_deleted_run_is_gone_with_all_it_had(house: House) -> None:
    run = free_run(house, says("", DELIVERABLE))["id"]
    (deliverable,) = house.get(f"/api/runs/{run}/deliverables")["items"]
    assert house.client.delete(f"/api/runs/{run}").status_code == 204
    problem(house.client.get(f"/api/runs/{run}"), 404)
    problem(house.client.delete(f"/api/runs/{run}"), 404)
    problem(house.client.get(f"/api/deliverables/{deliverable['id']}"), 404)
    for part in ("messages", "calls", "asks", "activity"):
        problem(house.client.get(f"/api/runs/{run}/{part}"), 404)
    assert house.get("/api/audit/verify")["ok"]
    assert house.get("/api/audit", run=run)["total"] > 0


def test_only_an_admin_deletes_a_run_and_its_record_stays_whole(house: House, approver: httpx.Client) -> None:
    run, ask = waiting(house)
    house.answer(ask, "deny", note="no")
    house.ended(run)
    assert "admin" in str(problem(approver.delete(f"/api/runs/{run}"), 403))
    before = house.get("/api/audit", run=run, limit=200)["items"]
    assert house.client.delete(f"/api/runs/{run}").status_code == 204
    deleted, *rest = house.get("/api/audit", run=run, limit=200)["items"]
    assert rest == before
    assert (deleted["action"], deleted["actor"]) == ("run.deleted", house.get("/api/me")["user"]["email"])
    assert deleted["data"]["title"]
    proof = house.get("/api/audit/verify")
    assert (proof["ok"], proof["entries"]) == (True, house.get("/api/audit", limit=1)["total"])


def test_a_run_that_waits_is_not_deleted(house: House) -> None:
    run, _ = waiting(house)
    assert "waiting_approval" in str(problem(house.client.delete(f"/api/runs/{run}"), 409))


def test_a_parent_can_be_deleted_without_its_continuation(house: House) -> None:
    old = free_run(house)
    new = house.post(f"/api/runs/{old['id']}/continue", {"instructions": "more"}, 201)
    house.ended(new["id"])
    assert house.client.delete(f"/api/runs/{old['id']}").status_code == 204
    assert house.run(new["id"])["status"] == "completed"


def test_a_run_keeps_the_revision_it_started_with(house: House) -> None:
    run, ask = waiting(house)
    agent = house.run(run)["agent"]
    changed = house.client.patch(f"/api/agents/{agent}", json={"instructions": "Sing."}).json()
    assert changed["revision"] == 2
    house.answer(ask)
    assert house.ended(run)["agent_revision"] == 1
    assert "Sing." not in said_to_model(house, run)
    assert house.run(house.start(agent))["agent_revision"] == 2


def test_revisions_keep_every_definition(house: House) -> None:
    agent = house.run(run_that(house))["agent"]
    house.client.patch(f"/api/agents/{agent}", json={"title": "Second"})
    revisions = house.get(f"/api/agents/{agent}/revisions")["items"]
    assert {each["revision"]: each["definition"]["title"] for each in revisions} == {1: "", 2: "Second"}


def test_a_change_leaves_the_other_fields(house: House) -> None:
    agent = house.run(run_that(house, tags=["one"]))["agent"]
    before = house.get(f"/api/agents/{agent}")
    after = house.client.patch(f"/api/agents/{agent}", json={"title": "New"}).json()
    changed = {name for name in before if before[name] != after[name]}
    assert changed <= {"title", "revision", "updated_at"}


def test_a_deleted_agent_starts_nothing_and_its_runs_stay(house: House) -> None:
    run = free_run(house)
    assert house.client.delete(f"/api/agents/{run['agent']}").status_code == 204
    problem(house.client.get(f"/api/agents/{run['agent']}"), 404)
    problem(house.client.post("/api/runs", json={"agent": run["agent"], "task": "x"}), 404)
    assert house.run(run["id"])["agent"] == run["agent"]


def test_a_run_that_waits_survives_the_deletion_of_its_agent(house: House) -> None:
    run, ask = waiting(house)
    house.client.delete(f"/api/agents/{house.run(run)['agent']}")
    house.answer(ask)
    assert house.ended(run)["status"] == "completed"
    assert house.calls(run)[0]["status"] == "succeeded"
