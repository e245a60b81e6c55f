"""Tools that reach people and the web."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from signoff.kit.jsons import JsonObject, clean_text
from signoff.kit.text.fields import filled
from signoff.notifications.actions import notify
from signoff.policy.impact import Impact, ImpactKind
from signoff.tools.effects import Preview
from signoff.tools.egress import Reach, carries, host_of, same_site
from signoff.tools.registry import Tool, ToolContext, ToolFailed, tool

MAX_DOWNLOAD = 5 * 1024 * 1024
MAX_MESSAGE = 20_000
MAX_HOPS = 5
NOT_EXPECTED = re.compile(r"Domain '([^']+)' is not in the allowed")


async def web_fetch(context: ToolContext, url: str) -> Any:
    """Fetch a page from the public web, as markdown."""
    host, reach = host_of(url), context.reach
    if not reach.allows(host):
        raise ToolFailed(f"{host or url} is not among the hosts that this agent may reach.")
    # Where hosts are listed, or the address carries text, each redirect to another host has to be allowed too.
    hops = [host] if reach.lists or carries(url) else None
    while True:
        page = await _fetched(context, url, hops)
        if not isinstance(page, Elsewhere):
            return {name: clean_text(value) if isinstance(value, str) else value for name, value in page.items()}
        leads_on = reach.allows(page.host) if reach.lists else same_site(host, page.host)
        if hops is None or not leads_on or page.host in hops or len(hops) > MAX_HOPS:
            raise ToolFailed(f"{url} leads to {page.host}, which is not followed. Fetch that address directly.")
        hops.append(page.host)


@dataclass(frozen=True)
class Elsewhere:
    """A redirect to a host that was not expected."""

    host: str


async def _fetched(context: ToolContext, url: str, hops: list[str] | None) -> dict[str, Any] | Elsewhere:
    # The library checks every address and redirect (no private ones) and connects to what it checked.
    from pydantic_ai.common_tools.web_fetch import WebFetchLocalTool
    from pydantic_ai.exceptions import ModelRetry

    fetch = WebFetchLocalTool(
        max_content_length=50_000,
        allow_local_urls=context.settings.allow_private_addresses,
        timeout=30,
        max_download_bytes=MAX_DOWNLOAD,
        allowed_domains=hops,
    )
    try:
        page = await fetch(url)
    except (ModelRetry, ValueError) as error:
        if refused := NOT_EXPECTED.search(str(error)):
            return Elsewhere(host_of(f"//{refused[1]}"))
        raise ToolFailed(f"{url} could not be fetched: {error}") from error
    if not isinstance(page, dict):
        raise ToolFailed(f"{url} is {page.media_type}, not text.")
    return {**page}


def _sends(arguments: JsonObject, reach: Reach) -> str | None:
    return reach.sends(str(arguments.get("url", "")))


def _fetching(arguments: JsonObject, _folder: Path) -> Impact:
    url = str(arguments["url"])
    if carries(url):
        return Impact((ImpactKind.LEAVES_HOUSE,), f"Carries text to {host_of(url) or 'a host'}")
    return Impact((), "Only reads")


def _sending(arguments: JsonObject, _folder: Path) -> Impact:
    kinds = (ImpactKind.REACHES_PEOPLE, ImpactKind.CANNOT_BE_UNDONE)
    return Impact(kinds, filled("Reaches the people in {channel}, cannot be undone", arguments, ""))


def send_message(context: ToolContext, channel: str, text: str) -> str:
    """Send a message to the people of the workspace, into a channel such as #sales."""
    if not text.strip() or len(text) > MAX_MESSAGE:
        raise ToolFailed(f"A message has 1 to {MAX_MESSAGE} characters.")
    said, where, sender = clean_text(text), clean_text(channel)[:200], f"agent:{context.agent}"
    context.db.write(lambda s: notify(s, context.workspace_id, context.run_id, where, sender, said))
    return f"Sent to {channel}."


def _would_send(_context: ToolContext, arguments: JsonObject) -> Preview:
    said, where = clean_text(arguments["text"]), clean_text(arguments["channel"])[:200]
    fields = [{"label": "To", "value": where}, {"label": "Message", "value": said}]
    return Preview(
        "fields", f"Everyone in this workspace reads it in their notices, as a message to {where}", {"fields": fields}
    )


OUTSIDE: list[Tool] = [
    tool(
        operation_type="read",
        risk="low",
        idempotent=True,
        title="Fetch {url}",
        source="builtin",
        sends=_sends,
        impact=_fetching,
    )(web_fetch),
    tool(
        operation_type="send_message",
        risk="high",
        title="Send a message to {channel}",
        source="builtin",
        impact=_sending,
        preview=_would_send,
    )(send_message),
]
