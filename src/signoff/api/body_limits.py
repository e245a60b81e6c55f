"""Bounds on what comes in: size before anything is read, and one parser for every body before any model sees it."""

import asyncio
import re
from contextlib import suppress
from typing import cast

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from signoff.api.error_responses import problem
from signoff.files.quota import shown_size
from signoff.kit import jsons
from signoff.kit.errors import Invalid, NotFound, SignoffError, TooLarge, Unauthorized, UnsupportedMedia
from signoff.kit.jsons import JsonObject
from signoff.workspaces.access import COOKIE, MULTIPART, OPEN, require_somebody
from signoff.workspaces.origin import require_more_than_a_form

JSON = "application/json"
# The routes whose files pass by piece by piece.
FILES = re.compile(r"/api/documents|/api/files|/api/runs/[^/]+/files")
# What takes longer to parse than others should wait for.
LARGE = 256 * 1024
# What anybody may send, known or not: a sign-in is short.
AUTH, MOST_BY_STRANGERS = "/api/auth/", 16 * 1024
# Answers by link and what other services send: whoever sends them shows who they are in the body or by its signature.
FROM_OUTSIDE, MOST_FROM_OUTSIDE = ("/a/", "/hooks/"), 2 * 1024**2
# Every value costs memory, and time that others wait for; a value that no model knows costs ten times as much.
MOST_VALUES, MOST_FIELDS = 200_000, 200


class BodyLimits:
    """Pure ASGI, so that streams pass by untouched."""

    def __init__(self, app: ASGIApp, most: int, most_files: int) -> None:
        self._app = app
        self._most = most
        self._most_files = most_files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if "\x00" in scope["path"]:
            await problem(NotFound("Nothing here. Check the address."))(scope, receive, send)
            return
        if b"%00" in scope["query_string"]:
            await problem(Invalid("A query cannot contain NUL."))(scope, receive, send)
            return
        if scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self._app(scope, receive, send)
            return
        if _brings_files(scope):
            await self._stream_files(scope, receive, send)
            return
        try:
            _refuse_strangers(scope)
            body = await self._read(scope, receive)
            scope, body = await _checked(scope, body)
        except SignoffError as error:
            refusal = await _refusal(scope, error)
            await problem(refusal, {"Connection": "close"})(scope, receive, send)
            return
        await self._app(scope, _replaying(body, receive), send)

    async def _stream_files(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Known people's files pass by piece by piece, counted."""
        try:
            _refuse_strangers(scope)
            await require_somebody(HTTPConnection(scope))
            declared = Headers(scope=scope).get("content-length", "0")
            if declared.isdigit() and int(declared[:20]) > self._most_files:
                raise _too_much(self._most_files)
        except SignoffError as error:
            await problem(error, {"Connection": "close"})(scope, receive, send)
            return
        whole, size = False, 0

        async def counted() -> Message:
            nonlocal whole, size
            message = await receive()
            size += len(message.get("body", b""))
            if size > self._most_files:
                raise _too_much(self._most_files)
            whole = whole or not message.get("more_body")
            return message

        async def answering(message: Message) -> None:
            if message["type"] == "http.response.start" and not whole:
                # What is left of the body would be read as the next request.
                message = {**message, "headers": [*message["headers"], (b"connection", b"close")]}
            await send(message)

        # Who goes away in the middle has changed their mind; what came is gone already.
        with suppress(ClientDisconnect):
            await self._app(scope, counted, answering)

    async def _read(self, scope: Scope, receive: Receive) -> bytes:
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        outside = scope["path"].startswith(FROM_OUTSIDE)
        most = MOST_BY_STRANGERS if scope["path"].startswith(AUTH) else self._most
        most = min(most, MOST_FROM_OUTSIDE) if outside else most
        if declared.isdigit() and int(declared[:20]) > most:
            raise _too_large(most)
        chunks, size, known = list[bytes](), 0, False
        while True:
            message = await receive()
            chunk = message.get("body", b"")
            size += len(chunk)
            if size > most:
                raise _too_large(most)
            if size > MOST_BY_STRANGERS and not known and not outside:
                await require_somebody(HTTPConnection(scope))
                known = True
            chunks.append(chunk)
            if message["type"] == "http.disconnect" or not message.get("more_body"):
                return b"".join(chunks)


def _brings_files(scope: Scope) -> bool:
    """Whether a route that takes files was sent some; anything else there is refused as everywhere."""
    if scope["method"] != "POST" or not FILES.fullmatch(scope["path"]):
        return False
    declared = Headers(scope=scope).getlist("content-type")
    return len(declared) == 1 and declared[0].lower().startswith(MULTIPART)


def _too_much(most: int) -> TooLarge:
    """Said before any of it is read, so without names."""
    return TooLarge(f"The files of one request can have at most {shown_size(most)} together (max_folder_bytes).")


def _too_large(most: int) -> TooLarge:
    return TooLarge(
        f"A request can have at most {f'{most // 1024**2} MB' if most >= 1024**2 else f'{most // 1024} KB'}."
    )


async def _refusal(scope: Scope, error: SignoffError) -> SignoffError:
    """A stranger learns nothing of what a body should look like."""
    if isinstance(error, Invalid | UnsupportedMedia) and not scope["path"].startswith(OPEN):
        try:
            await require_somebody(HTTPConnection(scope))
        except SignoffError as refusal:
            return refusal
    return error


def _refuse_strangers(scope: Scope) -> None:
    """Who shows nothing at all is refused before their body is looked at."""
    headers = dict(scope["headers"])
    shown = b"authorization" in headers or COOKIE.encode() in headers.get(b"cookie", b"")
    if scope["path"].startswith("/api/") and not scope["path"].startswith(OPEN) and not shown:
        raise Unauthorized("Send a token as `Authorization: Bearer …`, or sign in.")


async def _checked(scope: Scope, body: bytes) -> tuple[Scope, bytes]:
    """JSON, however its header is spelled; anything else is refused where JSON is expected."""
    # What another service has signed is read as it came, byte by byte.
    if not body or scope["path"].startswith("/hooks/"):
        return scope, body
    headers = Headers(scope=scope)
    declared = headers.getlist("content-type")
    if len(declared) > 1:
        raise UnsupportedMedia("Send one Content-Type header.")
    if declared and not _is_json(declared[0]):
        if not scope["path"].startswith("/api/"):
            return scope, body
        _refuse_type(scope, headers, declared[0])
    text = await asyncio.to_thread(mended, body) if len(body) > LARGE else mended(body)
    return (_as_json(scope) if declared else scope), text


def _is_json(declared: str) -> bool:
    kind = declared.partition(";")[0].strip().lower()
    return kind in (JSON, "text/json") or kind.endswith("+json")


def _refuse_type(scope: Scope, headers: Headers, declared: str) -> None:
    by_cookie = "authorization" not in headers and COOKIE in headers.get("cookie", "")
    if by_cookie or scope["path"].startswith(OPEN):
        # A form of another page: say that, since it is what matters.
        require_more_than_a_form(headers)
    raise UnsupportedMedia(f"Send JSON, with `Content-Type: {JSON}`; {declared[:100]!r} is not supported.")


def _as_json(scope: Scope) -> Scope:
    """The same request with the usual spelling, so that nothing behind reads it as something else."""
    others = [(name, value) for name, value in scope["headers"] if name != b"content-type"]
    return {**scope, "headers": [*others, (b"content-type", JSON.encode())]}


def mended(body: bytes) -> bytes:
    """The body as UTF-8, without half characters, and with every key once; or a refusal."""
    try:
        value = jsons.loads(body, once=True, most=MOST_VALUES)
    except jsons.BadJson as error:
        raise Invalid(f"The body is not valid JSON: {error}") from None
    if isinstance(value, dict) and len(cast("JsonObject", value)) > MOST_FIELDS:
        raise Invalid(f"The body has more than {MOST_FIELDS} fields, which is too many.")
    plain = b"\\u" not in body and b"\x00" not in body and not body.startswith(b"\xef\xbb\xbf")
    return body if plain else jsons.dumps(value).encode()


def _replaying(body: bytes, receive: Receive) -> Receive:
    """Hand the body on, once; then whatever else comes (a disconnect)."""
    handed_on = False

    async def replay() -> Message:
        nonlocal handed_on
        if handed_on:
            return await receive()
        handed_on = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
