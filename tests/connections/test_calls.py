"""Runs that use real MCP servers."""

from pathlib import Path

from tests.connections.connecting import connect, last_call, review, tools_of
from tests.contract.scenes import run_that, said_to_model
from tests.house import House
from tests.mcp_servers import servers
from tests.wire import call, says


def test_a_server_is_reached_and_its_tools_are_listed(house: House, shared_folder: Path) -> None:
    slug = connect(house, servers.command("filesystem", str(shared_folder)))
    tools = tools_of(house, slug)
    assert {"read_text_file", "write_file"} <= set(tools)
    assert {each["risk"] for each in tools.values()} == {"high"}
    assert not any(each["reviewed"] for each in tools.values())
    listed = {each["name"]: each for each in house.get("/api/tools")["items"]}
    assert listed[f"{slug}__write_file"]["source"] == f"connection:{slug}"


def test_a_write_is_approved_with_edited_arguments_and_a_reviewed_read_runs_by_itself(
    house: House, shared_folder: Path
) -> None:
    slug = connect(house, servers.command("filesystem", str(shared_folder)))
    review(house, slug, "read_text_file")
    (shared_folder / "in.txt").write_text("what is there")
    write = {"path": str(shared_folder / "out.txt"), "content": "one"}
    run_id = run_that(
        house,
        says("", call(f"{slug}__read_text_file", {"path": str(shared_folder / "in.txt")})),
        says("", call(f"{slug}__write_file", write)),
        tools=(f"{slug}__*",),
    )
    ask = house.ask(run_id)
    assert ask["tool"] == f"{slug}__write_file"
    assert ask["risk"]["level"] == "high"
    assert any("Nobody has reviewed this tool" in each for each in ask["risk"]["reasons"])
    assert {"label": "content", "value": "one"} in ask["preview"]["detail"]["fields"]
    house.answer(ask, arguments={**write, "content": "two"})
    assert house.ended(run_id)["status"] == "completed"
    assert (shared_folder / "out.txt").read_text() == "two"
    assert "what is there" in said_to_model(house, run_id)
    assert last_call(house, run_id, f"{slug}__read_text_file")["verdict"]["verdict"] == "allow"


def test_what_was_taken_back_is_not_looked_at_for_an_ask_either(house: House, shared_folder: Path) -> None:
    slug = connect(house, servers.command("filesystem", str(shared_folder)))
    write = {"path": str(shared_folder / "out.txt"), "content": "one"}
    run_id = run_that(house, says("", call(f"{slug}__write_file", write)), tools=(f"{slug}__*",))
    ask, changed = house.ask(run_id), {"arguments": write | {"content": "two"}}
    assert house.post(f"/api/asks/{ask['id']}/preview", changed)["preview"]
    assert house.client.delete(f"/api/runs/{run_id}/connections/{slug}").is_success
    assert house.post(f"/api/asks/{ask['id']}/preview", changed)["preview"] is None
