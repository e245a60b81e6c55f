"""Words find passages, on both databases alike, whatever is typed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from signoff.kit.actor import Actor
from signoff.kit.db.database import Database
from signoff.kit.text.words import folded, snippet, wanted
from signoff.knowledge import actions, queries
from signoff.knowledge.reading.read_file import read_file
from signoff.workspaces import actions as workspaces
from tests.fresh import opened

MOST = 1024**2


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def shelf(
    kind: str, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[tuple[Database, Actor]]:
    folder: Path = tmp_path_factory.mktemp("shelf")
    with opened(kind, folder, request) as db:
        actor = db.write(lambda s: Actor.system(workspaces.found(s, "w", "w@example.org", "w").workspace_id))
        other = db.write(lambda s: Actor.system(workspaces.found(s, "o", "o@example.org", "o").workspace_id))
        add(db, actor, "refunds.md", "# Refunds\nInvoices of the café are paid back in 30 days.\n# Crème\nBrûlée only.")
        add(db, actor, "hosts.txt", "Servers: db-01.example.com and 日本語の文書 in one line, O'Brien said.")
        add(db, other, "theirs.txt", "Invoices of somebody else.")
        yield db, actor


def add(db: Database, actor: Actor, name: str, content: str) -> str:
    file = read_file(name, content.encode(), MOST)
    return db.write(lambda s: actions.add(s, actor, file, 100)[0].id)


def found(shelf: tuple[Database, Actor], query: str) -> list[tuple[str, str]]:
    db, actor = shelf
    rows = db.read(lambda s: queries.search(s, actor.workspace_id, query, 10))
    return [(each.document.name, each.passage.place) for each in rows]


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("cafe", "Refunds"),
        ("CAFÉ", "Refunds"),
        ("invoice", "Refunds"),
        ("invoices paid", "Refunds"),
        ("brulee", "Crème"),
        ("creme", "Crème"),
        ("example.com", "line 1"),
        ("example", "line 1"),
        ("db-01", "line 1"),
        ("文書", "line 1"),
        ("o'brien", "line 1"),
        ('"paid" NOT nothing', "Refunds"),
    ],
)
def test_words_are_found_without_accents_and_case_and_by_their_beginning(
    shelf: tuple[Database, Actor], query: str, place: str
) -> None:
    assert [each for _, each in found(shelf, query)] == [place]


def test_all_words_count_and_only_if_nothing_has_them_all_does_any(shelf: tuple[Database, Actor]) -> None:
    assert found(shelf, "paid back") == [("refunds.md", "Refunds")]
    assert {place for _, place in found(shelf, "brulee servers")} == {"Crème", "line 1"}
    assert found(shelf, "nothingofthis") == []


def test_words_that_say_nothing_count_only_alone(shelf: tuple[Database, Actor]) -> None:
    assert found(shelf, "what is the policy for brulee?") == [("refunds.md", "Crème")]
    assert {place for _, place in found(shelf, "of the")} == {"Refunds"}


def test_another_workspace_is_never_found(shelf: tuple[Database, Actor]) -> None:
    assert {name for name, _ in found(shelf, "invoices somebody else")} == {"refunds.md"}


@given(st.text(max_size=200))
def test_no_text_is_an_error(shelf: tuple[Database, Actor], query: str) -> None:
    found(shelf, query)


@given(st.text(alphabet="\"'()*:^&|!<>-+ andortoNEAR\\\x00", max_size=40))
def test_no_operator_is_an_error(shelf: tuple[Database, Actor], query: str) -> None:
    found(shelf, query)


@given(st.text(min_size=1, max_size=300), st.text(max_size=30))
def test_hits_stand_where_the_words_are(content: str, query: str) -> None:
    shown = snippet(content, wanted(query))
    for start, end in shown.hits:
        assert any(folded(shown.text[start:end]).startswith(word) for word in wanted(query))


def test_what_is_deleted_is_found_no_more_and_leaves_the_index(shelf: tuple[Database, Actor]) -> None:
    db, actor = shelf
    document = add(db, actor, "gone.txt", "ephemeralword")
    assert found(shelf, "ephemeralword") == [("gone.txt", "line 1")]
    db.write(lambda s: actions.delete(s, actor, queries.document(s, actor.workspace_id, document)))
    assert found(shelf, "ephemeralword") == []
    if db.is_sqlite:
        # Raises where the index and the passages differ.
        check = text("INSERT INTO passages_fts(passages_fts, rank) VALUES ('integrity-check', 1)")
        db.write(lambda s: s.execute(check))


def test_the_best_piece_of_a_text_is_shown() -> None:
    long = "nothing here " * 60 + "the refund policy of the house " + "nothing here " * 60
    shown = snippet(long, ["refund", "policy"])
    assert [shown.text[start:end] for start, end in shown.hits] == ["refund", "policy"]
    assert shown.text.startswith("…")
    assert shown.text.endswith("…")
