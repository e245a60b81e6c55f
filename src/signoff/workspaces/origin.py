"""Whether a request comes from our own pages. Browsers send our cookie along for others, too.

A cookie belongs to a host, not to a port: a page on another port of this host is "same site", and on plain http
no Sec-Fetch-Site tells it apart. Its Origin does.
"""

from urllib.parse import urlsplit

from fastapi import Request
from starlette.datastructures import Headers

from signoff.kit.errors import Forbidden
from signoff.kit.settings import Settings

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
# No form can send it, and a script of another origin only after asking us, which we never allow.
OURS = "x-signoff"
PORTS = {"http": 80, "https": 443}


class ForeignOrigin(Forbidden):
    """A page of another origin tried to act with our cookie."""

    code = "foreign_origin"


def require_our_page(headers: Headers, settings: Settings) -> None:
    """What changes something by cookie names our origin, and has a form that no plain form has."""
    _require_our_origin(headers, settings)
    if "origin" not in headers:
        raise ForeignOrigin("Requests with a cookie need an Origin header. For scripts, use a token.")
    require_more_than_a_form(headers)


def refuse_foreign_sign_in(request: Request) -> None:
    """No other page signs a visitor in or out; scripts may, and send no Origin."""
    _require_our_origin(request.headers, request.app.state.settings)
    require_more_than_a_form(request.headers)


def require_our_socket(headers: Headers, settings: Settings) -> None:
    """Browsers let any page open a WebSocket with our cookie, and always name the page."""
    if "origin" not in headers:
        raise ForeignOrigin("Sockets opened with a cookie need an Origin header. For scripts, use a token.")
    _require_our_origin(headers, settings)


def _require_our_origin(headers: Headers, settings: Settings) -> None:
    """What the browser says about the page is about us. Whether it says anything is for the caller to require."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise ForeignOrigin("This request came from another site.")
    origins = headers.getlist("origin")
    if not all(is_ours(origin, headers.get("host", ""), settings.public_url) for origin in origins):
        raise ForeignOrigin(
            "This request came from another origin. If this is your own server behind a proxy, set SIGNOFF_PUBLIC_URL."
        )


def is_ours(origin: str, host: str, public_url: str) -> bool:
    """Whether an Origin names the server as the browser reached it, or as its settings name it."""
    given, public = _place(origin), _place(public_url)
    # A browser's Origin is scheme, host and port, and nothing else.
    if given is None or "@" in origin or origin.count("/") != 2:
        return False
    # On https, a page of the same name on http is somebody in between.
    if public and given[1] == public[1] and given[0] != public[0]:
        return False
    return given in (public, _place(f"{given[0]}://{host}"))


def _place(url: str) -> tuple[str, str, int] | None:
    """Scheme, host and port, with the port that goes without saying."""
    try:
        parts = urlsplit(url.strip().lower())
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in PORTS or not parts.hostname:
        return None
    return parts.scheme, parts.hostname, port or PORTS[parts.scheme]


def require_more_than_a_form(headers: Headers) -> None:
    """A content type that no plain form can send, or a header of ours."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" and headers.get(OURS) != "1":
        raise ForeignOrigin("Send JSON as `Content-Type: application/json`, or the header `X-Signoff: 1`.")
