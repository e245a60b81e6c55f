"""A page of the public web, read as text."""

import re
from dataclasses import dataclass
from typing import Any

from signoff.kit.jsons import clean_text
from signoff.tools.builtin.web.answer import UNTRUSTED
from signoff.tools.builtin.web.request import page_sends, reading_page
from signoff.tools.egress import carries, host_of, same_site
from signoff.tools.registry import Tool, ToolContext, ToolFailed, tool

MAX_DOWNLOAD = 5 * 1024 * 1024
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
            said = {name: clean_text(value) if isinstance(value, str) else value for name, value in page.items()}
            return {**said, "about": UNTRUSTED}
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


FETCHED: list[Tool] = [
    tool(
        operation_type="read",
        risk="low",
        idempotent=True,
        title="Fetch {url}",
        source="builtin",
        sends=page_sends,
        impact=reading_page,
    )(web_fetch)
]
