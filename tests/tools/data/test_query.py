"""query_data and save_query: SQL over the run's own files, and over nothing else."""

import os
import socket
import threading
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from signoff.kit.settings import Settings
from signoff.policy.impact import ImpactKind
from signoff.sandbox.query import answer
from signoff.tools.builtin.run_folder import place_for
from signoff.tools.registry import ToolFailed
from tests.tools.using import found, judged, use


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run's folder beside something that is none of its business."""
    run = tmp_path / "run"
    (run / "parts").mkdir(parents=True)
    (run / "sales.csv").write_text(
        "region,amount,day\nnorth,10,2026-01-02\nsouth,32.5,2026-01-03\nnorth,1,2026-01-04\n"
    )
    (run / "people.json").write_text('[{"name": "Ann", "tags": ["a", "b"]}, {"name": "Bo", "tags": []}]')
    (run / "parts" / "1.csv").write_text("n\n1\n")
    (run / "parts" / "2.csv").write_text("n\n2\n")
    (tmp_path / "secret.csv").write_text("word\nhidden\n")
    return run


def test_a_question_is_answered_in_columns_and_rows(folder: Path) -> None:
    sql = "SELECT region, sum(amount) AS total, min(day) AS first FROM 'sales.csv' GROUP BY ALL ORDER BY region -- all"
    said = use("query_data", folder, sql=sql)
    assert said["rows"] == [["north", 11.0, "2026-01-02"], ["south", 32.5, "2026-01-03"]]
    assert [each["name"] for each in said["columns"]] == ["region", "total", "first"]
    assert (said["row_count"], said["more_rows"]) == (2, False)


def test_files_of_several_kinds_are_joined(folder: Path) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (
        ["name", "hired", "pay"],
        ["Ann", datetime(2020, 1, 2, tzinfo=UTC).replace(tzinfo=None), 10],
        ["Bo", None, 11.5],
    ):
        sheet.append(row)
    other = book.create_sheet("Notes 2")
    other.append(["note", "note"])
    other.append(["x", 1])
    book.save(folder / "staff.xlsx")
    sql = """SELECT p.name, s.pay, s.hired, len(p.tags) AS tags, (SELECT sum(n) FROM 'parts/*.csv') AS parts
             FROM 'people.json' p JOIN 'staff.xlsx' s USING (name) ORDER BY 1"""
    rows = use("query_data", folder, sql=sql)["rows"]
    assert rows == [["Ann", 10.0, "2020-01-02T00:00:00", 2, 3], ["Bo", 11.5, None, 0, 3]]
    assert use("query_data", folder, sql="""FROM "staff.xlsx#Notes 2" """)["rows"] == [["x", 1]]


def test_values_keep_their_digits_and_no_kind_of_them_fails(folder: Path) -> None:
    sql = """SELECT 170141183460469231731687303715884105727 AS big, 0.1::DECIMAL(5, 2) AS exact, 'nan'::DOUBLE AS nan,
             TIMESTAMPTZ '2026-01-02 03:04:05+00' AS at, INTERVAL 1 DAY AS span,
             '\\xAA'::BLOB AS raw, {'a': [1]} AS nested,
             12345678901234567.89::DECIMAL(20, 2) AS wide"""
    (row,) = use("query_data", folder, sql=sql)["rows"]
    assert row[0] == 170141183460469231731687303715884105727
    assert row[1:4] == [0.1, "nan", "2026-01-02 03:04:05+00"]
    assert row[5:] == ["[1 bytes]", {"a": [1]}, "12345678901234567.89"]


def test_a_result_is_bounded_by_rows_and_by_size(folder: Path) -> None:
    few = use("query_data", folder, sql="FROM range(1000)", limit=3)
    assert (few["rows"], few["more_rows"]) == ([[0], [1], [2]], True)
    wide = use("query_data", folder, sql="SELECT repeat('x', 3000) FROM range(1000)", limit=1000)
    assert wide["more_rows"]
    assert 0 < wide["row_count"] < 100
    assert len(use("query_data", folder, sql="SELECT repeat('x', 100000)")["rows"][0][0]) <= 4000


def test_who_names_a_column_or_file_that_is_not_there_reads_which_are(folder: Path) -> None:
    with pytest.raises(ToolFailed, match=r"Columns of sales.csv: region, amount, day"):
        use("query_data", folder, sql="SELECT nothing FROM 'sales.csv'")
    with pytest.raises(ToolFailed, match=r"Files in the folder: .*people.json"):
        use("query_data", folder, sql="FROM 'sale.csv'")
    with pytest.raises(ToolFailed, match="no file in the folder"):
        use("query_data", folder / "parts" / "new", sql="FROM 'sale.csv'")


@pytest.mark.parametrize(
    "sql",
    [
        "COPY (SELECT 1) TO 'out.csv'",
        "SELECT 1; SELECT 2",
        "CREATE TABLE t AS SELECT 1",
        "ATTACH 'sales.csv'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access=true",
        "EXPORT DATABASE 'out'",
        "PRAGMA database_list",
        "EXPLAIN ANALYZE SELECT 1",
        "SELECT ?",
        "",
        "nonsense",
    ],
)
def test_anything_but_one_select_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    monkeypatch.chdir(folder)
    before = sorted(folder.rglob("*"))
    assert "error" in answer(sql, 10)[0]
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize(
    "source",
    [
        "'../secret.csv'",
        "'parts/../../secret.csv'",
        "'link.csv'",
        "'linked/secret.csv'",
        "'hard.csv'",
        "'../*.csv'",
        "read_csv('../secret.csv')",
        "read_text('{outside}/secret.csv')",
        "read_blob('/etc/passwd')",
        "glob('/etc/*')",
        "glob('../*')",
        "query('FROM ''../secret.csv''')",
        "read_csv('/proc/self/environ')",
        "'link.xlsx'",
    ],
)
def test_no_query_reads_outside_of_the_folder(folder: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    monkeypatch.chdir(folder)
    outside = folder.parent
    os.symlink(outside / "secret.csv", folder / "link.csv")
    os.symlink(outside, folder / "linked")
    os.link(outside / "secret.csv", folder / "hard.csv")
    book = Workbook()
    book.save(outside / "book.xlsx")
    os.symlink(outside / "book.xlsx", folder / "link.xlsx")
    refused = answer(f"SELECT * FROM {source.format(outside=outside)}", 10)[0]
    assert "error" in refused
    assert "hidden" not in str(refused)
    # What leads out does not keep the rest from being read.
    assert answer("SELECT count(*) FROM '*.csv'", 10)[0]["rows"] == [[3]]


@pytest.fixture
def listening() -> Iterator[tuple[int, list[object]]]:
    came, server = list[object](), socket.create_server(("127.0.0.1", 0))

    def accept() -> None:
        while True:
            try:
                came.append(server.accept()[0].close())
            except OSError:
                return

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    yield server.getsockname()[1], came
    server.shutdown(socket.SHUT_RDWR)
    server.close()
    thread.join()


@pytest.mark.parametrize("scheme", ["http", "https", "s3", "hf"])
def test_no_query_reaches_the_network(
    folder: Path, monkeypatch: pytest.MonkeyPatch, listening: tuple[int, list[object]], scheme: str
) -> None:
    monkeypatch.chdir(folder)
    port, came = listening
    assert "error" in answer(f"FROM read_csv('{scheme}://127.0.0.1:{port}/a.csv')", 10)[0]
    assert came == []


def test_the_result_says_nothing_about_where_the_server_keeps_its_files(folder: Path) -> None:
    said = use("query_data", folder, sql="SELECT value FROM duckdb_settings() WHERE name LIKE '%allowed%'")
    assert "sales.csv" in str(said)
    assert str(folder.parent) not in str(said)


def test_a_query_that_wants_too_much_ends_and_says_so(folder: Path) -> None:
    with pytest.raises(ToolFailed, match="memory"):
        use("query_data", folder, sql="SELECT list(a.range || repeat('x', 100)) FROM range(20000000) a")


def test_a_workbook_that_unpacks_to_too_much_is_refused(folder: Path) -> None:
    with zipfile.ZipFile(folder / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/workbook.xml", b"0" * (300 * 1024 * 1024))
    with pytest.raises(ToolFailed, match="larger than"):
        use("query_data", folder, sql="FROM 'bomb.xlsx'")
    (folder / "none.xlsx").write_text("words")
    with pytest.raises(ToolFailed, match="no Excel workbook"):
        use("query_data", folder, sql="FROM 'none.xlsx'")


def test_a_file_of_the_agent_does_not_become_a_module(folder: Path) -> None:
    for name in ("duckdb.py", "openpyxl.py", "csv.py", "json.py"):
        (folder / name).write_text("raise SystemExit('taken over')")
    assert use("query_data", folder, sql="SELECT 1")["rows"] == [[1]]


def test_a_result_is_saved_whole(folder: Path) -> None:
    saved = use("save_query", folder, sql="SELECT range AS n, 'a,b' AS t FROM range(2000)", path="out/all.csv")
    lines = (folder / "out" / "all.csv").read_text().splitlines()
    assert (lines[0], lines[1], len(lines)) == ("n,t", '0,"a,b"', 2001)
    assert (saved["path"], saved["row_count"], saved["columns"]) == ("out/all.csv", 2000, ["n", "t"])
    assert use("query_data", folder, sql="SELECT max(n) FROM 'out/all.csv'")["rows"] == [[1999]]


def test_saving_is_a_write_and_asking_is_not(folder: Path) -> None:
    assert judged("query_data", folder, sql="SELECT 1")[0] == "low"
    level, new = judged("save_query", folder, sql="SELECT 1", path="new.csv")
    assert (level, new.kinds) == ("high", (ImpactKind.STAYS_IN_FOLDER,))
    over = judged("save_query", folder, sql="SELECT 1", path="sales.csv")[1]
    assert ImpactKind.OVERWRITES in over.kinds
    assert found("save_query").headline({"path": "new.csv"}) == "Save a query as new.csv"
    assert found("save_query").idempotent


def test_a_query_that_fails_leaves_the_file_as_it_was(folder: Path) -> None:
    before = (folder / "sales.csv").read_text()
    with pytest.raises(ToolFailed):
        use("save_query", folder, sql="SELECT nothing FROM 'sales.csv'", path="sales.csv")
    assert (folder / "sales.csv").read_text() == before
    assert not list(folder.glob(".*"))


@given(st.lists(st.sampled_from(["..", ".", "a", "link", "/", "~", "a\x00", "x.csv"]), min_size=1, max_size=6))
def test_whatever_path_is_given_a_new_file_stays_in_the_folder(
    tmp_path_factory: pytest.TempPathFactory, parts: list[str]
) -> None:
    outside = tmp_path_factory.mktemp("paths")
    run = outside / "run"
    run.mkdir()
    os.symlink(outside, run / "link")
    try:
        place = place_for(run, "/".join(parts), ".csv")
    except ToolFailed:
        return
    assert place.is_relative_to(run.resolve())
    assert place != run.resolve()


def test_a_result_that_the_folder_has_no_room_for_is_not_saved(folder: Path) -> None:
    before = sorted(each.name for each in folder.rglob("*"))
    with pytest.raises(ToolFailed, match="at most"):
        use(
            "save_query",
            folder,
            settings=Settings(max_folder_bytes=1_000),
            sql="SELECT repeat('x', 2000) AS x",
            path="x.csv",
        )
    assert sorted(each.name for each in folder.rglob("*")) == before
