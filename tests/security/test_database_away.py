"""The database is away, or the disk is full: told as that, with when to come back; then all goes on."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import psycopg
import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from signoff.kit.db.unavailable import DatabaseUnavailable, DiskFull, unavailable
from tests.contract.scenes import agent_that, problem
from tests.house import House
from tests.wire import DONE

REQUESTS = [
    ("GET", "/api/runs", None),
    ("GET", "/api/me", None),
    ("GET", "/api/events", None),
    ("POST", "/api/runs", {"agent": "x", "task": "y"}),
    ("POST", "/api/runs", {"not": "valid"}),
    ("POST", "/api/auth/sign-in", {"token": "some-token-of-somebody"}),
    ("PUT", "/api/rules", {"yaml": ""}),
]


def is_unavailable(response: httpx.Response, code: str) -> None:
    assert problem(response, 503)["code"] == code
    assert response.headers["retry-after"] == "5"


@contextmanager
def unreachable(house: House, server: str) -> Iterator[None]:
    """Every connection is cut and no new one is let in."""
    name = house.parts.db.url.database
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        connection.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s", [name])
        try:
            yield
        finally:
            connection.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')


@pytest.mark.parametrize("kind", ["postgresql"], scope="module")
def test_a_database_that_is_away_is_told_and_comes_back(house: House, postgres_server: str) -> None:
    agent = agent_that(house, DONE)
    with unreachable(house, postgres_server):
        for method, path, body in REQUESTS:
            is_unavailable(house.client.request(method, path, json=body), "database_unavailable")
        ready = house.client.get("/readyz")
        assert (ready.status_code, ready.json()["status"]) == (503, "unavailable")
        assert (ready.json()["database"], ready.json()["disk"]) == (False, True)
        assert ready.headers["retry-after"] == "5"
        assert house.client.get("/healthz").status_code == 200
    # Connections that were cut may be found out one by one.
    for _ in range(40):
        if house.client.get("/api/runs").status_code == 200:
            break
    assert house.ended(house.start(agent))["status"] == "completed"
    assert house.get("/readyz")["database"] is True


@contextmanager
def no_room(house: House) -> Iterator[None]:
    """The file cannot grow any more."""

    def pages(most: int | None) -> Any:
        def work(session: Any) -> None:
            now = session.scalar(text("PRAGMA page_count"))
            session.execute(text(f"PRAGMA max_page_count = {most or now}"))

        return work

    house.parts.db.write(pages(None))
    try:
        yield
    finally:
        house.parts.db.write(pages(1_000_000))


@pytest.mark.parametrize("kind", ["sqlite"], scope="module")
def test_a_full_disk_is_told_and_nothing_is_half_written(house: House) -> None:
    agent = agent_that(house, DONE)
    large = {"agent": agent, "task": "x", "input": {"text": "y" * 500_000}}
    with no_room(house):
        # Whatever little still fits in between, such as a lease, says that there is room.
        for _ in range(20):
            is_unavailable(house.client.post("/api/runs", json=large), "disk_full")
            if (ready := house.client.get("/readyz")).status_code == 503:
                break
        else:
            pytest.fail("the server says that it is ready, with a full disk")
        assert (ready.json()["database"], ready.json()["disk"]) == (True, False)
        assert house.get("/api/runs", agent=agent)["total"] == 0
    assert house.ended(house.post("/api/runs", large, 201)["id"])["status"] == "completed"
    assert house.get("/readyz")["disk"] is True


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OSError(28, "No space left on device"), DiskFull),
        (OSError(2, "No such file"), None),
        (ValueError("x"), None),
    ],
)
def test_only_what_is_the_disks_or_the_databases_is_told_so(error: Exception, expected: type[Exception] | None) -> None:
    found = unavailable(error)
    assert (type(found) if found else None) is expected


def test_a_locked_database_is_away_and_a_mistake_of_ours_is_not(tmp_path: Any) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'x.db'}", connect_args={"timeout": 0})
    with engine.connect() as holds, engine.connect() as waits:
        holds.exec_driver_sql("CREATE TABLE t (a)")
        holds.commit()
        holds.exec_driver_sql("BEGIN EXCLUSIVE")
        with pytest.raises(OperationalError) as locked:
            waits.exec_driver_sql("BEGIN IMMEDIATE")
        holds.rollback()
        with pytest.raises(OperationalError) as mistaken:
            waits.exec_driver_sql("SELECT * FROM nothing")
    engine.dispose()
    assert isinstance(unavailable(locked.value), DatabaseUnavailable)
    assert unavailable(mistaken.value) is None
