"""A secret of a connection stands nowhere in clear, also when its server repeats it."""

import logging
from pathlib import Path

import pytest

from signoff import main
from signoff.connections.models import Connection
from signoff.kit.ids import new_id
from signoff.kit.text.secret_values import HIDDEN
from signoff.tools.registry import ToolFailed
from tests.channels.test_no_secret_leaves import files
from tests.connections.connecting import connect, last_call, review
from tests.contract.scenes import problem, run_that
from tests.house import House
from tests.mcp_servers import servers
from tests.security.test_secrets_at_rest import everything_stored
from tests.wire import call, says

IN_ENVIRONMENT, IN_ARGUMENT, IN_HEADER = "env-secret-5d1f0c", "argument-secret-88e2", "header-secret-0b7a9d"
# What JSON writes otherwise, and what it writes on one line.
ODD = 'odd"se\\cret/&<ö-7c1e'
KEY_LINES = ("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC+Kc/ggSjAgEAAoIBAQ", "C7VJTUt9Us8cKjMzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6")
KEY = "\n".join(("-----BEGIN PRIVATE KEY-----", *KEY_LINES, "-----END PRIVATE KEY-----", ""))
PAGES = ("connections", "audit", "notifications", "asks", "runs", "tools", "settings")


def test_nothing_that_a_house_says_or_keeps_has_a_connections_secret(
    house: House, folder: Path, web_server: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in main.TALKATIVE:
        caplog.set_level(logging.WARNING, name)
    settings = servers.command("everything", "stdio", "${argument}", TOKEN="${token}", ODD="${odd}", KEY="${key}")
    secrets = {"token": IN_ENVIRONMENT, "argument": IN_ARGUMENT, "odd": ODD, "key": KEY}
    slug = connect(house, settings, secrets=secrets)
    web = {"transport": "http", "url": web_server, "headers": {"Authorization": "Bearer ${token}"}}
    over_web = connect(house, web, secrets={"token": IN_HEADER})
    review(house, slug, "get-env")
    dump = f"{slug}__get-env"
    run_id = run_that(
        house,
        says("", call(dump, {})),
        says("", call(f"{over_web}__echo", {"message": "x"})),
        says("", call(f"{slug}__trigger-elicitation-request", {})),
        tools=(f"{slug}__*", f"{over_web}__*"),
    )
    for _ in range(2):
        house.answer(house.ask(run_id))
    house.answer(house.ask(run_id), "respond", value={"name": "Ann"})
    house.ended(run_id)
    for name in ("TOKEN", "ODD", "KEY"):
        assert f'"{name}": "{HIDDEN}' in last_call(house, run_id, dump)["result"]
    broken = {"transport": "stdio", "command": servers.node(), "args": ["-e", "throw new Error(process.env.TOKEN)"]}
    body = {"slug": f"{slug}-broken", "kind": "mcp", "settings": {**broken, "env": {"TOKEN": "${token}"}}}
    house.post("/api/connections", {**body, "secrets": {"token": IN_ENVIRONMENT}}, 201)
    said = [house.post(f"/api/connections/{slug}-broken/test")["error"]]
    assert "Error" in said[0]
    taken = house.client.post("/api/connections", json={**body, "secrets": {"token": IN_ENVIRONMENT}})
    said.append(problem(taken, 409)["detail"])
    said += [house.client.get(f"/api/{page}", params={"limit": 200}).text for page in PAGES]
    parts = ("messages", "calls", "activity", "asks", "connections")
    said += [house.client.get(f"/api/runs/{run_id}/{part}").text for part in parts]
    said += [str(house.model.requests), caplog.text, everything_stored(house), *files(folder)]
    everything = "\n".join(said)
    for secret in (IN_ENVIRONMENT, IN_ARGUMENT, IN_HEADER, *KEY_LINES, "-7c1e", "cret/&"):
        assert secret not in everything, secret


def test_what_a_command_said_last_begins_with_no_part_of_a_secret(house: House) -> None:
    slug = f"c{new_id()[-8:]}"
    says_much = "process.stderr.write(process.env.TOKEN + 'x'.repeat(1990)); process.exit(1)"
    settings = {"transport": "stdio", "command": servers.node(), "args": ["-e", says_much]}
    body = {"slug": slug, "kind": "mcp", "settings": {**settings, "env": {"TOKEN": "${token}"}}}
    house.post("/api/connections", {**body, "secrets": {"token": IN_ENVIRONMENT}}, 201)
    error = house.post(f"/api/connections/{slug}/test")["error"]
    assert "xxx" in error
    assert IN_ENVIRONMENT[-8:] not in error


def test_who_still_goes_to_the_old_address_gets_no_secret_of_the_new_one(house: House) -> None:
    slug = f"c{new_id()[-8:]}"
    settings = {"base_url": "https://old.example", "auth": "bearer"}
    body = {"slug": slug, "kind": "http", "settings": settings}
    connection_id = house.post("/api/connections", {**body, "secrets": {"token": "token-for-the-old"}}, 201)["id"]
    tools, db = house.parts.context.connections, house.parts.db
    connected = db.read(lambda session: tools.connected(session.get_one(Connection, connection_id)))
    assert connected.secrets() == {"token": "token-for-the-old"}
    moved = {"settings": {**settings, "base_url": "https://new.example"}, "secrets": {"token": "for-the-new"}}
    assert house.client.patch(f"/api/connections/{slug}", json=moved).status_code == 200
    with pytest.raises(ToolFailed, match="changed or removed meanwhile"):
        connected.secrets()
