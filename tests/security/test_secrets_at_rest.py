"""Secrets are shown once and kept nowhere: not in answers that are repeated, not in records, streams or logs."""

import hashlib
import json
import logging
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import MetaData, select, text

from signoff import migrations
from signoff.kit.db.database import Database
from signoff.kit.secret_fields import MARK
from tests.contract.scenes import a_channel, problem
from tests.fresh import fresh_database
from tests.house import House

pytestmark = pytest.mark.both_databases

# How to call each route whose answer has a secret. A new such route has to be told here.
BODIES: dict[str, dict[str, Any]] = {
    "/api/tokens": {"name": "walked"},
    "/api/auth/links": {},
    "/api/invitations": {"email": "guest@example.org", "name": "Guest", "role": "viewer"},
    "/api/workspaces": {"name": "Walked"},
    "/api/channels": {"kind": "webhook", "name": "Walked", "settings": {"url": "https://hooks.example.org/"}},
    "/api/channels/{channel_id}/rotate-secret": {},
    "/api/workflows/{slug}/hook": {},
}
# It takes a person in a chat: `tests/channels/accounts` looks for what is kept of it.
IN_PERSON = {"/api/channels/{channel_id}/link-code"}
NAMED_LIKE_SECRETS = {"token", "secret", "password", "link", "url", "key"}


def schemas(house: House) -> dict[str, Any]:
    return house.client.get("/openapi.json").json()


def resolved(openapi: dict[str, Any], schema: Any) -> str:
    """A schema with everything that it refers to, as text."""
    joined, todo = "", [schema]
    seen = set[str]()
    while todo:
        part = json.dumps(todo.pop())
        joined += part
        for name, found in openapi["components"]["schemas"].items():
            if f'/{name}"' in part and name not in seen:
                seen.add(name)
                todo.append(found)
    return joined


def secret_routes(house: House) -> set[str]:
    openapi = schemas(house)
    return {
        path
        for path, methods in openapi["paths"].items()
        for method, operation in methods.items()
        if method in {"post", "put", "patch"}
        and f'"{MARK}": true' in resolved(openapi, [r for s, r in operation["responses"].items() if s.startswith("2")])
    }


def everything_stored(house: House) -> str:
    """Every value of every table."""
    tables = MetaData()
    tables.reflect(house.parts.db.reader)
    assert "idempotency_keys" in tables.tables
    return "\n".join(
        str(tuple(row))
        for table in tables.sorted_tables
        for row in house.parts.db.read(lambda s, t=table: s.execute(select(t)).all())
    )


def secrets_in(house: House, path: str, answer: dict[str, Any]) -> list[str]:
    components = schemas(house)["components"]["schemas"]
    marked = {
        name
        for schema in components.values()
        for name, field in schema.get("properties", {}).items()
        if field.get(MARK)
    }
    found = [str(answer[name]) for name in marked & answer.keys()]
    assert found, f"{path} showed no secret"
    return [each.rsplit("token=", 1)[-1] for each in found]


def test_no_answer_with_a_secret_is_kept(house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    routes = secret_routes(house) - IN_PERSON
    assert routes >= {"/api/tokens", "/api/auth/links"}
    assert routes <= BODIES.keys(), "say in BODIES how the new route is called"
    step = {"id": "read", "tool": "read_file", "input": {"path": {"const": "a.txt"}}}
    house.post("/api/workflows", {"slug": "walked", "name": "Walked", "steps": [step]}, 201)
    named = a_channel(house, house.client) | {"slug": "walked"}
    for path in routes:
        key = {"Idempotency-Key": f"secret-{path}"}
        answer = house.client.post(path.format(**named), json=BODIES[path], headers=key)
        assert answer.is_success, answer.text
        stored = everything_stored(house)
        for secret in secrets_in(house, path, answer.json()):
            assert len(secret) > 20
            assert secret not in stored
            assert secret not in caplog.text


def test_a_repeated_request_says_that_its_secret_is_not_kept(house: House) -> None:
    body, key = {"name": "once"}, {"Idempotency-Key": "a token, once"}
    made = house.client.post("/api/tokens", json=body, headers=key).json()
    again = problem(house.client.post("/api/tokens", json=body, headers=key), 409)
    assert again["code"] == "secret_not_repeated"
    assert again["state"] == {"id": made["id"]}
    assert made["token"] not in str(again)
    names = [each["name"] for each in house.get("/api/tokens", limit=200)["items"]]
    assert names.count("once") == 1


def test_whatever_is_named_like_a_secret_in_an_answer_is_marked_as_one(house: House) -> None:
    openapi = schemas(house)
    written = [
        resolved(openapi, response)
        for methods in openapi["paths"].values()
        for operation in methods.values()
        for status, response in operation["responses"].items()
        if status.startswith("2")
    ]
    answers = {name for name in openapi["components"]["schemas"] for each in written if f'/{name}"' in each}
    assert answers
    unmarked = {
        f"{name}.{field}"
        for name in answers
        for field, schema in openapi["components"]["schemas"][name].get("properties", {}).items()
        if field in NAMED_LIKE_SECRETS and schema.get("type") == "string" and not schema.get(MARK)
    }
    assert unmarked == set()


def test_secrets_kept_by_an_older_version_are_cleared(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    secret = "sgn_" + "a" * 43
    bodies = {
        "token": {"id": "t1", "token": secret},
        "link": {"url": f"http://x/sign-in?token=link_{'b' * 43}"},
        "run": {"id": "r1", "title": "linked"},
        "none": None,
    }
    insert = "INSERT INTO idempotency_keys (workspace_id, caller, key, fingerprint, status, body, created_at) "
    insert += "VALUES ('w', 'c', :key, 'f', 201, :body, '2026-01-01 00:00:00')"
    with fresh_database(kind, tmp_path, request) as url:
        db = Database(url)
        with db.writer.connect() as connection, connection.begin():
            command.downgrade(migrations.config(connection), "0003")
            for key, body in bodies.items():
                connection.execute(text(insert), {"key": key, "body": json.dumps(body) if body else None})
            command.upgrade(migrations.config(connection), "head")
        rows = db.read(lambda s: s.execute(text("SELECT key, body, secret FROM idempotency_keys")).all())
        db.close()
    kept = {key: (json.loads(body) if isinstance(body, str) else body, bool(was)) for key, body, was in rows}
    assert kept == {
        "token": ({"id": "t1"}, True),
        "link": (None, True),
        "run": (bodies["run"], False),
        "none": (None, False),
    }
    if kind == "sqlite":
        assert secret.encode() not in (tmp_path / "signoff.db").read_bytes()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def start(data: Path, what: str = "from signoff import main; main.migrate(main.Settings())") -> str:
    """A process of ours, as a careless person starts it; what it said."""
    ended = subprocess.run(
        ["/bin/sh", "-c", 'umask 022; exec "$0" -c "$1"', sys.executable, what],
        env={**os.environ, "SIGNOFF_DATA": str(data)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stderr


FIRST_START = """
from signoff import main
from signoff.kit import private_files
private_files.restrict_new_files()
parts = main.assemble(main.Settings(demo=False))
main.prepare(parts)
parts.context.store.put(b"large")
print(open(parts.settings.data / "signoff.db-wal").mode)
parts.db.close()
"""


@pytest.mark.skipif(os.name != "posix", reason="rights as POSIX has them")
def test_a_new_data_folder_is_for_its_owner_alone(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert "chmod" not in start(data, FIRST_START)
    open_ones = {str(path): oct(mode(path)) for path in [data, *data.rglob("*")] if mode(path) & 0o077}
    assert open_ones == {}
    assert {"signoff.db", "cli.token", "files"} <= {path.name for path in data.iterdir()}


@pytest.mark.skipif(os.name != "posix", reason="rights as POSIX has them")
def test_an_open_data_folder_is_told_of_with_what_to_do_and_our_files_are_closed(tmp_path: Path) -> None:
    data = tmp_path / "data of mine"
    for folder in (data, data / "runs", data / "files"):
        folder.mkdir()
        folder.chmod(0o755)
    for name in ("signoff.db", "cli.token"):
        (data / name).touch()
        (data / name).chmod(0o644)
    assert f"chmod 700 '{data}'" in start(data)
    assert {mode(data / name) for name in ("signoff.db", "cli.token")} == {0o600}
    assert {mode(data / name) for name in ("runs", "files")} == {0o700}


def test_what_is_kept_of_a_request_does_not_let_anybody_try_passwords(house: House) -> None:
    settings = {"host": "mail.example.org", "from": "signoff@example.org", "username": "signoff"}
    given = {"kind": "email", "name": "Tried", "settings": settings, "secrets": {"password": "hunter2"}}
    content = json.dumps(given | {"enabled": False}).encode()
    headers = {"Idempotency-Key": "tried", "content-type": "application/json"}
    made = [house.client.post("/api/channels", content=content, headers=headers).status_code for _ in range(2)]
    assert made == [201, 409]
    assert hashlib.sha256(b"POST /api/channels\n" + content).hexdigest() not in everything_stored(house)
