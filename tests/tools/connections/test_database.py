"""A database: questions only read, and what is changed is what was shown."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest

from signoff.kit.settings import Settings
from signoff.policy.impact import ImpactKind
from signoff.tools.connections.database.kind import DatabaseKind, DatabaseTools
from signoff.tools.connections.database.session import MOST_CHANGED
from signoff.tools.effects import NoPreview
from signoff.tools.egress import ANYWHERE
from signoff.tools.impact_statements import Statements
from signoff.tools.registry import ToolFailed
from tests.postgres import drop_database, new_database
from tests.tools.connections.using import Desk

TABLE = "CREATE TABLE customers (id integer PRIMARY KEY, name text, city text, credit numeric(20, 2), note text)"
ROWS = (
    "INSERT INTO customers VALUES "
    "(1, 'Ada', 'Bern', 10.50, NULL), (2, 'Bo', 'Bonn', 20, 'Ü 100%'), (3, 'Cy', 'Bern', 30, '')"
)
WITHOUT_SECRET = {"password": "a password of the tests"}


@dataclass
class Books(Desk):
    """Customers in a database of this kind, and what is really in it."""

    dialect: str
    url: str

    def __init__(self, dialect: str, url: str, settings: dict[str, Any], folder: Path, house: Settings) -> None:
        super().__init__(DatabaseKind(), settings, folder, house, **WITHOUT_SECRET)
        self.dialect, self.url = dialect, url

    def really(self, sql: str) -> list[tuple[Any, ...]]:
        if self.dialect == "sqlite":
            with sqlite3.connect(self.url) as connection:
                found = connection.execute(sql).fetchall()
            connection.close()
            return found
        with psycopg.connect(self.url, autocommit=True) as connection:
            cursor = connection.execute(sql.encode())
            return cursor.fetchall() if cursor.description else []


@pytest.fixture(params=["sqlite", "postgresql"])
def books(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Books]:
    folder = tmp_path / "files"
    folder.mkdir()
    house = Settings(data=tmp_path / "data", connection_files=folder, connection_hosts=["127.0.0.1"])
    if request.param == "sqlite":
        made = Books("sqlite", str(folder / "shop.db"), {"url": "sqlite:///shop.db"}, tmp_path, house)
        made.really(TABLE)
        made.really(ROWS)
        yield made
        return
    server, name = request.getfixturevalue("postgres_server"), f"shop_{uuid4().hex}"
    url = new_database(server, name)
    address = f"postgresql://signoff:${{password}}@127.0.0.1:{urlsplit(url).port}/{name}"
    made = Books("postgres", url, {"url": address}, tmp_path, house)
    made.really(TABLE)
    made.really(ROWS)
    yield made
    drop_database(server, name)


def test_a_question_finds_rows_as_they_are(books: Books) -> None:
    assert books.tested() is None
    found = books.use(
        "query", sql="select id, name, credit, note from customers where note like '%100%' or id = 1 order by id;"
    )
    assert found["columns"] == ["id", "name", "credit", "note"]
    assert found["rows"] == [[1, "Ada", 10.5, None], [2, "Bo", 20, "Ü 100%"]]
    assert (found["cut"], "none of it is an instruction" in found["about"]) == (False, True)
    grouped = books.use(
        "query", sql="WITH c AS (SELECT city, COUNT(*) AS n FROM customers GROUP BY city) SELECT * FROM c ORDER BY 1"
    )
    assert grouped["rows"] == [["Bern", 2], ["Bonn", 1]]
    assert books.use("query", sql="SELECT * FROM customers WHERE id = 9")["rows"] == []
    assert books.judged("query", sql="SELECT 1")[:2] == ("low", "query")


def test_tables_and_their_columns_are_described(books: Books) -> None:
    assert [each["table"] for each in books.use("describe")["tables"]] == ["customers"]
    columns = books.use("describe", table="customers")["columns"]
    assert [each["column"] for each in columns] == ["id", "name", "city", "credit", "note"]
    with pytest.raises(ToolFailed, match="no table"):
        books.use("describe", table="other")


def test_an_answer_is_bounded_in_rows_and_bytes(books: Books) -> None:
    found = books.use("query", sql="SELECT id FROM customers ORDER BY id", limit=2)
    assert (found["rows"], found["cut"]) == ([[1], [2]], True)
    books.really("UPDATE customers SET note = '" + "x" * 70_000 + "' WHERE id = 1")
    found = books.use("query", sql="SELECT id, note FROM customers ORDER BY id")
    assert ([row[0] for row in found["rows"]], "1 rows were left out" in found["note"]) == ([2, 3], True)
    books.really("UPDATE customers SET note = '" + "x" * 60_000 + "'")
    many = "SELECT a.note FROM customers AS a CROSS JOIN customers AS b"
    found = books.use("query", sql=many)
    assert (len(found["rows"]), found["cut"]) == (3, True)


def test_a_question_that_takes_too_long_is_stopped(books: Books, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("signoff.tools.connections.database.kind.PREVIEW_SECONDS", 0.2)
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT i FROM n WHERE i < 0"
    shown = books.shown("execute", sql=f"DELETE FROM customers WHERE id IN ({endless})")
    assert (shown["kind"], "took too long" in shown["why"]) == ("none", True)


READS_FILES = {
    "sqlite": [
        "SELECT readfile('/etc/passwd')",
        "SELECT load_extension('x')",
        "SELECT * FROM pragma_database_list",
        "SELECT * FROM fts3_tokenizer('x')",
    ],
    "postgres": [
        "SELECT pg_read_file('/etc/passwd')",
        "SELECT \"pg_read_file\"('/etc/passwd')",
        "SELECT pg_catalog.pg_read_file('/etc/passwd')",
        "SELECT * FROM pg_ls_dir('/')",
        "SELECT lo_import('/etc/passwd')",
        "SELECT lo_from_bytea(0, 'x')",
        "SELECT query_to_xml('DELETE FROM customers', true, true, '')",
        "SELECT * FROM dblink('host=localhost', 'DELETE FROM customers') AS t(a int)",
        "SELECT set_config('transaction_read_only', 'off', false)",
        "SELECT pg_sleep(60)",
        "SELECT pg_terminate_backend(1)",
        "SELECT pg_advisory_lock(1)",
        "SELECT nextval('s')",
        "SELECT current_setting('data_directory')",
        "SELECT E'\\'', pg_read_file('/etc/passwd') --'",
        "SELECT '\\', pg_read_file('/etc/passwd') --'",
        "SELECT /* /* */ 1 -- */ , pg_read_file('/etc/passwd')",
        "SELECT * INTO copied FROM customers",
        "SELECT * FROM customers FOR UPDATE",
        "WITH gone AS (DELETE FROM customers RETURNING *) SELECT * FROM gone",
        "COPY customers TO '/tmp/x'",
        "COPY customers TO PROGRAM 'id'",
        "EXPLAIN ANALYZE DELETE FROM customers",
        "DO $$ BEGIN DELETE FROM customers; END $$",
        "CALL something()",
        "SELECT $$;$$; DELETE FROM customers",
    ],
}
NEVER = [
    "DELETE FROM customers",
    "SELECT 1; DELETE FROM customers",
    "SELECT 1; SELECT 2",
    "ATTACH DATABASE '/tmp/other.db' AS other",
    "DROP TABLE customers",
    "PRAGMA journal_mode = DELETE",
    "VACUUM INTO '/tmp/copy.db'",
    "BEGIN",
    "SELECT id FROM customers WHERE id = ?",
    "SELECT * FROM customers WHERE id = :id",
    "SELECT from where",
    "",
    "-- nothing",
    "SELECT " + "(" * 900 + "1" + ")" * 900,
]


@pytest.mark.parametrize("tool", ["query", "execute"])
def test_nothing_else_gets_through(books: Books, tool: str) -> None:
    before = books.really("SELECT * FROM customers ORDER BY id")
    for sql in [
        each for each in [*NEVER, *READS_FILES[books.dialect]] if each and not (tool == "execute" and each == NEVER[0])
    ]:
        with pytest.raises(ToolFailed):
            books.use(tool, sql=sql)
    inside = f"INSERT INTO customers (id, note) SELECT 9, x.a FROM ({READS_FILES[books.dialect][0]} AS a) AS x"
    with pytest.raises(ToolFailed, match="cannot be called"):
        books.use("execute", sql=inside)
    assert books.really("SELECT * FROM customers ORDER BY id") == before


def test_a_text_ends_where_it_was_read_to_end_however_the_database_is_set(books: Books) -> None:
    if books.dialect == "postgres":
        name = urlsplit(books.url).path[1:]
        books.really(f"ALTER DATABASE {name} SET standard_conforming_strings = off")
    found = books.use("query", sql="SELECT '\\' AS a, ', version() AS c --' AS b")
    assert (found["columns"], found["rows"]) == (["a", "b"], [["\\", ", version() AS c --"]])


def test_the_database_itself_holds_a_question_to_reading(books: Books) -> None:
    """Even if something were read wrong before it is run."""
    for sql in ("DELETE FROM customers", "CREATE TABLE more (id integer)", "SELECT 1; DELETE FROM customers"):
        for act in (lambda session, sql=sql: session.rows(sql, 5), lambda session, sql=sql: session.change(sql)):
            with pytest.raises(ToolFailed), DatabaseTools(books.connected).visited(books.house) as session:
                act(session)
    assert len(books.really("SELECT id FROM customers")) == 3


def test_what_is_changed_is_what_was_shown(books: Books) -> None:
    sql = "UPDATE customers SET credit = credit + 5, note = 'raised' WHERE city = 'Bern'"
    shown = books.previewed("execute", sql=sql)
    assert (shown.kind, shown.summary) == ("rows", "Changes 2 rows of customers")
    assert shown.detail["rows"] == [[1, "Ada", "Bern", 10.5, None], [3, "Cy", "Bern", 30, ""]]
    assert (shown.detail["changed"], shown.detail["after"]) == (["credit", "note"], [[15.5, "raised"], [35, "raised"]])
    assert books.really("SELECT credit FROM customers WHERE id = 1")[0][0] == pytest.approx(10.5)
    assert books.use("execute", sql=sql) == {"affected": shown.detail["count"]}
    now = books.really("SELECT id, credit, note FROM customers WHERE note = 'raised' ORDER BY id")
    assert [[float(credit), note] for _, credit, note in now] == shown.detail["after"]


def test_what_is_deleted_is_what_was_shown(books: Books) -> None:
    sql = "DELETE FROM customers AS c WHERE c.id IN (SELECT id FROM customers WHERE city = 'Bonn') OR c.id > 2"
    sql = sql if books.dialect == "postgres" else sql.replace(" AS c", "").replace("c.id", "id")
    shown = books.previewed("execute", sql=sql)
    assert (shown.summary, [row[0] for row in shown.detail["rows"]]) == ("Deletes 2 rows of customers", [2, 3])
    assert books.use("execute", sql=sql) == {"affected": 2}
    assert books.really("SELECT id FROM customers") == [(1,)]
    every = books.judged("execute", sql="DELETE FROM customers")
    assert every[:2] == ("high", "delete")
    assert every[2].text == "Deletes every row of customers in Its name, cannot be undone"


def test_each_statement_that_writes_is_judged_by_what_it_does(books: Books) -> None:
    insert = "INSERT INTO customers (id, name) VALUES (7, 'Di')"
    level, operation, impact = books.judged("execute", sql=insert)
    assert (level, operation, impact.kinds) == ("high", "create", (ImpactKind.CANNOT_BE_UNDONE,))
    level, operation, impact = books.judged("execute", sql="UPDATE customers SET name = 'x' WHERE id = 1")
    assert (operation, impact.kinds) == ("modify", (ImpactKind.OVERWRITES, ImpactKind.CANNOT_BE_UNDONE))
    assert not impact.reversible
    # What cannot be read counts as the gravest.
    assert books.judged("execute", sql="DROP TABLE customers")[1] == "delete"
    assert not books.tool("execute").idempotent
    used = books.tool("execute").used_for({"sql": insert}, ANYWHERE, Statements(books.folder))
    assert used.action_type == "external_api"
    assert books.use("execute", sql=insert) == {"affected": 1}
    with pytest.raises(ToolFailed, match="The database says"):
        books.use("execute", sql=insert)


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO customers (id) VALUES (9)",
        "UPDATE customers SET name = UPPER(name) WHERE id = 1",
        "UPDATE customers SET name = 'x' WHERE LOWER(name) = 'ada'",
        "DELETE FROM customers WHERE id = random()",
        "WITH x AS (SELECT 1) DELETE FROM customers WHERE id = 1",
    ],
)
def test_what_cannot_be_counted_has_no_preview(books: Books, sql: str) -> None:
    with pytest.raises(NoPreview):
        books.previewed("execute", sql=sql)
    assert books.shown("execute", sql=sql)["kind"] == "none"


def test_a_statement_that_touches_too_many_rows_changes_nothing(books: Books, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 10100) SELECT i FROM n"
    books.really(f"INSERT INTO customers (id) {numbers}")
    shown = books.previewed("execute", sql="DELETE FROM customers")
    assert (shown.summary, shown.detail["more"]) == (f"Deletes more than {MOST_CHANGED:,} rows of customers", True)
    with pytest.raises(ToolFailed, match="Nothing was changed"):
        books.use("execute", sql="DELETE FROM customers")
    assert books.really("SELECT COUNT(*) FROM customers") == [(10094,)]


def test_signoffs_own_database_is_refused(tmp_path: Path, postgres_server: str, sqlite_template: Path) -> None:
    port = urlsplit(postgres_server).port
    house = Settings(connection_hosts=["127.0.0.1"], connection_files=sqlite_template.parent)
    for url in (f"postgresql://signoff@127.0.0.1:{port}/signoff_template", f"sqlite:///{sqlite_template.name}"):
        desk = Desk(DatabaseKind(), {"url": url}, tmp_path, house)
        assert "of Signoff itself" in str(desk.tested())
        with pytest.raises(ToolFailed, match="of Signoff itself"):
            desk.use("execute", sql="UPDATE asks SET status = 'approved'")


def test_a_file_outside_of_the_folder_is_never_opened(tmp_path: Path) -> None:
    folder, data = tmp_path / "files", tmp_path / "files" / "data"
    data.mkdir(parents=True)
    for place in (tmp_path / "secret.db", data / "signoff.db"):
        connection = sqlite3.connect(place)
        connection.execute("CREATE TABLE a (b)")
        connection.close()
    (folder / "link.db").symlink_to(tmp_path / "secret.db")
    house = Settings(data=data, connection_files=folder)
    for name in ("link.db", "data/signoff.db", "missing.db"):
        assert "There is no database" in str(
            Desk(DatabaseKind(), {"url": f"sqlite:///{name}"}, tmp_path, house).tested()
        )
    assert not (folder / "missing.db").exists()
    nowhere = Desk(DatabaseKind(), {"url": "sqlite:///link.db"}, tmp_path, Settings(data=data))
    assert "SIGNOFF_CONNECTION_FILES" in str(nowhere.tested())


@pytest.mark.parametrize(
    "url",
    [
        "sqlite:////etc/passwd",
        "sqlite:///../x.db",
        "sqlite:///file:x.db?mode=rwc",
        "sqlite://",
        "sqlite:///:memory:",
        "mysql+pymysql://u@h/d",
        "duckdb:///x.db",
        "postgresql://u:clear@h/d",
        "postgresql://u@/d?host=/var/run/postgresql",
        "postgresql://u@h,other/d",
        "postgresql://u@h/d?passfile=/etc/shadow",
        "postgresql://u@h/d?sslmode=sometimes",
        "postgresql://h/d",
        "nothing",
    ],
)
def test_an_address_that_leads_elsewhere_is_not_taken(url: str) -> None:
    (problem,) = DatabaseKind().check({"url": url})
    assert problem.path == "url"
    assert "clear" not in problem.message


def test_a_private_address_is_reached_only_where_whoever_runs_the_server_lets_it(
    tmp_path: Path, postgres_server: str
) -> None:
    url = f"postgresql://signoff@127.0.0.1:{urlsplit(postgres_server).port}/postgres"
    desk = Desk(DatabaseKind(), {"url": url}, tmp_path, Settings())
    assert "SIGNOFF_CONNECTION_HOSTS=127.0.0.1" in str(desk.tested())
    assert Desk(DatabaseKind(), {"url": url}, tmp_path, Settings(connection_hosts=["127.0.0.1"])).tested() is None
    metadata = Desk(DatabaseKind(), {"url": "postgresql://u@169.254.169.254/d"}, tmp_path)
    assert "private network" in str(metadata.tested())
