"""Tools that reach people and the web."""

from typing import Any

from signoff.kit.jsons import clean_text
from signoff.notifications.actions import notify
from signoff.tools.registry import Tool, ToolContext, ToolFailed, tool

MAX_DOWNLOAD = 5 * 1024 * 1024
MAX_MESSAGE = 20_000


async def web_fetch(context: ToolContext, url: str) -> Any:
    """Fetch a page from the public web, as markdown."""
    # The library checks every address and redirect (no private ones) and connects to what it checked.
    from pydantic_ai.common_tools.web_fetch import WebFetchLocalTool
    from pydantic_ai.exceptions import ModelRetry

    fetch = WebFetchLocalTool(
        max_content_length=50_000,
        allow_local_urls=context.settings.allow_private_addresses,
        timeout=30,
        max_download_bytes=MAX_DOWNLOAD,
    )
    try:
        page = await fetch(url)
    except (ModelRetry, ValueError) as error:
        raise ToolFailed(f"{url} could not be fetched: {error}") from error
    if not isinstance(page, dict):
        raise ToolFailed(f"{url} is {page.media_type}, not text.")
    return {name: clean_text(value) if isinstance(value, str) else value for name, value in page.items()}


def send_message(context: ToolContext, channel: str, text: str) -> str:
    """Send a message to the people of the workspace, into a channel such as #sales."""
    if not text.strip() or len(text) > MAX_MESSAGE:
        raise ToolFailed(f"A message has 1 to {MAX_MESSAGE} characters.")
    said, where, sender = clean_text(text), clean_text(channel)[:200], f"agent:{context.agent}"
    context.db.write(lambda s: notify(s, context.workspace_id, context.run_id, where, sender, said))
    return f"Sent to {channel}."


OUTSIDE: list[Tool] = [
    tool(operation_type="read", risk="low", idempotent=True, title="Fetch {url}", source="builtin")(web_fetch),
    tool(operation_type="send_message", risk="high", title="Send a message to {channel}", source="builtin")(
        send_message
    ),
]
