"""Who may come in, and how far."""

from typing import Any

import httpx
import pytest

from tests.contract.scenes import DELIVERABLE, QUESTION, WRITE, Abroad, agent_that, problem, run_that, waiting
from tests.house import House
from tests.wire import says

BODIES: dict[str, Any] = {
    "/api/auth/password": {"password": "long enough for all"},
    "/api/tokens": {"name": "t"},
    "/api/agents/{slug}/memory": {"text": "t"},
    "/api/agents/{slug}/memory/{note_id}": {"text": "t"},
    "/api/runs/{run_id}/undo": {"since": "x"},
    "/api/runs/{run_id}/connections": {"connection": "x"},
    "/api/connections/{connection_id}/tools/{tool}/review": {"reviewed": True},
    "/api/members": {"email": "new@example.org", "name": "New", "role": "viewer"},
    "/api/members/{member_id}": {"role": "viewer"},
    "/api/agents": {"slug": "s", "name": "s", "model": "openai-chat:s"},
    "/api/agents/{slug}": {"title": "Taken over"},
    "/api/runs": {"agent": "s", "task": "t"},
    "/api/runs/{run_id}/messages": {"text": "hello"},
    "/api/runs/{run_id}/continue": {"instructions": "more"},
    "/api/runs/{run_id}/retry": {"from": "start"},
    "/api/workflows/{slug}/restore": {"version": 1},
    "/api/me/preferences": {"color_scheme": "auto"},
    "/api/asks/batch": {"ids": ["x"], "decision": "approve"},
    "/api/asks/{ask_id}/answer": {"decision": "approve"},
    "/api/asks/{ask_id}/preview": {"arguments": {"path": "x", "content": "y"}},
    "/api/asks/expire": {"older_than_seconds": 3600},
    "/api/asks/{ask_id}/assign": {"user": None},
    "/api/asks/{ask_id}/comments": {"text": "x"},
    "/api/jobs/{run_id}/questions": {"question": "x", "type": "blocking", "responseType": "text"},
    "/api/deliverables/{deliverable_id}": {"status": "archived"},
    "/api/groups": {"name": "g"},
    "/api/groups/{group_id}": {"members": []},
    "/api/rules": {"yaml": ""},
    "/api/rules/check": {"yaml": ""},
    "/api/rules/simulate": {"yaml": ""},
    "/api/rules/emergency-stop": {"enabled": False},
    "/api/rules/evaluate": {"tool": "write_file"},
    "/api/rules/suggestions/dismiss": {"agent": "a", "tool": "t"},
    "/api/notifications/read": {},
    "/api/approvals/batch": {"approval_ids": ["x"], "decision": "approved"},
    "/api/checkpoints/{ask_id}/reject": {"reason": "no"},
    "/api/questions/{ask_id}/answer": {"response": {"value": "x"}},
}
OPEN = {"/api/auth/sign-in", "/api/auth/sign-out", "/api/auth/invitation", "/api/auth/links/mail"}


def routes(house: House) -> list[tuple[str, str]]:
    paths = house.client.get("/openapi.json").json()["paths"]
    return [(verb.upper(), path) for path, verbs in paths.items() for verb in verbs if path.startswith("/api")]


def body_of(verb: str, path: str) -> Any:
    return BODIES.get(path, {}) if verb in {"POST", "PUT", "PATCH"} else None


def knock(client: httpx.Client, verb: str, path: str, template: str) -> httpx.Response:
    return client.request(verb, path, json=body_of(verb, template), timeout=10)


@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer nobody"}, {"Authorization": "Basic cm9vdA=="}])
def test_every_route_refuses_an_unknown_caller(house: House, header: dict[str, str]) -> None:
    with httpx.Client(base_url=house.url, headers=header, verify=False) as stranger:
        for verb, path in routes(house):
            if path not in OPEN:
                problem(knock(stranger, verb, path.format_map(_anything()), path), 401)


class _anything(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return "01a1e214-450e-7e96-b4fd-40d4bfc4e49e"


def test_an_unknown_caller_is_refused_before_the_body_is_read(house: House) -> None:
    problem(httpx.post(f"{house.url}/api/runs", content=b"{broken", headers={"Content-Type": "application/json"}), 401)


def test_every_route_with_an_id_hides_another_workspace(house: House, abroad: Abroad) -> None:
    met = 0
    for verb, path in routes(house):
        # A provider is the installation's, not a workspace's.
        if "{" in path and "{provider}" not in path:
            problem(knock(house.client, verb, path.format_map(abroad.ids), path), 404)
            met += 1
    assert met > 25
    assert abroad.client.get(f"/api/runs/{abroad.ids['run_id']}").json()["status"] == "waiting_approval"
    assert abroad.client.get(f"/api/agents/{abroad.ids['slug']}").json()["title"] == ""


@pytest.mark.both_databases
def test_lists_never_show_another_workspace(house: House, abroad: Abroad) -> None:
    foreign = set(abroad.ids.values())
    for path in ("/api/runs", "/api/asks", "/api/agents", "/api/deliverables", "/api/members", "/api/tokens"):
        items = house.get(path, limit=200)["items"]
        assert not foreign & {str(value) for item in items for value in item.values()}, path
    assert house.get("/api/audit", run=abroad.ids["run_id"])["items"] == []
    assert house.get("/api/asks", run=abroad.ids["run_id"])["items"] == []
    assert house.get("/api/deliverables", run=abroad.ids["run_id"])["items"] == []


def test_another_workspace_starts_with_its_own_counts(house: House, abroad: Abroad) -> None:
    waiting(house)
    assert abroad.client.get("/api/asks/count").json()["pending"] == 1
    assert abroad.client.get("/api/runs").json()["total"] == 3


def test_a_batch_cannot_reach_another_workspace(house: House, abroad: Abroad) -> None:
    ask = abroad.ids["ask_id"]
    (result,) = house.post("/api/asks/batch", {"ids": [ask], "decision": "approve"})["results"]
    assert result["error"]
    assert abroad.client.get(f"/api/asks/{ask}").json()["status"] == "pending"


def test_a_zip_of_another_workspace_is_not_there(house: House, abroad: Abroad) -> None:
    problem(house.client.get("/api/deliverables/download", params={"run": abroad.ids["run_id"]}), 404)


def test_another_workspaces_agent_cannot_be_started(house: House, abroad: Abroad) -> None:
    problem(house.client.post("/api/runs", json={"agent": abroad.ids["slug"], "task": "steal"}), 404)


def test_the_same_slug_may_exist_in_two_workspaces(house: House, abroad: Abroad) -> None:
    house.agent(abroad.ids["slug"], "openai-chat:ours")
    assert house.get(f"/api/agents/{abroad.ids['slug']}")["model"] == "openai-chat:ours"


def test_a_path_that_is_not_there_is_a_problem(house: House) -> None:
    for path in ("/api/nothing", "/api/", "/api/runs/x/y/z"):
        problem(house.client.get(path), 404)
    problem(house.client.post("/api/nothing", json={}), 404)


def test_a_wrong_verb_is_a_problem(house: House) -> None:
    problem(house.client.put("/api/runs", json={}), 405)


def test_a_viewer_reads(house: House, viewer: httpx.Client) -> None:
    run, ask = waiting(house)
    for path in ("/api/runs", f"/api/runs/{run}", f"/api/asks/{ask['id']}", "/api/agents", "/api/deliverables"):
        assert viewer.get(path).status_code == 200, path


def test_a_viewer_neither_starts_nor_steers_nor_answers(house: House, viewer: httpx.Client) -> None:
    run, question = waiting(house, QUESTION)
    agent = house.run(run)["agent"]
    problem(viewer.post("/api/runs", json={"agent": agent, "task": "x"}), 403)
    problem(viewer.post(f"/api/runs/{run}/messages", json={"text": "x"}), 403)
    for verb in ("cancel", "complete", "pause", "resume"):
        problem(viewer.post(f"/api/runs/{run}/{verb}"), 403)
    problem(viewer.post(f"/api/runs/{run}/continue", json={"instructions": "x"}), 403)
    problem(viewer.delete(f"/api/runs/{run}"), 403)
    problem(viewer.post(f"/api/asks/{question['id']}/answer", json={"decision": "respond", "value": "x"}), 403)
    problem(viewer.post(f"/api/asks/{question['id']}/cancel"), 403)
    assert house.run(run)["status"] == "waiting_input"


def test_a_viewer_does_not_change_deliverables(house: House, viewer: httpx.Client) -> None:
    run = run_that(house, says("", DELIVERABLE))
    house.ended(run)
    path = f"/api/deliverables/{house.get('/api/deliverables', run=run)['items'][0]['id']}"
    problem(viewer.patch(path, json={"status": "archived"}), 403)
    problem(viewer.delete(path), 403)


def test_a_member_starts_and_steers_runs(house: House, member: httpx.Client) -> None:
    agent = agent_that(house, says("", WRITE), tools=("write_file",))
    run = member.post("/api/runs", json={"agent": agent, "task": "x"}).json()["id"]
    house.ask(run)
    assert member.post(f"/api/runs/{run}/pause").status_code == 200
    assert member.post(f"/api/runs/{run}/resume").status_code == 200
    assert member.post(f"/api/runs/{run}/cancel").status_code == 200


def test_a_member_answers_questions(house: House, member: httpx.Client) -> None:
    run, question = waiting(house, QUESTION)
    answer = member.post(f"/api/asks/{question['id']}/answer", json={"decision": "respond", "value": "this"})
    assert answer.status_code == 200
    assert house.ended(run)["status"] == "completed"


@pytest.mark.parametrize("decision", ["approve", "deny", "respond"])
def test_a_member_does_not_decide_approvals(house: House, member: httpx.Client, decision: str) -> None:
    _, ask = waiting(house)
    body = {"decision": decision, "value": "x", "note": "x"}
    problem(member.post(f"/api/asks/{ask['id']}/answer", json=body), 403)
    assert house.get(f"/api/asks/{ask['id']}")["status"] == "pending"


def test_a_batch_does_not_lift_a_member(house: House, member: httpx.Client) -> None:
    _, ask = waiting(house)
    response = member.post("/api/asks/batch", json={"ids": [ask["id"]], "decision": "approve"})
    assert response.status_code == 200, response.text
    error = "This needs the role approver. Your role is member."
    assert response.json()["results"] == [{"id": ask["id"], "status": "pending", "error": error}]
    assert house.get(f"/api/asks/{ask['id']}")["status"] == "pending"


def test_an_approver_decides_approvals(house: House, approver: httpx.Client) -> None:
    run, ask = waiting(house)
    assert approver.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"}).status_code == 200
    assert house.ended(run)["status"] == "completed"


@pytest.mark.parametrize("role", ["viewer", "member", "approver"])
def test_only_an_admin_changes_agents_and_members(house: House, role: str, request: pytest.FixtureRequest) -> None:
    person: httpx.Client = request.getfixturevalue(role)
    agent = agent_that(house)
    somebody = house.get("/api/members")["items"][0]["id"]
    problem(person.post("/api/agents", json={"slug": f"by-{role}", "name": "x", "model": "openai-chat:x"}), 403)
    problem(person.patch(f"/api/agents/{agent}", json={"autonomy": "full"}), 403)
    problem(person.delete(f"/api/agents/{agent}"), 403)
    problem(person.post("/api/members", json={"email": f"{role}2@example.org", "name": "x", "role": "admin"}), 403)
    problem(person.patch(f"/api/members/{somebody}", json={"role": "admin"}), 403)
    problem(person.delete(f"/api/members/{somebody}"), 403)


@pytest.mark.parametrize("role", ["viewer", "member"])
def test_a_token_for_somebody_else_needs_an_admin(house: House, role: str, request: pytest.FixtureRequest) -> None:
    person: httpx.Client = request.getfixturevalue(role)
    admin = house.get("/api/me")["user"]["email"]
    problem(person.post("/api/tokens", json={"name": "climb", "user": admin}), 403)


def test_a_member_does_not_raise_a_runs_autonomy(house: House, member: httpx.Client) -> None:
    agent = agent_that(house, says("", WRITE), tools=("write_file",))
    response = member.post("/api/runs", json={"agent": agent, "task": "x", "autonomy": "full"})
    problem(response, 403)
