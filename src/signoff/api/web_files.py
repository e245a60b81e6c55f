"""The built web app: its files, its one page for every path that is not the API's, and its security headers."""

import mimetypes
from pathlib import Path

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Match

from signoff.kit.errors import NotFound

WEB = Path(__file__).resolve().parent.parent / "web"

# What the server itself answers, or will: an unknown path below these is a 404, never the app's page.
SERVER_PATHS = ("api", "healthz", "readyz", "metrics", "docs", "redoc", "openapi.json", "a", "hooks", "mcp")

HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
PAGE_HEADERS = HEADERS | {
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'"
    ),
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Cache-Control": "no-cache",
}
# Names of built assets carry a hash of their content.
FOREVER = "public, max-age=31536000, immutable"
# Ways to compress and what such files end in, the smallest first.
TWINS = {"br": ".br", "gzip": ".gz"}
MISSING = "The web app is not built yet. Run `make web` in the source folder, then load this page again.\n"


def mount_web(app: FastAPI) -> None:
    """Serve the web app on every path that no other route took. Mount it last."""

    others = tuple(app.router.routes)

    @app.api_route("/{path:path}", methods=["POST", "PUT", "PATCH", "DELETE"], include_in_schema=False)
    def nothing(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        """Another verb than the path knows is a 405; a path that nobody knows is a 404."""
        if any(route.matches(request.scope)[0] is Match.PARTIAL for route in others):
            raise HTTPException(405, "Method Not Allowed")
        raise NotFound("Nothing here. Check the address.")

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    def web(path: str, request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        if path.split("/", 1)[0] in SERVER_PATHS:
            raise NotFound("Nothing here. Check the address.")
        if not (WEB / "index.html").is_file():
            return PlainTextResponse(MISSING, 503, HEADERS)
        return _file(path, request) or _page(request)


def _file(path: str, request: Request) -> Response | None:
    """A file of the build, or nothing. A hashed asset that is gone is a 404, not the page."""
    file = (WEB / path).resolve()
    if path and file.is_relative_to(WEB) and file.is_file() and not file.name.startswith("."):
        caching = FOREVER if path.startswith("assets/") else "no-cache"
        return _send(file, request, HEADERS | {"Cache-Control": caching})
    if path.startswith("assets/"):
        raise NotFound("Nothing here. Check the address.")
    return None


def _page(request: Request) -> Response:
    return _send(WEB / "index.html", request, PAGE_HEADERS)


def _send(file: Path, request: Request, headers: dict[str, str]) -> Response:
    """The file, or the smallest of its compressed twins that the browser takes."""
    media_type = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    twins = {way: file.with_name(f"{file.name}{suffix}") for way, suffix in TWINS.items()}
    if not any(twin.is_file() for twin in twins.values()):
        return FileResponse(file, headers=headers, media_type=media_type)
    headers = headers | {"Vary": "Accept-Encoding"}
    taken = {each.split(";")[0].strip() for each in request.headers.get("accept-encoding", "").split(",")}
    for way, twin in twins.items():
        if way in taken and twin.is_file():
            return FileResponse(twin, headers=headers | {"Content-Encoding": way}, media_type=media_type)
    return FileResponse(file, headers=headers, media_type=media_type)
