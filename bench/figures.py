"""Every figure on one database, as rows of the table."""

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import uvloop
from langgraph.checkpoint.base import BaseCheckpointSaver

from bench import crowd, floor, http, ours, peers, rules
from bench.measure import MILLI, in_turns, p50, p95, per_second, statements
from bench.stage import Place, Stage, bytes_on_disk, stage
from bench.table import Row
from tests.postgres import new_database


@dataclass(frozen=True)
class Size:
    """How much of each is measured."""

    rounds: int
    each: int
    long_runs: int
    decisions: int
    by_engine: int
    cloned: int
    listed: int
    sample: int
    answers: int


FULL = Size(
    rounds=5, each=60, long_runs=8, decisions=60, by_engine=1_000, cloned=10_000, listed=300, sample=40, answers=150
)

QUICK = Size(rounds=2, each=20, long_runs=2, decisions=10, by_engine=50, cloned=500, listed=30, sample=10, answers=30)
NORMAL = "synchronous=NORMAL on both"


@contextmanager
def saver(place: Place, synchronous: str = "NORMAL") -> Iterator[tuple[BaseCheckpointSaver[Any], int, Any]]:
    """The peer's checkpointer on a fresh database; with its size now, and how to ask for it again."""
    folder, url = place.fresh()
    opened: AbstractContextManager[BaseCheckpointSaver[Any]]
    opened = peers.postgres_saver(url) if url else peers.sqlite_saver(folder, synchronous)
    with opened as found:
        yield found, bytes_on_disk(folder, url), lambda: bytes_on_disk(folder, url)


def checkpoint(place: Place, size: Size) -> Iterator[Row]:
    db, folder = place.db, place.fresh()[0]
    with stage(*place.fresh()) as ready, saver(place) as (peer, _, _), saver(place, "FULL") as (shipped, _, _):
        works = {"ours": ours.checkpoint(ready), "peer": peers.put(peer)}
        if place.server:
            works["floor"] = floor.postgres_insert(new_database(place.server, "floor"))
        else:
            works |= {"floor": floor.sqlite_insert(folder, "NORMAL"), "full floor": floor.sqlite_insert(folder, "FULL")}
            works |= {"full": ours.checkpoint(ready, durable=True), "full peer": peers.put(shipped)}
        found = {name: p50(times) for name, times in in_turns(works, size.rounds, size.each).items()}
        with statements(ready.parts.db) as counted:
            works["ours"]()
    yield Row("bare committed insert", db, "ms", None, "", found["floor"], note="by the driver alone")
    note = f"{counted.sent} statements, {counted.commits} commit; {'' if place.server else NORMAL}"
    aim = "< 1.0 ms" if place.server else "< 0.8 ms"
    yield Row("one durable checkpoint", db, "ms", found["ours"], aim, found["floor"], found["peer"], note.strip("; "))
    if not place.server:
        note = "synchronous=FULL: the started mark; the peer as shipped"
        yield Row(
            "the same, power-cut safe", db, "ms", found["full"], "", found["full floor"], found["full peer"], note
        )


def step(place: Place, size: Size) -> Iterator[Row]:
    all_steps, theirs = ours.Steps(), list[float]()
    with stage(*place.fresh()) as ready, saver(place) as (peer, _, _):
        for index in range(size.long_runs + 1):
            found, at_peer = uvloop.run(ours.agent_steps(ready, 10)), peers.agent_steps(peer, 10)
            # The first run only warms up.
            if index:
                all_steps.whole += found.whole
                all_steps.model += found.model
                theirs += at_peer
        sent, commits = uvloop.run(ours.statements_per_step(ready, 10))
    db, peer_time, aim = place.db, p50(theirs), "< 3 ms" if place.server else "< 2 ms"
    note = "model answer + list_files, p50 of steps 1-10; the peer has no streaming model layer"
    yield Row("agent step, whole", db, "ms", p50(all_steps.whole), "", None, peer_time, note)
    yield Row("  of it inside the model call", db, "ms", p50(all_steps.model), note="pydantic-ai and our translation")
    yield Row("  of it ours", db, "ms", p50(all_steps.own), aim, None, peer_time, "loop, policy, tool, 2 commits")
    note = f"and {commits:.0f} commits" if place.server else f"and {commits:.0f} commits, BEGIN counted"
    yield Row("  SQL statements per step", db, "", sent, note=note)


def decision(place: Place, size: Size) -> Iterator[Row]:
    with stage(*place.fresh()) as ready:
        found = uvloop.run(ours.decisions(ready, size.decisions))
    with saver(place) as (peer, _, _):
        parked, began = peers.decisions(peer, size.decisions)
    db, aim = place.db, "< 4 ms" if place.server else "< 3 ms"
    note = "{} statements, {} commits".format(*found.park_statements)
    yield Row("start → parked, p50", db, "ms", p50(found.parked), "", None, p50(parked), note)
    yield Row("start → parked, p95", db, "ms", p95(found.parked), "", None, p95(parked))
    note = "from giving the answer; {} statements, {} commits".format(*found.to_tool_statements)
    yield Row("approve → tool starts, p50", db, "ms", p50(found.from_answer), "", None, p50(began), note)
    yield Row("approve → tool starts, p95", db, "ms", p95(found.from_answer), "", None, p95(began))
    note = "with a power-cut safe started mark" if not place.server else "with the started mark"
    yield Row("answer committed → tool starts, p50", db, "ms", p50(found.from_commit), aim, None, p50(began), note)
    yield Row("answer committed → tool starts, p95", db, "ms", p95(found.from_commit), "", None, p95(began))
    note = f"and {found.answer_statements[1]} commit"
    yield Row("  SQL statements per answer", db, "", found.answer_statements[0], note=note)


def waiting(place: Place, size: Size) -> Iterator[Row]:
    db, folder, url = place.db, *place.fresh()
    with stage(folder, url) as ready:
        before, after, taken = uvloop.run(crowd.park_by_engine(ready, size.by_engine, 0))
    cache = "growth of this process" if place.server else "SQLite's page caches, at most 2 MB each"
    threads = f"threads {before.threads} → {after.threads}, connections {after.connections}"
    held = f"tasks {before.tasks} → {after.tasks}, {threads}"
    grown = (after.rss_kb - before.rss_kb) / size.by_engine
    yield Row(f"{size.by_engine:,} waiting: memory per run", db, "KB", grown, "0", note=f"{cache}; {held}")
    yield Row("runs parked per second, many at once", db, "/s", size.by_engine / taken, note="starting them included")
    yield from _bytes_per_run(place, size)
    with stage(*place.fresh()) as ready:
        finished = uvloop.run(crowd.resumed(ready, size.answers))
    with saver(place) as (peer, _, _):
        resumed = per_second(peers.resumed(peer, size.answers, 1))
    note = "answer, tool, model, completion; the peer one by one"
    yield Row("answered and worked to the end", db, "/s", finished, "", None, resumed, note)


def _bytes_per_run(place: Place, size: Size) -> Iterator[Row]:
    folder, url = place.fresh()
    with stage(folder, url) as ready:
        uvloop.run(crowd.park_by_engine(ready, size.sample, 10))
        # The warm-up's short runs come first; only the long ones are counted.
        after = bytes_on_disk(folder, url)
    folder, url = place.fresh()
    with stage(folder, url) as ready:
        uvloop.run(crowd.park_by_engine(ready, 0, 10))
        before = bytes_on_disk(folder, url)
    with saver(place) as (peer, empty, now_):
        graph = peers.Graph(peer, 10)
        for _ in range(size.sample):
            graph.park()
        theirs = (now_() - empty) / size.sample / 1024
    note = f"rows, indexes, events and audit of {size.sample} runs"
    ours_ = (after - before) / size.sample / 1024
    yield Row("a waiting run after 10 steps, disk", place.db, "KB", ours_, "< 30 KB", None, theirs, note)


def many(place: Place, size: Size) -> Iterator[Row]:
    db, folder, url = place.db, *place.fresh()
    first, empty = _server(folder, url), _server(folder, url)
    yield Row("cold start, first (migrates)", db, "s", first.ready_after, note="`signoff serve` → /readyz")
    with stage(folder, url) as ready:
        uvloop.run(crowd.park_by_engine(ready, 1, 0))
        before = bytes_on_disk(folder, url)
        crowd.clone_parked(ready, size.cloned)
        per_run = (bytes_on_disk(folder, url) - before) / size.cloned / 1024
        _analyse(folder, url)
        full = _server(folder, url)
        yield Row(
            f"{size.cloned:,} waiting: disk per run", db, "KB", per_run, note="1 step each; rows copied from a real one"
        )
        grown = (full.memory_mb - empty.memory_mb) * 1024 / size.cloned
        held = f"threads {empty.threads} → {full.threads}"
        note = f"`signoff serve`: {empty.memory_mb:.0f} → {full.memory_mb:.0f} MB, {held}"
        yield Row(f"{size.cloned:,} waiting: memory per run", db, "KB", grown, "0", note=note)
        again = (empty.ready_after + full.ready_after) / 2
        yield Row("cold start, again", db, "s", again, "< 2 s", note="mean of two starts")
        yield from _inbox(ready, place, size, full)
        yield from _speed(ready, place, size)


def _inbox(ready: Stage, place: Place, size: Size, full: "Served") -> Iterator[Row]:
    found = in_turns(crowd.inbox(ready), size.rounds, 10)
    with saver(place) as (peer, _, _):
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


def _speed(ready: Stage, place: Place, size: Size) -> Iterator[Row]:
    crowd.make_ready(ready, size.answers * 2)
    one, fifty = (per_second(crowd.claims(ready, size.answers, at_once)) for at_once in (1, 50))
    crowd.rest(ready)
    alone, together = (per_second(crowd.answers(ready, size.answers, threads)) for threads in (1, 16))
    with saver(place) as (peer, _, _):
        theirs = [per_second(peers.resumed(peer, size.answers, threads)) for threads in (1, 16)]
    db, aim = place.db, "> 400" if place.server else "> 500"
    yield Row("claims per second, one at a time", db, "/s", one, note=f"{size.answers * 2} ready of {size.cloned:,}")
    yield Row("claims per second, 50 at a time", db, "/s", fifty)
    note = "decision, audit, event, wake; the peer's resume runs the graph to its end"
    yield Row("answers per second", db, "/s", alone, aim, None, theirs[0], note)
    yield Row("answers per second, 16 threads", db, "/s", together, aim, None, theirs[1])


@dataclass
class Served:
    """What `signoff serve` showed on one database."""

    ready_after: float
    memory_mb: float
    threads: int
    pages: list[float]


def _server(folder: Path, url: str) -> Served:
    """The real server, after it has shown some pages."""
    with http.signoff(folder, url) as running:
        pages = in_turns({"page": lambda: running.client.get("/api/asks?status=pending&limit=50")}, 2, 20)["page"]
        return Served(running.ready_after, running.memory_mb(), running.threads(), pages)


def _analyse(folder: Path, url: str) -> None:
    """What a database that grew over days knows of itself; autovacuum would come too late for a bench."""
    if url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
    else:
        with sqlite3.connect(next(folder.glob("*.db"))) as connection:
            connection.execute("PRAGMA optimize")


def over_http(place: Place, size: Size) -> Iterator[Row]:
    found, db = http.decisions(*place.fresh(), size.decisions), place.db
    yield Row("HTTP: approve → tool starts, p50", db, "ms", p50(found.approve_to_tool), note="server and client apart")
    yield Row("HTTP: approve → tool starts, p95", db, "ms", p95(found.approve_to_tool), "< 20 ms")
    yield Row("HTTP: answer round trip, p50", db, "ms", p50(found.answer_round_trip))
    yield Row("HTTP: ask written → visible on SSE, p50", db, "ms", p50(found.ask_visible), note="its commit included")
    yield Row("HTTP: ask written → visible on SSE, p95", db, "ms", p95(found.ask_visible), "< 100 ms")
    yield Row("HTTP: start → ask on SSE, p50", db, "ms", p50(found.start_to_visible))


def judging(place: Place, size: Size) -> Iterator[Row]:
    """No database takes part, so one of them is enough."""
    if place.server:
        return
    mixed, by_field, text = rules.policy(rules.MIXED), rules.policy(rules.BY_FIELD), rules.text(rules.MIXED)
    works = {
        "mixed": rules.verdicts(mixed, size.each),
        "by field": rules.verdicts(by_field, size.each),
        "read": lambda: rules.policy(rules.MIXED),
    }
    found = {name: p50(times) for name, times in in_turns(works, size.rounds, size.each).items()}
    one = {name: found[name] * MILLI / size.each for name in ("mixed", "by field")}
    yield Row("verdict under 100 rules", "", "µs", one["mixed"], "< 50 µs", note="none matches; autonomy decides")
    yield Row(
        "  the same, each rule on a nested field", "", "µs", one["by field"], "< 50 µs", note="no rule names a tool"
    )
    yield Row("100 rules read and compiled", "", "ms", found["read"], note=f"{len(text) / 1000:.0f} KB of YAML")


FIGURES = (checkpoint, step, decision, waiting, many, over_http, judging)
