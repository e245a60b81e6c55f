"""Pages as a browser shows them: their text, or a picture of them."""

import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from signoff.kit.jsons import JsonObject, clean_text
from signoff.kit.settings import Settings
from signoff.policy.impact import Impact
from signoff.sandbox.run import Answer, SandboxFailed, run
from signoff.tools.builtin.file_previews import unknown_content
from signoff.tools.builtin.file_undo import undo_file
from signoff.tools.builtin.run_folder import place_for, write_whole, writing
from signoff.tools.builtin.web.answer import UNTRUSTED
from signoff.tools.builtin.web.proxy import GuardedProxy
from signoff.tools.builtin.web.request import checked_url, page_sends, reading_page
from signoff.tools.effects import Preview, UndoCall
from signoff.tools.egress import host_of
from signoff.tools.registry import Tool, ToolContext, ToolFailed, tool
from signoff.tools.threads import in_thread

SECONDS = 75.0
LONGEST_TEXT = 50_000
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome")
NO_PACKAGE = "Browsing needs a package that is not installed: pip install 'signoff[browser]', then restart the server."
NO_CHROMIUM = "Browsing needs Chromium: install it (apt-get install chromium), or set SIGNOFF_CHROMIUM to where it is."
Selector = Annotated[str, Field(min_length=1, max_length=500)]


async def browse_page(context: ToolContext, url: str, wait_for: Selector | None = None) -> JsonObject:
    """Open a page of the public web in a browser, with its scripts, and read its text as markdown.

    Slower than web_fetch: for pages that are empty without scripts. `wait_for` is a CSS selector to wait for.
    """
    answer = await _opened(context, url, wait_for=wait_for)
    title, text = await in_thread(_markdown, answer.content)
    return {
        **answer.said,
        "title": clean_text(str(answer.said["title"]) or title),
        "content": text[:LONGEST_TEXT],
        "cut": len(text) > LONGEST_TEXT,
        "about": UNTRUSTED,
    }


async def screenshot_page(
    context: ToolContext, url: str, path: str, full_page: bool = False, wait_for: Selector | None = None
) -> JsonObject:
    """Open a page of the public web in a browser and save a picture of it (PNG) in the run's folder.

    `full_page` takes all of it instead of the first screen. `wait_for` is a CSS selector to wait for.
    """
    place = place_for(context.folder, path, ".png")
    answer = await _opened(context, url, wait_for=wait_for, picture=True, full_page=full_page)
    await in_thread(write_whole, context, place, answer.content, keeps=True)
    title = clean_text(str(answer.said["title"]))
    return {**answer.said, "title": title, "path": path, "size_bytes": len(answer.content)}


def missing(settings: Settings) -> str | None:
    if not find_spec("playwright"):
        return NO_PACKAGE
    return None if _chromium(settings) else NO_CHROMIUM


def _chromium(settings: Settings) -> str | None:
    if settings.chromium is not None:
        return str(settings.chromium) if settings.chromium.exists() else None
    return next((found for each in CHROMIUMS if (found := shutil.which(each))), None)


async def _opened(
    context: ToolContext, url: str, *, wait_for: str | None, picture: bool = False, full_page: bool = False
) -> Answer:
    settings, where = context.settings, checked_url(url)
    if why := missing(settings):
        raise ToolFailed(why)
    if not context.reach.allows(host_of(where)):
        raise ToolFailed(f"{host_of(where)} is not among the hosts that this agent may reach.")
    request = {"url": where, "wait_for": wait_for, "picture": picture, "full_page": full_page}
    proxy = GuardedProxy(context.reach.allows, settings.allow_private_addresses)
    home = await in_thread(tempfile.mkdtemp, prefix="signoff-browser-")
    try:
        async with proxy:
            request |= {"chromium": _chromium(settings), "proxy": proxy.for_browser}
            answer = await run("browse", request, seconds=SECONDS, home=home)
    except SandboxFailed as error:
        raise ToolFailed(f"{url} could not be shown: {error} {' '.join(proxy.refusals)}".strip()) from error
    finally:
        await in_thread(shutil.rmtree, home, ignore_errors=True)
    if not answer.said["url"].startswith(("http:", "https:")) or _is_refused(answer, proxy):
        raise ToolFailed(f"{url} could not be shown: {' '.join(proxy.refusals) or 'it leads to no page.'}")
    return answer


def _is_refused(answer: Answer, proxy: GuardedProxy) -> bool:
    """Whether the page itself did not pass; parts of it may be missing."""
    return (
        answer.said["status"] == 403
        and bool(proxy.refusals)
        and any(host_of(answer.said["url"]) in why for why in proxy.refusals)
    )


def _markdown(html: bytes) -> tuple[str, str]:
    """The title and the text, in a time that grows with the page and no faster."""
    from pydantic_ai.common_tools.web_fetch import _convert_html  # pyright: ignore[reportPrivateUsage]

    try:
        title, text = _convert_html(html.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        raise ToolFailed(f"The page could not be read as text: {error}") from error
    return title, clean_text(text)


def _capturing(arguments: JsonObject, folder: Path) -> Impact:
    saved, read = writing(str(arguments["path"]), folder), reading_page(arguments, folder)
    return Impact((*saved.kinds, *read.kinds), read.text) if read.kinds else saved


def _would_capture(context: ToolContext, arguments: JsonObject) -> Preview:
    path = arguments["path"]
    return unknown_content(path, place_for(context.folder, path, ".png"), Page=checked_url(arguments["url"]))


def _undo_capture(context: ToolContext, arguments: JsonObject, _result: Any) -> UndoCall:
    return undo_file(context, arguments["path"])


PAGES: list[Tool] = [
    tool(
        operation_type="read",
        risk="low",
        idempotent=True,
        source="builtin",
        title="Open {url}",
        sends=page_sends,
        impact=reading_page,
        missing=missing,
    )(browse_page),
    tool(
        operation_type="screenshot",
        idempotent=True,
        source="builtin",
        title="Take a picture of {url}",
        sends=page_sends,
        impact=_capturing,
        preview=_would_capture,
        undo=_undo_capture,
        missing=missing,
    )(screenshot_page),
]
