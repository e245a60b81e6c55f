"""What every part relies on."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff import migrations
from signoff.kit import jsons
from signoff.kit.db import events
from signoff.kit.db.columns import table
from signoff.kit.db.database import Database
from signoff.kit.db.prepared import Prepared, Row
from signoff.kit.errors import TooMany
from signoff.kit.ids import new_id
from signoff.kit.rate_limits import Rate
from signoff.kit.settings import Settings, load
from signoff.runs.models import Run
from tests.runs.rows import add_run

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)

TEST = events.EventType("test", dict[str, int])


def test_ids_grow_and_look_like_uuid7() -> None:
    ids = [new_id() for _ in range(5_000)]
    assert ids == sorted(set(ids))
    assert all(each[14] == "7" and each[19] in "89ab" for each in ids)


@given(JSON)
def test_json_survives_exactly(value: jsons.Json) -> None:
    assert jsons.loads(jsons.dumps(value)) == value
    jsons.dumps(value).encode()


@given(JSON)
def test_a_digest_does_not_depend_on_the_order_of_keys(value: jsons.Json) -> None:
    turned = dict(reversed(value.items())) if isinstance(value, dict) else value
    assert jsons.digest(turned) == jsons.digest(value)


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", "{", "[" * 65 + "]" * 65, "[" * 100_000])
def test_what_is_no_json_of_ours_is_refused(text: str) -> None:
    with pytest.raises(jsons.BadJson):
        jsons.loads(text)


def test_sixty_four_levels_are_allowed() -> None:
    assert jsons.depth(jsons.loads("[" * 64 + "]" * 64)) == 64


def test_settings_come_from_file_environment_and_command_line_in_that_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "signoff.toml").write_text('port = 1\nhost = "file"\ntoken = "a-token-from-the-file"\n')
    monkeypatch.setenv("SIGNOFF_PORT", "2")
    monkeypatch.setenv("SIGNOFF_HOST", "environment")
    settings = load(port=3, host=None)
    assert (settings.port, settings.host, settings.token) == (3, "environment", "a-token-from-the-file")


def test_a_plain_postgres_url_gets_our_driver() -> None:
    assert Settings(database_url="postgres://a/b").url == "postgresql+psycopg://a/b"


def test_too_many_tries_are_refused() -> None:
    rate = Rate(seconds=60)
    for _ in range(3):
        rate.count("me", 3)
    with pytest.raises(TooMany):
        rate.count("me", 3)
    rate.count("someone else", 3)


def test_several_processes_may_migrate_at_once(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    if kind == "sqlite":
        url = f"sqlite:///{tmp_path / 'fresh.db'}"
    else:
        from tests.postgres import new_database

        server = request.getfixturevalue("postgres_server")
        url = new_database(server, f"m{new_id()}").replace("postgresql://", "postgresql+psycopg://")
    databases = [Database(url, (events.finish,)) for _ in range(4)]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(migrations.migrate, databases))
    for db in databases:
        assert db.read(lambda session: events.position(session, "w")) == 0
        db.close()


def test_a_reader_that_has_seen_n_has_seen_everything_before_n(db: Database) -> None:
    """Writers of one workspace commit in the order of their positions, however they interleave."""
    gaps, done = list[str](), threading.Event()

    def write(index: int) -> None:
        for number in range(20):
            db.write(lambda s, n=number: events.emit(s, "w", TEST, None, {"from": index, "n": n}))

    def read() -> None:
        seen = 0
        while not done.is_set() or seen < 80:
            for item in db.read(lambda s, p=seen: events.after(s, "w", p, 50)):
                if item["id"] != seen + 1:
                    gaps.append(f"{seen} → {item['id']}")
                seen = item["id"]

    reader = threading.Thread(target=read)
    reader.start()
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(write, range(4)))
    done.set()
    reader.join(20)
    assert gaps == []


def test_a_prepared_statement_reads_numbers_with_a_fraction(db: Database) -> None:
    def work(session: Session) -> list[Row]:
        add_run(session, "r", cost_credits=1.25, working_seconds=0.1)
        return Prepared(select(table(Run).c.cost_credits, table(Run).c.working_seconds)).rows(session, {})

    assert db.write(work) == [(1.25, 0.1)]


def test_nothing_is_told_of_a_transaction_that_fails(db: Database) -> None:
    def work(session: Session) -> None:
        events.emit(session, "w", TEST, None, {})
        raise RuntimeError

    announced = list[object]()
    db.listeners.append(announced.append)
    with pytest.raises(RuntimeError):
        db.write(work)
    assert announced == []
    assert db.read(lambda s: events.after(s, "w", 0, 10)) == []
