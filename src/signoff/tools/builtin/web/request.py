"""A request as an agent gives it, checked: what goes out is exactly this, and an approver sees the same."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from signoff.kit.jsons import JsonObject, clean_text, dumps
from signoff.policy.impact import Impact, ImpactKind
from signoff.tools.effects import Preview
from signoff.tools.egress import Reach, carries, host_of
from signoff.tools.registry import ToolFailed

READING = frozenset({"GET", "HEAD"})
METHODS = READING | {"POST", "PUT", "PATCH", "DELETE"}
LONGEST_URL = 4_000
LONGEST_HEADER = 2_000
MOST_HEADERS = 30
MOST_BODY = 1024 * 1024
LONGEST_PREVIEW = 20_000
_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_VALUE = re.compile(r"[\x20-\x7e\t]*")
# They are about the connection, which is not the agent's.
_OURS = frozenset(
    {"host", "content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "te", "trailer", "expect"}
)
# What a reader says about how to read, in few words.
_PLAIN = frozenset({"accept", "accept-language", "if-none-match", "if-modified-since", "range"})
LONGEST_PLAIN = 100


@dataclass(frozen=True)
class HttpRequest:
    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes

    @property
    def reads(self) -> bool:
        return self.method in READING

    @property
    def host(self) -> str:
        return host_of(self.url)

    @property
    def path(self) -> str:
        parts = urlsplit(self.url)
        return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def checked(arguments: JsonObject, idempotency_key: str = "") -> HttpRequest:
    """The request of these arguments. Raises ToolFailed for one that cannot be sent."""
    method = str(arguments["method"]).upper()
    if method not in METHODS:
        raise ToolFailed(f"The method has to be one of {', '.join(sorted(METHODS))}.")
    url = checked_url(str(arguments["url"]))
    headers = _checked_headers(arguments.get("headers") or {})
    content = _content(arguments, headers)
    if method in READING and content:
        raise ToolFailed(f"A {method} request has no body.")
    if idempotency_key and method not in READING:
        headers.setdefault("idempotency-key", idempotency_key)
    return HttpRequest(method, url, headers, content)


def shown(request: HttpRequest) -> Preview:
    """What an approver sees of it."""
    body = clean_text(request.content.decode("utf-8", "replace"))
    size = f", {len(request.content):,} bytes" if request.content else ""
    return Preview(
        "request",
        f"{request.method} {request.host}{request.path[:200]}{size}",
        {
            "method": request.method,
            "host": request.host,
            "path": request.path,
            "headers": dict(request.headers),
            "body": body[:LONGEST_PREVIEW],
            "body_bytes": len(request.content),
            "body_cut": len(body) > LONGEST_PREVIEW,
        },
    )


def carries_text(arguments: JsonObject) -> bool:
    """Whether a request that reads has room for more than the name of what it reads."""
    headers: dict[str, Any] = arguments.get("headers") or {}
    return carries(str(arguments.get("url", ""))) or not all(
        str(name).lower() in _PLAIN and len(str(value)) <= LONGEST_PLAIN for name, value in headers.items()
    )


def page_sends(arguments: JsonObject, reach: Reach) -> str | None:
    """Why reading a page sends something out; None: it only reads."""
    return reach.sends(str(arguments.get("url", "")))


def reading_page(arguments: JsonObject, _folder: Path) -> Impact:
    """What it does to read a page: its address may carry text to whoever gets it."""
    url = str(arguments["url"])
    if carries(url):
        return Impact((ImpactKind.LEAVES_HOUSE,), f"Carries text to {host_of(url) or 'a host'}")
    return Impact((), "Only reads")


def checked_url(given: str) -> str:
    """The address, if it is one of the web."""
    url = given.strip()
    try:
        parts = urlsplit(url)
        if parts.scheme.lower() not in ("http", "https") or not parts.hostname or parts.port == 0:
            raise ValueError("it has to begin with http:// or https:// and name a host")
    except ValueError as error:
        raise ToolFailed(f"{given[:200]!r} is no address: {error}.") from error
    if "@" in parts.netloc:
        raise ToolFailed("Credentials do not belong in an address. Give them as a header.")
    if len(url) > LONGEST_URL or not url.isprintable() or " " in url:
        raise ToolFailed(f"An address has at most {LONGEST_URL} characters, without spaces or control characters.")
    return url


def _checked_headers(given: Mapping[str, Any]) -> dict[str, str]:
    if len(given) > MOST_HEADERS:
        raise ToolFailed(f"A request has at most {MOST_HEADERS} headers.")
    headers = dict[str, str]()
    for name, value in given.items():
        if not _NAME.fullmatch(name) or not _VALUE.fullmatch(str(value)) or len(str(value)) > LONGEST_HEADER:
            raise ToolFailed(f"The header {name[:100]!r} cannot be sent: letters, digits and signs in one line only.")
        if name.lower() in _OURS or name.lower().startswith("proxy-"):
            raise ToolFailed(f"The header {name} is about the connection and cannot be given.")
        headers[name.lower()] = str(value)
    return headers


def _content(arguments: JsonObject, headers: dict[str, str]) -> bytes:
    body, given = arguments.get("body"), arguments.get("json")
    if body is not None and given is not None:
        raise ToolFailed("Give either body or json, not both.")
    if given is not None:
        headers.setdefault("content-type", "application/json")
    content = dumps(given).encode() if given is not None else str(body or "").encode("utf-8", "replace")
    if len(content) > MOST_BODY:
        raise ToolFailed(f"A body has at most {MOST_BODY // 1024} KB.")
    return content
