"""Bounds on what comes in: size before anything is read, depth and constants of JSON before anything is parsed."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from signoff.api.problems import problem
from signoff.kit import jsons
from signoff.kit.errors import Invalid, NotFound, SignoffError, TooLarge, Unauthorized
from signoff.workspaces.access import COOKIE

OPEN = ("/api/auth/sign-in", "/api/auth/sign-out")


class BodyLimits:
    """Pure ASGI, so that streams pass by untouched."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app = app
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if "\x00" in scope["path"]:
            await problem(NotFound("There is nothing at this address."))(scope, receive, send)
            return
        if b"%00" in scope["query_string"]:
            await problem(Invalid("A query cannot contain NUL."))(scope, receive, send)
            return
        if scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self._app(scope, receive, send)
            return
        try:
            _refuse_strangers(scope)
            body = _checked(scope, await self._read(scope, receive))
        except SignoffError as error:
            await problem(error, {"Connection": "close"})(scope, receive, send)
            return
        await self._app(scope, _replaying(body, receive), send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes:
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if declared.isdigit() and int(declared) > self._most:
            raise self._too_large()
        chunks, size = list[bytes](), 0
        while True:
            message = await receive()
            chunk = message.get("body", b"")
            size += len(chunk)
            if size > self._most:
                raise self._too_large()
            chunks.append(chunk)
            if message["type"] == "http.disconnect" or not message.get("more_body"):
                return b"".join(chunks)

    def _too_large(self) -> TooLarge:
        return TooLarge(f"A request has at most {self._most // (1024 * 1024)} MB.")


def _refuse_strangers(scope: Scope) -> None:
    """Who shows nothing at all is told so before their body is looked at."""
    headers = dict(scope["headers"])
    shown = b"authorization" in headers or COOKIE.encode() in headers.get(b"cookie", b"")
    if scope["path"].startswith("/api/") and not scope["path"].startswith(OPEN) and not shown:
        raise Unauthorized("Send a token as `Authorization: Bearer …`, or sign in.")


def _checked(scope: Scope, body: bytes) -> bytes:
    """JSON that nests too deep or holds NaN is refused before any model sees it; half characters are mended."""
    kind = dict(scope["headers"]).get(b"content-type", b"")
    if not body or b"json" not in kind:
        return body
    try:
        value = jsons.loads(body)
    except (jsons.BadJson, UnicodeDecodeError) as error:
        raise Invalid(f"The body is not valid JSON: {error}") from None
    # An escaped half character is the one thing that parsing mends: hand on what was mended.
    return jsons.dumps(value).encode() if b"\\u" in body else body


def _replaying(body: bytes, receive: Receive) -> Receive:
    """Hand the body on, once; then whatever else comes (a disconnect)."""
    told = False

    async def replay() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
