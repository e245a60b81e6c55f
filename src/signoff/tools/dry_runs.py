"""What the other side says that calls would do, in its own words. It is for whoever decides, and no part of what is
decided: words that are other ones each time would void every approval."""

import asyncio
import logging
import time
from collections.abc import Iterable
from copy import deepcopy

from signoff.kit.jsons import JsonObject, clean_text
from signoff.tools.effects import DryRunFunction
from signoff.tools.registry import ToolContext, ToolFailed

log = logging.getLogger(__name__)
# Of one call, and of all that are decided together: somebody waits for it.
SECONDS, SECONDS_IN_ALL = 4.0, 8.0
LONGEST, LONGEST_REASON = 4_000, 300
TOO_LATE = "It did not answer in time."


async def make_dry_runs(calls: Iterable[tuple[DryRunFunction, ToolContext, JsonObject]]) -> list[JsonObject]:
    """Of several calls, one after the other, within a bounded time for all of them."""
    end = time.monotonic() + SECONDS_IN_ALL
    return [await make_dry_run(*each, min(SECONDS, end - time.monotonic())) for each in calls]


async def make_dry_run(
    dry_run: DryRunFunction, context: ToolContext, arguments: JsonObject, seconds: float = SECONDS
) -> JsonObject:
    """As it stands on an ask: {text}, or {why} there is none. Never an error, and never late."""
    try:
        if seconds <= 0:
            raise TimeoutError
        async with asyncio.timeout(seconds):
            said = clean_text(await dry_run(context, deepcopy(arguments), seconds)).strip()
    except ToolFailed as error:
        return {"why": _cut(clean_text(str(error)), LONGEST_REASON)}
    except TimeoutError:
        return {"why": TOO_LATE}
    except Exception as error:  # noqa: BLE001 - whatever the other side does
        log.warning("a dry run failed: %r", error)
        return {"why": "It failed."}
    return {"text": _cut(said, LONGEST)} if said else {"why": "It said nothing."}


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
