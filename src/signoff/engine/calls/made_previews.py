"""What calls would change, found out before a transaction opens: for what will be asked, and for what was approved."""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import cast

from sqlalchemy.orm import Session

from signoff.claims.pause_all import is_paused
from signoff.connections.queries import granted
from signoff.engine.calls.judge import PolicyContext, as_used, judge, signed, too_early
from signoff.engine.calls.stated_impacts import Wanted
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.engine.model.reply import ModelReply
from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.policy.evaluate import AskFirst
from signoff.tools.dry_runs import make_dry_runs
from signoff.tools.effects import DryRunFunction
from signoff.tools.previews import make_previews
from signoff.tools.registry import EXTRAS, Tool


@dataclass(frozen=True)
class Shown:
    """A call that somebody has to see."""

    tool: Tool
    arguments: JsonObject
    # What its server says to it, for a call that is about to be asked for.
    dry_run: DryRunFunction | None = None

    @property
    def key(self) -> tuple[str, str]:
        return self.tool.name, jsons.digest(self.arguments)


@asynccontextmanager
async def previews_made(engine: EngineContext, claimed: ClaimedRun, wanted: Iterable[Wanted]) -> AsyncGenerator[None]:
    """While this is open, asks show what these calls would change now, and approvals are compared with it."""
    able = list(_able(engine, claimed, wanted))
    asked = await engine.db.aread(lambda s: _to_show(s, engine, claimed, able)) if able else []
    if asked:
        context = claimed.look_around(engine)
        made = await asyncio.to_thread(make_previews, [(each.tool, context, each.arguments) for each in asked])
        shown = {each.key: preview for each, preview in zip(asked, made, strict=True) if preview is not None}
        tried = {each.key: (each.dry_run, context, each.arguments) for each in asked if each.dry_run is not None}
        for key, said in zip(tried, await make_dry_runs(tried.values()), strict=True):
            shown[key]["dry_run"] = said
        claimed.previews = shown
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
            yield Shown(tool, given)


def _to_show(session: Session, engine: EngineContext, claimed: ClaimedRun, able: list[Shown]) -> list[Shown]:
    """What somebody has to see: the rest runs unseen, and its tool is not bothered."""
    context = PolicyContext.of(session, engine, claimed)
    approved = {
        (call.tool, jsons.digest(call.arguments))
        for call in claimed.unfinished
        if call.ask_id and (ask := signed(context, call.ask_id)) is not None and ask.preview is not None
    }

    def is_asked(each: Shown) -> bool:
        used = as_used(context, each.tool, each.arguments)
        return isinstance(judge(context, used, each.arguments, None), AskFirst)

    known = [each for each in able if each.key in approved or claimed.settled]
    asked = [each for each in able if each.key not in approved and not claimed.settled and is_asked(each)]
    return known + _with_dry_runs(session, engine, claimed, asked)


def _with_dry_runs(session: Session, engine: EngineContext, claimed: ClaimedRun, asked: list[Shown]) -> list[Shown]:
    """A dry run is a call as well: only of what the run may use at this moment, as it was reviewed."""
    run, can = claimed.run, any(each.tool.dry_run is not None for each in asked)
    if not can or claimed.stop.is_set() or is_paused(session, run.workspace_id):
        return asked
    usable = engine.connections.of(session, granted(session, run.id))

    def with_dry_run(each: Shown) -> Shown:
        now = usable.get(each.tool.name)
        may = now is not None and each.tool.dry_run is not None and too_early(claimed, each.tool) is None
        return replace(each, dry_run=now.dry_run) if now is not None and may else each

    return [with_dry_run(each) for each in asked]
