"""Searching a knowledge base of many pages."""

import random
import time
from collections.abc import Callable, Iterator

from sqlalchemy.orm import Session

from bench.measure import MILLI, Size, p50, p95
from bench.stage import Place, stage
from bench.table import Row
from signoff.knowledge import actions, queries
from signoff.knowledge.reading.read_file import FileRead
from signoff.knowledge.reading.sections import Section

PAGES_PER_DOCUMENT, WORDS_PER_PAGE = 100, 220
# As in any language: a few words are on almost every page, most are rare.
VOCABULARY = 20_000


def knowledge(place: Place, size: Size) -> Iterator[Row]:
    pages = size.cloned
    with stage(*place.fresh()) as ready:
        source, actor = random.Random(7), ready.actor
        began = time.perf_counter()
        for number in range(max(1, pages // PAGES_PER_DOCUMENT)):
            file = _document(source, number, min(pages, PAGES_PER_DOCUMENT))
            ready.parts.db.write(lambda s, file=file: actions.add(s, actor, file, 100_000))
        kept = (time.perf_counter() - began) / pages * MILLI
        times = [_timed(ready.parts.db.read, actor.workspace_id, query) for query in _queries(source, size)]
    note = f"{pages:,} pages; 1 to 4 words, some common, some nowhere; 8 passages with their snippets"
    yield Row("knowledge: search, p50", place.db, "ms", p50(times), note=note)
    yield Row("knowledge: search, p95", place.db, "ms", p95(times), "< 100 ms")
    yield Row("knowledge: one page kept and indexed", place.db, "ms", kept, note="after its text was read")


def _timed(read: Callable[[Callable[[Session], int]], int], workspace_id: str, query: str) -> float:
    def work(session: Session) -> int:
        return len(queries.search(session, workspace_id, query, 8))

    began = time.perf_counter()
    read(work)
    return (time.perf_counter() - began) * MILLI


def _word(source: random.Random) -> str:
    return f"word{int(VOCABULARY ** source.random())}x"


def _document(source: random.Random, number: int, pages: int) -> FileRead:
    texts = [" ".join(_word(source) for _ in range(WORDS_PER_PAGE)) for _ in range(pages)]
    passages = tuple(Section(f"page {at}", text) for at, text in enumerate(texts, 1))
    return FileRead(f"{number}.pdf", "pdf", sum(map(len, texts)), f"{number:064}", passages)


def _queries(source: random.Random, size: Size) -> list[str]:
    found = [" ".join(_word(source) for _ in range(1 + at % 4)) for at in range(size.listed)]
    return [*found[:-1], "nowhere at all"]
