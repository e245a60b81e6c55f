"""Connections: what a step costs with a thousand tools connected, and what a call to an MCP server costs."""

import asyncio
import time
from collections.abc import Iterator

import uvloop
from sqlalchemy.orm import Session

from bench import ours
from bench.measure import MILLI, Size, p50, p95
from bench.stage import LIMITS, Place, Stage, stage
from bench.table import Row
from signoff.catalog import actions as catalog
from signoff.catalog.schemas import AgentDefinition
from signoff.connections.actions import create, note_tools
from signoff.connections.schemas import ConnectionIn
from signoff.kit.jsons import JsonObject, digest
from signoff.kit.settings import Settings
from signoff.tools.connections.kinds import KINDS
from signoff.tools.connections.mcp.pool import Pool, WantedCall
from signoff.tools.connections.port import Connected, ListedTool
from tests.mcp_servers import servers

MANY, SLUG = 1_000, "many"
FEW_TOOLS, MANY_TOOLS = 10, "connected"
SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        name: {"type": "string", "description": f"The {name} of what is meant, as it stands in the other system."}
        for name in ("project", "title", "body", "label")
    },
}


def connected_step(place: Place, size: Size) -> Iterator[Row]:
    """The same steps with and without them, in turns."""
    agents: tuple[int | str, ...] = (FEW_TOOLS, MANY_TOOLS)
    steps = {agent: ours.Steps() for agent in agents}
    with stage(*place.fresh()) as ready:
        ready.parts.db.write(lambda session: _connect_many(session, ready))
        for index in range(size.long_runs + 1):
            for agent in agents:
                found = uvloop.run(ours.agent_steps(ready, agent))
                # The first run of each only warms up.
                steps[agent] += found if index else ours.Steps()
    few, many = steps[FEW_TOOLS], steps[MANY_TOOLS]
    computed = p50(many.computed) / p50(few.computed)
    note = f"{p50(few.whole):.3g} ms without; {computed:.2f} x in processor time; the model looks tools up"
    yield Row(f"step with {MANY:,} tools connected", place.db, "ms", p50(many.whole), note=note)


def _connect_many(session: Session, ready: Stage) -> None:
    """Tools as a server listed them; none of them is called, so nobody listens there."""
    settings = {"transport": "http", "url": "http://127.0.0.1:9/mcp"}
    body = ConnectionIn(slug=SLUG, kind="mcp", settings=settings)
    row = create(session, ready.parts.keyring, ready.actor, body, KINDS["mcp"])
    note_tools(session, ready.actor, row.id, [_listed(number) for number in range(MANY)])
    tools = ["list_files", "act", f"{SLUG}__*"]
    definition = AgentDefinition(name="Bench", model=f"bench:{FEW_TOOLS}", tools=tools, limits=LIMITS)
    catalog.create(session, ready.actor, f"bench-{MANY_TOOLS}", definition)


def _listed(number: int) -> ListedTool:
    name, about = f"create_thing_{number}", f"Create thing {number} in the other system, and return what it became."
    return ListedTool(name, name, about, SCHEMA, {}, digest([name, about]))


def mcp_call(place: Place, size: Size) -> Iterator[Row]:
    """A real server as a command on this machine. No database takes part, so one of them is enough."""
    if place.server:
        return
    servers.install()
    first, cold, warm, acting = uvloop.run(_calls(Settings(data=place.fresh()[0]), size))
    note = "npm's server-everything over stdio: its process and ours load what they need"
    yield Row("MCP call, first of this process", "", "ms", first * MILLI, note=note)
    yield Row(
        "MCP call, first of a run", "", "ms", p50(cold) * MILLI, note="a new process of the server, its tools listed"
    )
    yield Row("MCP call, p50", "", "ms", p50(warm) * MILLI, note=f"only reads; p95 {p95(warm) * MILLI:.3g} ms")
    note = f"its tools are listed once more before; p95 {p95(acting) * MILLI:.3g} ms"
    yield Row("  one that acts, p50", "", "ms", p50(acting) * MILLI, note=note)


async def _calls(settings: Settings, size: Size) -> tuple[float, list[float], list[float], list[float]]:
    pool = Pool()
    how = servers.command("everything")
    connection = Connected("bench", "bench", "everything", "Everything", how, dict[str, str])

    async def call(run_id: str, *, idempotent: bool = True) -> float:
        begin = time.perf_counter()
        await pool.call(connection, settings, WantedCall(echo, {"message": "Hello"}, run_id, idempotent))
        return time.perf_counter() - begin

    begin = time.perf_counter()
    echo = next(each for each in await asyncio.to_thread(pool.tools, connection, settings) if each.name == "echo")
    first = time.perf_counter() - begin + await call("")
    cold = [await call(f"run {number}") for number in range(size.starts)]
    warm = [await call("run 0") for _ in range(size.each)]
    acting = [await call("run 0", idempotent=False) for _ in range(size.each)]
    await asyncio.to_thread(pool.close)
    return first, cold, warm, acting
