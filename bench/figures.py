"""One run, or one after the other: every figure on one database, as rows of the table."""

from collections.abc import Iterator

import uvloop

from bench import channels, crowd, floor, http, ours, peers, rules
from bench.cold_start import cold_start
from bench.connections import connected_step, mcp_call
from bench.knowledge import knowledge
from bench.many import answers, inbox, memory
from bench.measure import MILLI, Size, in_turns, median_rate, p50, p95, statements
from bench.stage import LONG, PAGES, Place, bytes_on_disk, stage
from bench.table import Row
from bench.workers import workers
from bench.workflows import workflows
from tests.postgres import new_database

NORMAL = "synchronous=NORMAL on both"
# Asks that come together.
AT_ONCE = 100


def checkpoint(place: Place, size: Size) -> Iterator[Row]:
    db, folder = place.db, place.fresh()[0]
    with (
        stage(*place.fresh()) as ready,
        peers.saver(place) as (peer, _, _),
        peers.saver(place, "FULL") as (shipped, _, _),
    ):
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
    goal = "< 0.8 ms" if place.server else "< 0.25 ms"
    yield Row("one durable checkpoint", db, "ms", found["ours"], goal, found["floor"], found["peer"], note.strip("; "))
    if not place.server:
        note = "synchronous=FULL: the started mark; the peer as shipped"
        yield Row(
            "the same, power-cut safe", db, "ms", found["full"], "", found["full floor"], found["full peer"], note
        )


def step(place: Place, size: Size) -> Iterator[Row]:
    all_steps, theirs = ours.Steps(), list[float]()
    with stage(*place.fresh()) as ready, peers.saver(place) as (peer, _, _):
        for index in range(size.long_runs + 1):
            found, at_peer = uvloop.run(ours.agent_steps(ready, 10)), peers.agent_steps(peer, 10)
            # The first run only warms up.
            if index:
                all_steps += found
                theirs += at_peer
        sent, commits = uvloop.run(ours.statements_per_step(ready, 10))
    db, peer_time = place.db, p50(theirs)
    note = "model answer + list_files, p50 of steps 1-10; the peer has no streaming model layer"
    yield Row("agent step, whole", db, "ms", p50(all_steps.whole), "", None, peer_time, note)
    yield Row("  of it inside the model call", db, "ms", p50(all_steps.model), note="pydantic-ai and our translation")
    note = f"loop, policy, tool, {commits:.0f} commits"
    yield Row("  of it ours", db, "ms", p50(all_steps.own), "the peer's", None, peer_time, note)
    yield Row("  processor time per step", db, "ms", p50(all_steps.computed), note="stays the same on a busy machine")
    note = f"and {commits:.0f} commits" if place.server else f"and {commits:.0f} commits, BEGIN counted"
    yield Row("  SQL statements per step", db, "", sent, note=note)


def long_run(place: Place, size: Size) -> Iterator[Row]:
    """Whether a step becomes dearer with what lies behind it. Steps around the tenth and the last, as medians."""
    early, late, _ = _early_and_late(place, size, LONG)
    note = f"{_from_to(early.whole, late.whole)}; ours {_from_to(early.own, late.own)}"
    yield _grown("step at iteration 500 against 10", place, early, late, note)
    early, late, rest = _early_and_late(place, size, PAGES)
    mean = sum(rest.whole) / len(rest.whole)
    note = f"{_from_to(early.whole, late.whole)}; each result 20 KB; {mean:.3g} ms on average with all shortenings"
    yield _grown("  the same with long results", place, early, late, note)


def _early_and_late(place: Place, size: Size, agent: int | str) -> tuple[ours.Steps, ours.Steps, ours.Steps]:
    """Steps around the tenth, the last ones, and all after the first."""
    early, late, rest = ours.Steps(), ours.Steps(), ours.Steps()
    with stage(*place.fresh()) as ready:
        # Only warms up.
        uvloop.run(ours.agent_steps(ready, 10))
        for _ in range(size.starts):
            steps = uvloop.run(ours.agent_steps(ready, agent))
            early += steps[5:15]
            late += steps[LONG - 20 :]
            rest += steps[15:]
    return early, late, rest


def _grown(what: str, place: Place, early: ours.Steps, late: ours.Steps, note: str) -> Row:
    computed = p50(late.computed) / p50(early.computed)
    note = f"{note}; {computed:.2f} x in processor time"
    return Row(what, place.db, "x", p50(late.whole) / p50(early.whole), "< 1.3 x", note=note)


def _from_to(early: list[float], late: list[float]) -> str:
    return f"{p50(early):.3g} → {p50(late):.3g} ms"


def decision(place: Place, size: Size) -> Iterator[Row]:
    with stage(*place.fresh()) as ready:
        found = uvloop.run(ours.decisions(ready, size.decisions))
    with peers.saver(place) as (peer, _, _):
        parked, began = peers.decisions(peer, size.decisions)
    db, goals = place.db, ("< 8 ms", "< 3.5 ms") if place.server else ("< 4 ms", "< 2 ms")
    note = "{} statements, {} commits".format(*found.park_statements)
    yield Row("start → parked, p50", db, "ms", p50(found.parked), goals[0], None, p50(parked), note)
    yield Row("start → parked, p95", db, "ms", p95(found.parked), "", None, p95(parked))
    note = "from giving the answer; {} statements, {} commits".format(*found.to_tool_statements)
    yield Row("approve → tool starts, p50", db, "ms", p50(found.from_answer), "", None, p50(began), note)
    yield Row("approve → tool starts, p95", db, "ms", p95(found.from_answer), "", None, p95(began))
    note = "with a power-cut safe started mark" if not place.server else "with the started mark"
    yield Row("answer committed → tool starts, p50", db, "ms", p50(found.from_commit), goals[1], None, p50(began), note)
    yield Row("answer committed → tool starts, p95", db, "ms", p95(found.from_commit), "", None, p95(began))
    note = f"and {found.answer_statements[1]} commit"
    yield Row("  SQL statements per answer", db, "", found.answer_statements[0], note=note)


def finish(place: Place, size: Size) -> Iterator[Row]:
    with stage(*place.fresh()) as ready:
        finished = uvloop.run(crowd.resumed(ready, size.answers, size.starts))
    with peers.saver(place) as (peer, _, _):
        theirs = median_rate(size.starts, lambda: peers.resumed(peer, size.answers, 1))
    note = "answer, tool, model, completion; the peer one by one"
    goal = "> 120" if place.server else "> 200"
    yield Row("answered and worked to the end", place.db, "/s", p50(finished), goal, None, theirs, note)


def disk(place: Place, size: Size) -> Iterator[Row]:
    folder, url = place.fresh()
    with stage(folder, url) as ready:
        uvloop.run(crowd.park_by_engine(ready, size.sample, 10))
        # The warm-up's short runs come first; only the long ones are counted.
        after = bytes_on_disk(folder, url)
    folder, url = place.fresh()
    with stage(folder, url) as ready:
        uvloop.run(crowd.park_by_engine(ready, 0, 10))
        before = bytes_on_disk(folder, url)
    with peers.saver(place) as (peer, empty, now_):
        graph = peers.Graph(peer, 10)
        for _ in range(size.sample):
            graph.park()
        theirs = (now_() - empty) / size.sample / 1024
    note = f"rows, indexes, events and audit of {size.sample} runs"
    ours_ = (after - before) / size.sample / 1024
    yield Row("a waiting run after 10 steps, disk", place.db, "KB", ours_, "< 30 KB", None, theirs, note)


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


def told(place: Place, size: Size) -> Iterator[Row]:
    note = f"{AT_ONCE} runs ask at once; noted as sent, the runs' own work included"
    for kind, name in (("email", "mail"), ("webhook", "webhook")):
        with stage(*place.fresh()) as ready:
            times, bare = uvloop.run(channels.handed(ready, AT_ONCE, kind))
        in_ms, floor_ms = [each * MILLI for each in times], p50(bare) * MILLI
        yield Row(f"ask → handed to {name}, p50", place.db, "ms", p50(in_ms), "", floor_ms, note=note)
        yield Row(f"ask → handed to {name}, p95", place.db, "ms", p95(in_ms), "< 1000 ms", floor_ms)


FIGURES = (
    *(checkpoint, step, long_run, decision, finish, disk),
    *(answers, workers, cold_start, memory, inbox, over_http, told, judging, knowledge),
    *(connected_step, mcp_call),
    workflows,
)
