"""Requests of an agent to the web, each seen before it changes anything there."""

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import urljoin, urlsplit

from pydantic import Field

from signoff.kit.jsons import JsonObject
from signoff.kit.network.http import CUT, RequestFailed, exchange
from signoff.policy.impact import Impact, ImpactKind
from signoff.tools.builtin.file_previews import unknown_content
from signoff.tools.builtin.file_undo import undo_file
from signoff.tools.builtin.run_folder import place_for, write_whole, writing
from signoff.tools.builtin.web.answer import MOST_READ, as_text, shown_headers, unpacked
from signoff.tools.builtin.web.request import HttpRequest, carries_text, checked, shown
from signoff.tools.effects import CannotUndo, NoPreview, Preview, UndoCall
from signoff.tools.egress import Reach, host_of
from signoff.tools.registry import Tool, ToolContext, ToolFailed, tool

if TYPE_CHECKING:
    import httpx

MAX_HOPS = 5
FOLLOWED_SECONDS = 60.0
AGENT = {"user-agent": "Signoff"}
READS = Impact((), "Only reads")
Method = Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]


def http_request(
    context: ToolContext,
    method: Method,
    url: str,
    headers: dict[str, str] | None = None,
    body: str | None = None,
    json: Any = None,
    save_as: Annotated[str, Field(min_length=1, max_length=300)] | None = None,
) -> JsonObject:
    """Make one HTTP request to the public web: `body` is sent as it is, `json` as JSON.

    Redirects are followed for GET and HEAD on the same host only. `save_as` keeps the answer as a file in the run's
    folder, which is the way to get what is no text.
    """
    given: JsonObject = {"method": method, "url": url, "headers": headers, "body": body, "json": json}
    request = checked(given, context.idempotency_key)
    place = place_for(context.folder, save_as) if save_as is not None else None
    if not context.reach.allows(request.host):
        raise ToolFailed(f"{request.host} is not among the hosts that this agent may reach.")
    response, where = _answered(context, request)
    content, is_cut = unpacked(response), bool(response.extensions[CUT])
    found: JsonObject = {
        "status": response.status_code,
        "url": where,
        "headers": shown_headers(response),
        "size_bytes": len(content),
    }
    if response.is_redirect:
        found["note"] = "This leads elsewhere and was not followed. Request that address if you want to go there."
    if place is None:
        return found | as_text(response, content, is_cut, "Give save_as to keep it as a file.")
    return found | _kept(context, place, str(save_as), content, is_cut)


def _answered(context: ToolContext, request: HttpRequest) -> tuple["httpx.Response", str]:
    url, ends = request.url, time.monotonic() + FOLLOWED_SECONDS
    for _ in range(MAX_HOPS):
        response = _exchanged(context, request, url)
        to = urljoin(url, response.headers.get("location", ""))
        if not (request.reads and response.is_redirect and _same_place(url, to)) or time.monotonic() > ends:
            return response, url
        url = to
    raise ToolFailed(f"{request.url} leads in circles.")


def _exchanged(context: ToolContext, request: HttpRequest, url: str) -> "httpx.Response":
    try:
        return exchange(
            url,
            method=request.method,
            content=request.content,
            headers=AGENT | dict(request.headers),
            reaches_private=context.settings.allow_private_addresses,
            most_read=MOST_READ,
        )
    except RequestFailed as error:
        # Whether a request took effect that broke off on its way, a person finds out.
        if error.sent and not request.reads:
            raise
        raise ToolFailed(f"{request.method} {url} failed: {error}") from error


def _same_place(one: str, other: str) -> bool:
    """Whether a redirect stays with the host that was judged; from http to https is no other place."""
    try:
        here, there = urlsplit(one), urlsplit(other)
        ports = (here.port, there.port)
    except ValueError:
        return False
    upgrades = (here.scheme, there.scheme) == ("http", "https") and ports == (None, None)
    return host_of(one) == host_of(other) and (upgrades or (here.scheme, ports[0]) == (there.scheme, ports[1]))


def _kept(context: ToolContext, place: Path, path: str, content: bytes, is_cut: bool) -> JsonObject:
    """The request was made, so whatever hinders keeping its answer is said beside it."""
    if is_cut:
        return {"note": f"The answer is longer than {MOST_READ // 1024 // 1024} MB and was not saved."}
    try:
        write_whole(context, place, content, keeps=True)
    except ToolFailed as error:
        return {"note": f"The answer was not saved. {error}"}
    return {"saved_as": path}


def _sends(arguments: JsonObject, reach: Reach) -> str | None:
    method, url = str(arguments.get("method", "")).upper(), str(arguments.get("url", ""))
    host = host_of(url)
    if method not in ("GET", "HEAD"):
        return f"{method or 'This'} may change something at {host or 'a host'}"
    if arguments.get("save_as") is not None:
        return "It writes a file into the run's folder"
    if reach.lists or (host and host in reach.known) or not carries_text(arguments):
        return None
    return f"The request carries text to {host or 'a host'}, which this run has not read from before"


def _impact(arguments: JsonObject, folder: Path) -> Impact:
    request = checked(arguments)
    saved = writing(str(arguments["save_as"]), folder) if arguments.get("save_as") is not None else Impact()
    if not request.reads:
        kinds = (ImpactKind.LEAVES_HOUSE, ImpactKind.CANNOT_BE_UNDONE, *saved.kinds)
        return Impact(kinds, f"Sends a {request.method} request to {request.host}, cannot be undone")
    if carries_text(arguments):
        return Impact((ImpactKind.LEAVES_HOUSE, *saved.kinds), f"Carries text to {request.host}")
    return replace(saved, text=f"{saved.text}, with what {request.host} answers") if saved.kinds else READS


def _preview(context: ToolContext, arguments: JsonObject) -> Preview:
    path: str | None = arguments.get("save_as")
    try:
        # Without the key of the call: it differs each time that the preview is made, and says nothing to people.
        request = shown(checked(arguments))
        file = unknown_content(path, place_for(context.folder, path)) if path is not None else None
    except ToolFailed as error:
        raise NoPreview(str(error)) from error
    if file is None:
        return request
    saves = {"text": file.summary, "before": file.detail["before"]}
    return replace(request, summary=f"{request.summary}. {file.summary}", detail={**request.detail, "saves": saves})


def _undo(context: ToolContext, arguments: JsonObject, result: Any) -> UndoCall:
    if not isinstance(result, dict) or "saved_as" not in result:
        raise CannotUndo("Its answer was not saved, so there is nothing to take back.")
    return undo_file(context, arguments["save_as"])


REQUESTS: list[Tool] = [
    tool(
        # Calls that do more than read are raised by `sends`. One that broke off is never just made again.
        operation_type="external_api_call",
        risk="low",
        source="builtin",
        title="{method} {url}",
        sends=_sends,
        impact=_impact,
        preview=_preview,
        undo=_undo,
    )(http_request)
]
