"""Who sets connections up, what is refused, and what runs get by default."""

from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from signoff.connections.models import Connection
from signoff.kit.ids import new_id
from signoff.kit.settings import Settings
from signoff.kit.text.secret_values import TOO_SHORT
from signoff.secrets import store
from signoff.secrets.models import Secret
from signoff.tools.connections.mcp.faults import NotConnected
from signoff.tools.connections.mcp.pool import POOL
from signoff.tools.connections.port import Connected
from tests.connections.connecting import connect, last_call, review, tools_of
from tests.contract.scenes import Abroad, agent_that, problem, run_that
from tests.house import House
from tests.mcp_servers import servers
from tests.wire import call, says


def over(url: str, **fields: Any) -> dict[str, Any]:
    return {"transport": "http", "url": url, **fields}


def test_a_command_is_for_installation_admins_alone(house: House) -> None:
    admin = house.member("admin")
    body = {"slug": f"c{new_id()[-8:]}", "kind": "mcp", "settings": servers.command("everything", "stdio")}
    assert problem(admin.post("/api/connections", json=body), 403)
    body["settings"] = over("http://127.0.0.1:9/mcp")
    assert admin.post("/api/connections", json=body).status_code == 201
    change = {"settings": servers.command("everything", "stdio")}
    assert problem(admin.patch(f"/api/connections/{body['slug']}", json=change), 403)
    mine = connect(house, servers.command("everything", "stdio"))
    other = {"settings": {**servers.command("everything", "stdio"), "timeout_seconds": 5}}
    assert problem(admin.patch(f"/api/connections/{mine}", json=other), 403)


def test_a_server_over_http_is_used_with_a_secret_in_its_header(house: House, web_server: str) -> None:
    settings = over(web_server, headers={"X-Key": "${key}"})
    slug = connect(house, settings, secrets={"key": "a-key-that-nobody-sees"})
    review(house, slug, "get-sum")
    run_id = run_that(house, says("", call(f"{slug}__get-sum", {"a": 2, "b": 3})), tools=(f"{slug}__get-sum",))
    assert house.ended(run_id)["status"] == "completed"
    assert "5" in str(last_call(house, run_id, f"{slug}__get-sum")["result"])
    shown = house.get(f"/api/connections/{slug}")
    assert shown["secrets"] == ["key"]
    assert house.member("member").get(f"/api/connections/{slug}").json()["settings"] == {}


def test_where_secrets_go_changes_only_with_the_secrets(house: House, web_server: str) -> None:
    slug = connect(house, over(web_server, headers={"X-Key": "${key}"}), secrets={"key": "a-key-that-nobody-sees"})
    elsewhere = {"settings": over("https://elsewhere.example/mcp", headers={"X-Key": "${key}"})}
    refused = problem(house.client.patch(f"/api/connections/{slug}", json=elsewhere), 422)
    assert refused["errors"][0]["path"] == "secrets.key"
    given = {**elsewhere, "secrets": {"key": "another"}}
    assert house.client.patch(f"/api/connections/{slug}", json=given).status_code == 200


def test_a_secret_too_short_to_be_hidden_is_refused_and_one_from_before_stays_in_use(house: House) -> None:
    slug = f"c{new_id()[-8:]}"
    body = {"slug": slug, "kind": "http", "settings": {"base_url": "https://api.example", "auth": "bearer"}}
    refused = problem(house.client.post("/api/connections", json={**body, "secrets": {"token": "pin42"}}), 422)
    assert refused["errors"] == [{"path": "secrets.token", "message": TOO_SHORT}]
    row = house.post("/api/connections", {**body, "secrets": {"token": "pin-42"}}, 201)
    problem(house.client.patch(f"/api/connections/{slug}", json={"secrets": {"token": "pin4 "}}), 422)

    def as_before(session: Session) -> None:
        of = session.get_one(Connection, row["id"]).workspace_id
        store.put(session, house.parts.keyring, of, row["id"], {"token": "pin42"})

    house.parts.db.write(as_before)
    changed = {"name": "Still there", "secrets": {"other": "another"}}
    assert house.client.patch(f"/api/connections/{slug}", json=changed).status_code == 200
    assert house.client.patch(f"/api/connections/{slug}", json={"secrets": {"token": ""}}).status_code == 200


def test_what_is_removed_leaves_no_secret(house: House, web_server: str) -> None:
    slug = connect(house, over(web_server), secrets={"key": "a-key-that-nobody-sees"})
    row = house.get(f"/api/connections/{slug}")
    assert house.client.delete(f"/api/connections/{slug}").status_code == 204
    left = select(func.count()).where(Secret.owner_id == row["id"])
    assert house.parts.db.read(lambda session: session.scalar(left)) == 0
    problem(house.client.get(f"/api/connections/{slug}"), 404)


def test_what_cannot_be_reached_says_why(house: House) -> None:
    tried = {
        "nobody": over("http://127.0.0.1:9/mcp"),
        "missing": {"transport": "stdio", "command": "no-such-command-here"},
        "secretless": over("http://127.0.0.1:9/mcp", headers={"Authorization": "Bearer ${token}"}),
    }
    said = dict[str, str]()
    for name, settings in tried.items():
        body = {"slug": f"{name}-{new_id()[-6:]}", "kind": "mcp", "settings": settings}
        made = house.post("/api/connections", body, 201)
        answer = house.post(f"/api/connections/{made['id']}/test")
        assert not answer["ok"]
        said[name] = answer["error"]
        assert house.get(f"/api/connections/{made['id']}")["last_error"] == answer["error"]
    assert "no-such-command-here" in said["missing"]
    assert "The secret token is missing" in said["secretless"]


def test_wrong_settings_are_refused_at_their_place(house: House) -> None:
    body = {"slug": "wrong", "kind": "mcp", "settings": {"transport": "http", "url": "ftp://x"}}
    assert problem(house.client.post("/api/connections", json=body), 422)["errors"][0]["path"] == "settings.url"


def test_neighbours_see_nothing_of_it(house: House, abroad: Abroad, web_server: str) -> None:
    slug = connect(house, over(web_server))
    row = house.get(f"/api/connections/{slug}")
    for path in (row["id"], slug, f"{row['id']}/tools"):
        problem(abroad.client.get(f"/api/connections/{path}"), 404)
    assert slug not in abroad.client.get("/api/connections").text
    assert slug not in abroad.client.get("/api/tools").text
    asked = {"tool": f"{slug}__echo", "arguments": {"message": "x"}}
    own, theirs = house.client, abroad.client
    assert "reviewed" in own.post("/api/rules/evaluate", json=asked).text
    assert "reviewed" not in theirs.post("/api/rules/evaluate", json=asked).text


def test_a_run_has_what_its_agent_names_unless_it_is_started_with_others(house: House, web_server: str) -> None:
    one, two = connect(house, over(web_server)), connect(house, over(web_server))
    agent = agent_that(house, tools=(f"{one}__echo", f"{one}__get-sum"))
    assert _granted(house, house.start(agent)) == {one: ["echo", "get-sum"]}
    assert _granted(house, house.start(agent, connections=[two])) == {two: None}
    some = [{"connection": two, "tools": [f"{two}__echo"]}]
    assert _granted(house, house.start(agent, connections=some)) == {two: ["echo"]}


def test_an_agent_whose_connections_are_missing_starts_only_if_told_to(house: House) -> None:
    agent = agent_that(house, connections_required=[{"slug": "nobody-has-it", "reason": "for tickets"}])
    there = house.get(f"/api/personas/{agent}/available-connections")
    assert there["missing"] == ["nobody-has-it"]
    refused = problem(house.client.post("/api/runs", json={"agent": agent, "task": "x"}), 422)
    assert refused["code"] == "connections_missing"
    assert house.ended(house.start(agent, without_missing_connections=True))["status"] == "completed"


def test_a_run_that_works_can_be_granted_more(house: House, web_server: str) -> None:
    slug = connect(house, over(web_server))
    review(house, slug, "echo")
    wait = call("ask_question", {"question": "Ready?", "type": "blocking", "responseType": "text"})
    run_id = run_that(house, says("", wait), says("", call(f"{slug}__echo", {"message": "hello"})), tools=())
    ask = house.ask(run_id)
    house.post(f"/api/runs/{run_id}/connections", {"connection": slug, "tools": ["echo"]})
    house.answer(ask, "respond", value="yes")
    assert house.ended(run_id)["status"] == "completed"
    assert last_call(house, run_id, f"{slug}__echo")["status"] == "succeeded"


def test_twelve_servers_are_ready_to_be_filled_in(house: House) -> None:
    found = house.get("/api/connections/catalog")["items"]
    assert len(found) == 12
    for each in found:
        named = str(each["settings"])
        assert all(f"${{{secret}}}" in named for secret in each["secrets"])


def test_memory_is_kept_by_its_server(house: House, tmp_path: Any) -> None:
    slug = connect(house, servers.command("memory", MEMORY_FILE_PATH=str(tmp_path / "memory.json")))
    review(house, slug, "create_entities", "read_graph")
    entity = {"name": "Ann", "entityType": "person", "observations": ["likes tea"]}
    run_id = run_that(
        house,
        says("", call(f"{slug}__create_entities", {"entities": [entity]})),
        says("", call(f"{slug}__read_graph", {})),
        tools=(f"{slug}__*",),
    )
    assert house.ended(run_id)["status"] == "completed"
    assert "likes tea" in str(last_call(house, run_id, f"{slug}__read_graph")["result"])
    assert tools_of(house, slug)["create_entities"]["reviewed"]


def _granted(house: House, run_id: str) -> dict[str, Any]:
    return {each["slug"]: each["tools"] for each in house.get(f"/api/runs/{run_id}/connections")["items"]}


def test_a_run_that_has_ended_is_not_counted_among_those_that_may_use_it(house: House, web_server: str) -> None:
    slug = connect(house, over(web_server))
    write = call("write_file", {"path": "a.txt", "content": "a"})
    run_id = run_that(house, says("", write), tools=("write_file", f"{slug}__*"))
    house.ask(run_id)
    assert house.get(f"/api/connections/{slug}")["runs"] == 1
    house.post(f"/api/runs/{run_id}/cancel")
    house.ended(run_id)
    assert house.get(f"/api/connections/{slug}")["runs"] == 0


def test_a_server_in_the_own_network_is_reached_where_its_host_is_named(web_server: str) -> None:
    connected = Connected("here", "here", "here", "Here", over(web_server), dict)
    with pytest.raises(NotConnected, match=r"SIGNOFF_CONNECTION_HOSTS=127\.0\.0\.1"):
        POOL.tools(connected, Settings())
    assert POOL.tools(connected, Settings(connection_hosts=["127.0.0.1"]))
    POOL.kill(connected.id)
