"""Workflows: a chain of ten steps, alone and fifty at once, next to peers; and a large value between two steps."""

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import uvloop
from sqlalchemy import text

from bench import chain_at_langgraph, peers
from bench.chains import AGENT, LARGE, STEPS, Chains, chains, workflow_stage
from bench.measure import MILLI, Size, p50, p95, statements
from bench.stage import Place, Stage, stage
from bench.table import Row

CHAINS = 50
GOAL = "< 10 ms"
# Prefect wants another FastAPI than ours, so it has an environment of its own.
PREFECT = Path(__file__).parents[1] / ".venv-prefect" / "bin" / "python"


@dataclass
class Measured:
    """One kind of step: a chain alone, several times; many at once; what a transition costs in statements."""

    alone: list[float]
    many: Chains
    sent: float
    commits: float


async def measure(ready: Stage, size: Size) -> tuple[dict[str, Measured], dict[str, list[float]]]:
    """Both kinds of steps, and a large value from one step to the next: to one that comes later, where nothing but
    the value is in the way, and to the one right behind the reply that made it, whose memory is freed meanwhile."""
    found = dict[str, Measured]()
    async with ready.at_work():
        for slug in ("tools", AGENT):
            await chains(ready, slug, 1)
            with statements(ready.parts.db) as counted:
                await chains(ready, slug, 1, every=2)
            alone = [each for _ in range(size.long_runs) for each in (await chains(ready, slug, 1)).transitions]
            many = await chains(ready, slug, CHAINS)
            found[slug] = Measured(alone, many, counted.sent / STEPS, counted.commits / STEPS)
        large = dict[str, list[float]]()
        for slug in ("later", "large"):
            times = [(await chains(ready, slug, 1)).transitions[-1] for _ in range(size.starts + 1)]
            # The first one only warms up.
            large[slug] = times[1:]
    return found, large


def workflows(place: Place, size: Size) -> Iterator[Row]:
    """A chain of ten steps next to the same in LangGraph and, if it is set up, in Prefect."""
    with workflow_stage(place) as ready:
        found, large = uvloop.run(measure(ready, size))
    with peers.saver(place) as (peer, _, _):
        chain_at_langgraph.chains(peer, STEPS, 1, 1)
        theirs, _ = chain_at_langgraph.chains(peer, STEPS, size.long_runs, 1)
        together, took = chain_at_langgraph.chains(peer, STEPS, CHAINS, CHAINS if place.server else 1)
    db, every = place.db, STEPS * CHAINS
    for slug, note in (("tools", "a tool without a model"), (AGENT, "an agent whose model answers at once")):
        each = found[slug]
        cost = f"{note}; {each.sent:.0f} statements, {each.commits:.1f} commits from step to step"
        yield Row(f"workflow: next step begins, {slug}, p50", db, "ms", p50(each.alone), GOAL, None, p50(theirs), cost)
        yield Row(f"workflow: next step begins, {slug}, p95", db, "ms", p95(each.alone), "", None, p95(theirs))
        what = f"  {CHAINS} chains at once, {slug}"
        note = f"all of it / {every} steps"
        yield Row(f"{what}: a step", db, "ms", each.many.took / every, GOAL, None, took / every, note)
        note = "from one step to the next, the waiting for a core included"
        yield Row(f"{what}, p50", db, "ms", p50(each.many.transitions), "", None, p50(together), note)
        yield Row(f"{what}, p95", db, "ms", p95(each.many.transitions), "", None, p95(together))
    write = p50(large_writes(place, size))
    for slug, what in (("later", "10 MB from step to step"), ("large", "  right behind the reply that made it")):
        note = f"{p50(large[slug]):.0f} ms from step to step less {write:.0f} ms, the same write alone"
        yield Row(f"{what}, beyond its write", db, "ms", p50(large[slug]) - write, "< 50 ms", note=note)
    if not place.server and PREFECT.exists():
        times = prefect_times(size)
        yield Row("workflow: next step begins, at Prefect, p50", "its own", "ms", None, "", None, p50(times))


def large_writes(place: Place, size: Size) -> list[float]:
    """One row of that size, committed, by the product's own way to the database."""
    kind, times = "json" if place.server else "text", list[float]()
    given = {"value": f'{{"much":{LARGE}}}'}
    with stage(*place.fresh()) as ready:
        db = ready.parts.db
        db.write(lambda session: session.execute(text(f"CREATE TABLE large (value {kind})")))
        insert = text(f"INSERT INTO large (value) VALUES (CAST(:value AS {kind}))")
        for _ in range(size.starts + 2):
            begin = time.perf_counter()
            db.write(lambda session: session.execute(insert, given))
            times.append((time.perf_counter() - begin) * MILLI)
    return times[1:]


def prefect_times(size: Size) -> list[float]:
    """From one task to the next, in Prefect's own environment with its own SQLite."""
    script = Path(__file__).with_name("chain_at_prefect.py")
    with tempfile.TemporaryDirectory(prefix="prefect-") as folder:
        around = {
            **os.environ,
            "PREFECT_HOME": folder,
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            # A busy machine starts it slowly.
            "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",
        }
        command = [PREFECT, "-P", script, str(STEPS), str(size.starts)]
        # It says the times before it stops its server, at which it may fail.
        done = subprocess.run(command, env=around, capture_output=True, text=True, check=False)
    line = next((each for each in done.stdout.splitlines() if each.startswith("TIMES ")), None)
    if line is None:
        raise RuntimeError(f"Prefect gave no times: {done.stderr[-2000:]}")
    return [(after - before) * MILLI for begun in json.loads(line[6:]) for before, after in pairwise(begun)]
