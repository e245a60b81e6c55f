"""Many waiting runs: what they cost, and how fast they are listed, claimed and answered."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import uvloop

from bench import crowd, http, peers
from bench.measure import Size, in_turns, median_rate, p50, p95
from bench.stage import Place, Stage, bytes_on_disk, stage
from bench.table import Row

SETTLED_SECONDS = 3


def memory(place: Place, size: Size) -> Iterator[Row]:
    db = place.db
    with stage(*place.fresh()) as ready:
        before, after, taken = uvloop.run(crowd.park_by_engine(ready, size.by_engine, 0))
    cache = "growth of this process" if place.server else "SQLite's page caches, at most 2 MB each"
    threads = f"threads {before.threads} → {after.threads}, connections {after.connections}"
    held = f"tasks {before.tasks} → {after.tasks}, {threads}"
    grown = (after.rss_kb - before.rss_kb) / size.by_engine
    yield Row(f"{size.by_engine:,} waiting: memory per run", db, "KB", grown, "0", note=f"{cache}; {held}")
    yield Row("runs parked per second, many at once", db, "/s", size.by_engine / taken, note="starting them included")


@contextmanager
def _crowded(place: Place, size: Size) -> Iterator[tuple[Stage, Path, str, float]]:
    """A database with many waiting runs, where it is, and the KB that each takes."""
    folder, url = place.fresh()
    with stage(folder, url) as ready:
        uvloop.run(crowd.park_by_engine(ready, 1, 0))
        before = bytes_on_disk(folder, url)
        crowd.clone_parked(ready, size.cloned)
        per_run = (bytes_on_disk(folder, url) - before) / size.cloned / 1024
        _analyse(folder, url)
        yield ready, folder, url, per_run


def inbox(place: Place, size: Size) -> Iterator[Row]:
    db, empty = place.db, _server(*place.fresh())
    with _crowded(place, size) as (ready, folder, url, per_run):
        full = _server(folder, url)
        note = "1 step each; rows copied from a real one"
        yield Row(f"{size.cloned:,} waiting: disk per run", db, "KB", per_run, note=note)
        grown = (full.memory_mb - empty.memory_mb) * 1024 / size.cloned
        held = f"threads {empty.threads} → {full.threads}"
        note = f"`signoff serve`: {empty.memory_mb:.0f} → {full.memory_mb:.0f} MB, {held}"
        yield Row(f"{size.cloned:,} waiting: memory per run", db, "KB", grown, "0", note=note)
        yield from _pages(ready, place, size, full)


def _pages(ready: Stage, place: Place, size: Size, full: "Served") -> Iterator[Row]:
    found = in_turns(crowd.inbox(ready), size.rounds, 10)
    with peers.saver(place) as (peer, _, _):
        graph = peers.Graph(peer, 0)
        for _ in range(size.listed):
            graph.park()
        theirs = in_turns({"inbox": peers.inbox(peer)}, 3, 1)["inbox"]
    db, of = place.db, f"{size.cloned + 21:,} open"
    note = f"of {of}; the peer lists its {size.listed:,} threads"
    yield Row("inbox: 50 oldest, rows", db, "ms", p50(found["rows"]), "< 2 ms", None, p50(theirs), note)
    yield Row("inbox: 50 oldest, page with count", db, "ms", p50(found["page"]), note="as the API shows it, in process")
    yield Row("inbox: count by kind", db, "ms", p50(found["count"]))
    yield Row("inbox: page over HTTP, p50", db, "ms", p50(full.pages))
    yield Row("inbox: page over HTTP, p95", db, "ms", p95(full.pages), "< 50 ms")


def answers(place: Place, size: Size) -> Iterator[Row]:
    with _crowded(place, size) as (ready, _, _, _):
        crowd.make_ready(ready, size.answers * 2)
        one, fifty = (median_rate(1, lambda n=at_once: crowd.claims(ready, size.answers, n)) for at_once in (1, 50))
        crowd.rest(ready)
        found = [
            median_rate(size.starts, lambda n=threads: crowd.answers(ready, size.answers, n)) for threads in (1, 16)
        ]
    with peers.saver(place) as (peer, _, _):
        theirs = [median_rate(size.starts, lambda n=n: peers.resumed(peer, size.answers, n)) for n in (1, 16)]
    db, goal = place.db, "> 500" if place.server else "> 1,000"
    yield Row("claims per second, one at a time", db, "/s", one, note=f"{size.answers * 2} ready of {size.cloned:,}")
    yield Row("claims per second, 50 at a time", db, "/s", fifty)
    note = "decision, audit, event, wake; the peer's resume runs the graph to its end"
    yield Row("answers per second", db, "/s", found[0], goal, None, theirs[0], note)
    yield Row("answers per second, 16 threads", db, "/s", found[1], goal, None, theirs[1])


@dataclass
class Served:
    """What `signoff serve` showed on one database."""

    memory_mb: float
    threads: int
    pages: list[float]


def _server(folder: Path, url: str) -> Served:
    """The real server, after it has shown some pages."""
    with http.signoff(folder, url) as running:
        # What is loaded for the first model call is loaded by then.
        time.sleep(SETTLED_SECONDS)
        pages = in_turns({"page": lambda: running.client.get("/api/asks?status=pending&limit=50")}, 2, 20)["page"]
        return Served(running.memory_mb(), running.threads(), pages)


def _analyse(folder: Path, url: str) -> None:
    """What a database that grew over days knows of itself; autovacuum would come too late for a bench."""
    if url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
    else:
        with sqlite3.connect(next(folder.glob("*.db"))) as connection:
            connection.execute("PRAGMA optimize")
