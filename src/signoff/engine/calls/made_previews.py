"""What calls would change, found out before a transaction opens: for what will be asked, and for what was approved."""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import asynccontextmanager
from typing import cast

from sqlalchemy.orm import Session

from signoff.engine.calls.judge import PolicyContext, as_used, judge, signed
from signoff.engine.calls.stated_impacts import Wanted
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.engine.model.reply import ModelReply
from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.policy.evaluate import AskFirst
from signoff.tools.previews import make_previews
from signoff.tools.registry import EXTRAS, Tool

Shown = tuple[Tool, JsonObject]


@asynccontextmanager
async def previews_made(engine: EngineContext, claimed: ClaimedRun, wanted: Iterable[Wanted]) -> AsyncGenerator[None]:
    """While this is open, asks show what these calls would change now, and approvals are compared with it."""
    able = list(_able(engine, claimed, wanted))
    asked = await engine.db.aread(lambda s: _to_show(s, engine, claimed, able)) if able else []
    if asked:
        context = claimed.look_around(engine)
        made = await asyncio.to_thread(make_previews, [(tool, context, given) for tool, given in asked])
        claimed.previews = {
            (tool.name, jsons.digest(given)): shown
            for (tool, given), shown in zip(asked, made, strict=True)
            if shown is not None
        }
    try:
        yield
    finally:
        claimed.previews = {}


def calls_of(reply: ModelReply) -> Iterator[Wanted]:
    """What the model wants now. The steps of a plan depend on those before them, so nothing can be shown of them."""
    for each in reply.calls:
        if isinstance(each.arguments, dict):
            yield each.tool, {name: value for name, value in each.arguments.items() if name not in EXTRAS}


def _able(engine: EngineContext, claimed: ClaimedRun, wanted: Iterable[Wanted]) -> Iterator[Shown]:
    """No tool hears of arguments that are refused for size or shape."""
    tools = {tool.name: tool for tool in claimed.tools if tool.preview is not None}
    for name, arguments in wanted if tools else ():
        tool = tools.get(name) if isinstance(name, str) else None
        if tool is None or not isinstance(arguments, dict):
            continue
        given = cast("JsonObject", arguments)
        if len(jsons.dumps(given)) <= engine.settings.max_arguments_bytes and not tool.check(given):
            yield tool, given


def _to_show(session: Session, engine: EngineContext, claimed: ClaimedRun, able: list[Shown]) -> list[Shown]:
    """What somebody has to see: the rest runs unseen, and its tool is not bothered."""
    context = PolicyContext.of(session, engine, claimed)
    approved = {
        (call.tool, jsons.digest(call.arguments))
        for call in claimed.unfinished
        if call.ask_id and (ask := signed(context, call.ask_id)) is not None and ask.preview is not None
    }

    def is_seen(tool: Tool, given: JsonObject) -> bool:
        if (tool.name, jsons.digest(given)) in approved or claimed.settled:
            return True
        return isinstance(judge(context, as_used(context, tool, given), given, None), AskFirst)

    return [(tool, given) for tool, given in able if is_seen(tool, given)]
