"""What calls would do, stated by their tools before a transaction opens: a slow tool must not keep the database."""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import asynccontextmanager
from typing import Any, cast

from signoff.engine.calls.plan import PROPOSE
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.engine.model.reply import ModelReply
from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.runs.models import Call
from signoff.tools.impact_statements import ImpactFunction, Statements
from signoff.tools.registry import EXTRAS

# The name of a tool and what it is called with, as far as that can be told.
Wanted = tuple[Any, Any]


@asynccontextmanager
async def impacts_stated(engine: EngineContext, claimed: ClaimedRun, wanted: Iterable[Wanted]) -> AsyncGenerator[None]:
    """While this is open, these calls are judged by what their tools have just stated."""
    to_judge = list(_to_state(engine, claimed, wanted))
    if to_judge:
        claimed.statements = Statements(engine.settings.runs_folder / claimed.run.id)
        await asyncio.to_thread(claimed.statements.prepare, to_judge)
    try:
        yield
    finally:
        # What a tool stated of a folder is true for a moment only.
        claimed.statements = None


def calls_in(reply: ModelReply) -> Iterator[Wanted]:
    """What the model wants now, and the steps that it plans."""
    for each in reply.calls:
        if not isinstance(each.arguments, dict):
            continue
        yield each.tool, {name: value for name, value in each.arguments.items() if name not in EXTRAS}
        steps = each.arguments.get("steps") if each.tool == PROPOSE else None
        for step in cast("list[Any]", steps) if isinstance(steps, list) else ():
            if isinstance(step, dict):
                given = cast("JsonObject", step)
                yield given.get("tool"), given.get("arguments") or {}


def calls_to_start(claimed: ClaimedRun, ready: Iterable[Call]) -> Iterator[Wanted]:
    """What may start next: it is approved, or its answer has just come, perhaps with other arguments."""
    yield from ((call.tool, call.arguments) for call in ready)
    for call in claimed.unfinished:
        ask = claimed.settled.get(call.ask_id or "")
        if ask is not None:
            edited: JsonObject | None = (ask.answer or {}).get("arguments")
            if edited is not None and ask.call_ids:
                edited = edited["calls"][ask.call_ids.index(call.id)]
            yield call.tool, call.arguments if edited is None else edited


def _to_state(
    engine: EngineContext, claimed: ClaimedRun, wanted: Iterable[Wanted]
) -> Iterator[tuple[ImpactFunction, JsonObject]]:
    """Only what will be judged: no tool hears of arguments that are refused for size or shape."""
    functions = {tool.name: (tool, tool.impact) for tool in claimed.tools if callable(tool.impact)}
    for name, arguments in wanted if functions else ():
        found = functions.get(name) if isinstance(name, str) else None
        if found is None or not isinstance(arguments, dict):
            continue
        given = cast("JsonObject", arguments)
        if len(jsons.dumps(given)) <= engine.settings.max_arguments_bytes and not found[0].check(given):
            yield found[1], given
