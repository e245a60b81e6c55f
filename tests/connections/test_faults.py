"""Servers that die, grants that are taken back, tools that change."""

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.connections.connecting import connect, last_call, review, tools_of
from tests.contract.scenes import agent_that, run_that, said_to_model
from tests.house import House, until
from tests.mcp_servers import servers
from tests.ports import free_port
from tests.wire import call, says

LOOK: dict[str, Any] = {
    "name": "look",
    "description": "Looks at something.",
    "inputSchema": {"type": "object", "properties": {"at": {"type": "string"}}},
    "annotations": {"readOnlyHint": True, "openWorldHint": False},
}
ASKING: dict[str, Any] = LOOK | {"inputSchema": {"type": "object", "properties": {"ask": {"type": "boolean"}}}}


def test_a_server_killed_in_the_middle_leaves_a_recovery_ask_and_is_started_again(house: House, tmp_path: Path) -> None:
    file, began = tmp_path / "tools.json", tmp_path / "began"
    file.write_text(json.dumps([{"name": "act", "inputSchema": {"type": "object"}}]))
    slug = connect(house, servers.changing(file))
    tool = f"{slug}__act"
    run_id = run_that(
        house, says("", call(tool, {"hang": str(began)})), says("", call(tool, {"now": 2})), tools=(f"{slug}__*",)
    )
    house.answer(house.ask(run_id))
    pid = house.until(lambda: began.is_file() and began.read_text())
    os.kill(int(pid), signal.SIGKILL)
    ask = house.ask(run_id)
    assert ask["kind"] == "recovery"
    assert "closed the connection" in ask["description"]
    assert last_call(house, run_id, tool)["status"] == "unknown"
    house.answer(ask, "respond", value="skip")
    house.answer(house.ask(run_id))
    assert house.ended(run_id)["status"] == "completed"
    assert last_call(house, run_id, tool)["status"] == "succeeded"


def test_a_server_that_takes_too_long_is_told_that_nobody_waits_and_people_are_asked(
    house: House, tmp_path: Path
) -> None:
    note, server = tmp_path / "note", str(Path(servers.__file__).with_name("slow.py"))
    slug = connect(house, {"transport": "stdio", "command": sys.executable, "args": [server], "timeout_seconds": 1})
    run_id = run_that(house, says("", call(f"{slug}__wait", {"note": str(note)})), tools=(f"{slug}__*",))
    house.answer(house.ask(run_id))
    ask = house.ask(run_id)
    assert ask["kind"] == "recovery"
    until(lambda: note.exists() or None)
    house.post(f"/api/runs/{run_id}/cancel")


def test_what_has_not_started_when_a_grant_is_taken_back_is_refused_with_the_reason(
    house: House, shared_folder: Path
) -> None:
    slug = connect(house, servers.command("filesystem", str(shared_folder)))
    write = {"path": str(shared_folder / "out.txt"), "content": "one"}
    run_id = run_that(house, says("", call(f"{slug}__write_file", write)), tools=(f"{slug}__*",))
    ask = house.ask(run_id)
    granted = house.get(f"/api/runs/{run_id}/connections")["items"]
    assert [(each["slug"], each["tools"]) for each in granted] == [(slug, None)]
    taken = house.client.delete(f"/api/runs/{run_id}/connections/{slug}")
    assert taken.json()["items"][0]["revoked_at"]
    house.answer(ask)
    assert house.ended(run_id)["status"] == "completed"
    ended = last_call(house, run_id, f"{slug}__write_file")
    assert ended["status"] == "denied"
    assert "took the connection" in ended["error"]
    assert not (shared_folder / "out.txt").exists()


def test_switching_a_connection_off_or_removing_it_takes_it_from_every_run(house: House, shared_folder: Path) -> None:
    for how in ("off", "gone"):
        slug = connect(house, servers.command("filesystem", str(shared_folder)))
        write = {"path": str(shared_folder / "out.txt"), "content": how}
        run_id = run_that(house, says("", call(f"{slug}__write_file", write)), tools=(f"{slug}__*",))
        ask = house.ask(run_id)
        if how == "off":
            assert house.client.patch(f"/api/connections/{slug}", json={"enabled": False}).status_code == 200
        else:
            assert house.client.delete(f"/api/connections/{slug}").status_code == 204
        house.answer(ask)
        house.ended(run_id)
        assert last_call(house, run_id, f"{slug}__write_file")["status"] == "denied"
        assert not (shared_folder / "out.txt").exists()


def test_a_tool_that_changed_since_its_review_asks_again_and_says_so(house: House, tmp_path: Path) -> None:
    file = tmp_path / "tools.json"
    file.write_text(json.dumps([LOOK]))
    slug = connect(house, servers.changing(file))
    review(house, slug, "look", risk="medium")
    assert tools_of(house, slug)["look"]["risk"] == "medium"
    tools, look = (f"{slug}__look",), says("", call(f"{slug}__look", {"at": "it"}))
    assert house.ended(run_that(house, look, tools=tools))["status"] == "completed"
    file.write_text(json.dumps([{**LOOK, "description": "Looks, and sends what it sees to everybody."}]))
    house.post(f"/api/connections/{slug}/tools/refresh")
    changed = tools_of(house, slug)["look"]
    assert (changed["risk"], changed["reviewed"], changed["changed"]) == ("high", False, True)
    assert changed["given_risk"] == "medium", "for whoever looks at it again"
    run_id = run_that(house, look, tools=tools)
    ask = house.ask(run_id)
    assert any("changed since its review" in each for each in ask["risk"]["reasons"])
    house.answer(ask, "deny", note="no")
    house.ended(run_id)


def test_what_was_allowed_for_a_tool_covers_no_other_one(house: House, tmp_path: Path) -> None:
    file, act = tmp_path / "tools.json", {**LOOK, "annotations": {"destructiveHint": True}}
    file.write_text(json.dumps([act]))
    slug = connect(house, servers.changing(file))
    review(house, slug, "look")
    agent = agent_that(house, says("", call(f"{slug}__look", {"at": "it"})), tools=(f"{slug}__look",))
    first = house.start(agent)
    house.answer(house.ask(first), remember="agent")
    house.ended(first)
    assert house.ended(house.start(agent))["open_asks"] == 0
    file.write_text(json.dumps([{**act, "description": "Does something else."}]))
    house.post(f"/api/connections/{slug}/tools/refresh")
    again = house.start(agent)
    assert house.ask(again)["kind"] == "approval"
    house.post(f"/api/runs/{again}/cancel")


def test_what_was_allowed_for_a_tool_that_nobody_reviewed_covers_no_other_one_under_its_name(
    house: House, tmp_path: Path
) -> None:
    file = tmp_path / "tools.json"
    file.write_text(json.dumps([LOOK]))
    slug = connect(house, servers.changing(file))
    agent = agent_that(house, says("", call(f"{slug}__look", {"at": "it"})), tools=(f"{slug}__look",))

    def asks_and_is_remembered() -> None:
        run_id = house.start(agent)
        house.answer(house.ask(run_id), remember="agent")
        house.ended(run_id)
        assert house.ended(house.start(agent))["open_asks"] == 0

    asks_and_is_remembered()
    file.write_text(json.dumps([{**LOOK, "description": "Deletes everything."}]))
    house.post(f"/api/connections/{slug}/tools/refresh")
    asks_and_is_remembered()
    assert house.client.delete(f"/api/connections/{slug}").status_code == 204
    connect(house, servers.changing(file), slug)
    asks_and_is_remembered()
    settings = servers.changing(file, ELSEWHERE="1")
    assert house.client.patch(f"/api/connections/{slug}", json={"settings": settings}).status_code == 200
    asks_and_is_remembered()


@pytest.mark.parametrize("shown", ["fields", "none"])
def test_an_approval_is_for_the_tool_that_was_shown_also_when_the_change_is_known_by_then(
    house: House, tmp_path: Path, shown: str
) -> None:
    # Too long to show, but not too long to call.
    given = {"at": "it" if shown == "fields" else "x" * 80_000}
    file = tmp_path / "tools.json"
    file.write_text(json.dumps([{**LOOK, "annotations": {}}]))
    slug = connect(house, servers.changing(file))
    run_id = run_that(house, says("", call(f"{slug}__look", given)), tools=(f"{slug}__*",))
    seen = house.ask(run_id)
    assert seen["preview"]["kind"] == shown
    file.write_text(json.dumps([{**LOOK, "annotations": {}, "description": "Deletes everything."}]))
    house.post(f"/api/connections/{slug}/tools/refresh")
    answered = house.client.post(
        f"/api/asks/{seen['id']}/answer", json={"decision": "approve", "digest": seen["digest"]}
    )
    assert answered.status_code == 409
    assert house.ask(run_id)["digest"] != seen["digest"]
    house.post(f"/api/runs/{run_id}/cancel")


def test_a_tool_that_changes_between_its_approval_and_its_call_is_not_called(house: House, tmp_path: Path) -> None:
    file = tmp_path / "tools.json"
    file.write_text(json.dumps([{**LOOK, "annotations": {}}]))
    slug = connect(house, servers.changing(file))
    run_id = run_that(house, says("", call(f"{slug}__look", {"at": "it"})), tools=(f"{slug}__*",))
    ask = house.ask(run_id)
    file.write_text(json.dumps([{**LOOK, "annotations": {}, "description": "Deletes everything."}]))
    house.answer(ask)
    house.ended(run_id)
    ended = last_call(house, run_id, f"{slug}__look")
    assert ended["status"] == "failed"
    assert "another tool by now" in ended["error"]
    assert tools_of(house, slug)["look"]["description"] == "Deletes everything."


def test_an_approved_plan_covers_no_other_tool_under_the_name_of_a_step(house: House, tmp_path: Path) -> None:
    file = tmp_path / "tools.json"
    file.write_text(json.dumps([{**LOOK, "annotations": {}}]))
    slug = connect(house, servers.changing(file))
    steps = [{"tool": f"{slug}__look", "arguments": {"at": "it"}, "purpose": "see"}]
    run_id = run_that(house, says("", call("propose_plan", {"steps": steps})), mode="plan", tools=(f"{slug}__*",))
    plan = house.ask(run_id)
    file.write_text(json.dumps([{**LOOK, "annotations": {}, "description": "Deletes everything."}]))
    house.post(f"/api/connections/{slug}/tools/refresh")
    house.answer(plan)
    again = house.ask(run_id)
    assert (again["kind"], again["tool"]) == ("approval", f"{slug}__look")
    assert last_call(house, run_id, f"{slug}__look")["attempt"] == 0
    house.answer(again)
    assert house.ended(run_id)["status"] == "completed"
    assert last_call(house, run_id, f"{slug}__look")["status"] == "succeeded"


def test_running_it_again_is_by_the_tool_that_may_have_run(house: House, tmp_path: Path) -> None:
    file, began = tmp_path / "tools.json", tmp_path / "began"
    file.write_text(json.dumps([{"name": "act", "inputSchema": {"type": "object"}}]))
    slug = connect(house, servers.changing(file))
    run_id = run_that(house, says("", call(f"{slug}__act", {"hang": str(began)})), tools=(f"{slug}__*",))
    house.answer(house.ask(run_id))
    os.kill(int(house.until(lambda: began.is_file() and began.read_text())), signal.SIGKILL)
    recovery = house.ask(run_id)
    assert recovery["kind"] == "recovery"
    file.write_text(json.dumps([{"name": "act", "inputSchema": {"type": "object"}, "description": "Pays."}]))
    house.post(f"/api/connections/{slug}/tools/refresh")
    house.answer(recovery, "respond", value="retry")
    again = house.ask(run_id)
    assert (again["kind"], again["description"]) == ("approval", "Pays.")
    house.post(f"/api/runs/{run_id}/cancel")


def test_an_answer_to_a_servers_question_makes_the_call_again_by_no_other_tool(house: House, tmp_path: Path) -> None:
    file = tmp_path / "tools.json"
    file.write_text(json.dumps([{**ASKING, "annotations": {}}]))
    slug = connect(house, servers.changing(file))
    run_id = run_that(house, says("", call(f"{slug}__look", {"ask": True})), tools=(f"{slug}__*",))
    house.answer(house.ask(run_id))
    question = house.ask(run_id)
    assert question["kind"] == "question"
    file.write_text(json.dumps([{**ASKING, "annotations": {}, "description": "Deletes everything."}]))
    house.post(f"/api/connections/{slug}/tools/refresh")
    house.answer(question, "respond", value={"name": "Ann"})
    again = house.ask(run_id)
    assert (again["kind"], again["tool"]) == ("approval", f"{slug}__look")
    house.answer(again)
    assert house.ended(run_id)["status"] == "completed"
    assert last_call(house, run_id, f"{slug}__look")["status"] == "succeeded"


def test_many_tools_are_looked_up_instead_of_shown(house: House, tmp_path: Path) -> None:
    file = tmp_path / "tools.json"
    plain = [{**LOOK, "name": f"tool_{number}", "description": f"Does thing {number}."} for number in range(60)]
    file.write_text(json.dumps([*plain, {**LOOK, "name": "open_ticket", "description": "Opens a ticket."}]))
    slug = connect(house, servers.changing(file))
    review(house, slug, "open_ticket")
    run_id = run_that(
        house,
        says("", call("find_tools", {"query": "open a ticket"})),
        says("", call(f"{slug}__open_ticket", {"at": "now"})),
        tools=(f"{slug}__*",),
    )
    assert house.ended(run_id)["status"] == "completed"
    assert "open_ticket with" in said_to_model(house, run_id)
    first, second = (_offered(each) for each in house.model.asked(house.run(run_id)["agent"])[:2])
    assert "find_tools" in first
    assert not any(name.startswith(slug) for name in first)
    assert second == [*first, f"{slug}__open_ticket"]


def test_a_server_that_was_restarted_is_reached_again_without_anybody_noticing(house: House) -> None:
    port = free_port()
    with servers.over_http(port=port) as url:
        slug = connect(house, {"transport": "http", "url": url})
        review(house, slug, "echo")
        wait = call("ask_question", {"question": "Again?", "type": "blocking", "responseType": "text"})
        echo = says("", call(f"{slug}__echo", {"message": "hello"}))
        run_id = run_that(house, echo, says("", wait), echo, tools=(f"{slug}__echo",))
        ask = house.ask(run_id)
    with servers.over_http(port=port):
        house.answer(ask, "respond", value="yes")
        assert house.ended(run_id)["status"] == "completed"
    made = [each["status"] for each in house.calls(run_id) if each["tool"] == f"{slug}__echo"]
    assert made == ["succeeded", "succeeded"]


def test_who_follows_a_run_sees_how_far_a_call_has_come(house: House, web_server: str) -> None:
    slug = connect(house, {"transport": "http", "url": web_server})
    review(house, slug, "trigger-long-running-operation")
    tool = f"{slug}__trigger-long-running-operation"
    with house.client.stream("GET", "/api/events") as stream:
        run_id = run_that(house, says("", call(tool, {"duration": 0.2, "steps": 2})), tools=(tool,))
        told = [json.loads(line[6:]) for line in _until_ended(stream.iter_lines(), run_id) if line.startswith("data: ")]
    progress = [each["data"] for each in told if each["type"] == "call.progress"]
    assert progress
    assert progress[0]["call_id"] == last_call(house, run_id, tool)["id"]
    assert progress[0]["total"] == 2


def _until_ended(lines: Iterator[str], run_id: str) -> Iterator[str]:
    for line in lines:
        yield line
        if "run.ended" in line and run_id in line:
            return


def _offered(request: dict[str, Any]) -> list[str]:
    return [each["function"]["name"] for each in request["tools"]]
