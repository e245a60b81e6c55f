"""Where a server sends an admin back to who signed in there."""

from html import escape
from urllib.parse import urlencode

from fastapi import Request
from fastapi.responses import HTMLResponse, PlainTextResponse, Response

from signoff.kit.actor import Role
from signoff.kit.errors import Forbidden, Unauthorized
from signoff.kit.routing import api_router
from signoff.tools.connections.keeping import keep_tools
from signoff.tools.connections.mcp.faults import NotConnected
from signoff.tools.connections.mcp.oauth import CALLBACK
from signoff.tools.connections.mcp.pool import POOL
from signoff.workspaces.access import Caller

router = api_router("connections")
SIGN_IN_HERE = (
    "Sign in to Signoff in this browser, as whoever began this and in the same workspace. Then load this page again."
)
# A browser keeps our strict cookie to itself on the way from another site, and sends it from a page of ours.
ONE_MORE_STEP = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Signoff</title>'
    '<meta http-equiv="refresh" content="0;url={url}"><a href="{url}">Go on</a></html>'
)
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
}


@router.get(CALLBACK, response_class=PlainTextResponse)
def come_back_from_sign_in(
    request: Request,
    caller: Caller,
    state: str = "",
    code: str = "",
    iss: str | None = None,
    error: str | None = None,
    here: bool = False,
) -> Response:
    """Where a server sends the admin back to. It counts for the admin who began it, and once."""
    if error is not None or not code:
        return PlainTextResponse("The server did not let you in. Start again in Signoff.", 400, HEADERS)
    try:
        actor = caller.read(lambda _, actor: actor, Role.ADMIN)
        session = POOL.signed_in(actor, state, code, iss)
    except (Unauthorized, Forbidden):
        if here:
            return PlainTextResponse(SIGN_IN_HERE, 403, HEADERS)
        again = f"{CALLBACK}?{urlencode([*request.query_params.multi_items(), ('here', 'true')])}"
        return HTMLResponse(ONE_MORE_STEP.format(url=escape(again)), headers=HEADERS)
    except NotConnected as refusal:
        return PlainTextResponse(str(refusal), 400, HEADERS)
    connection = session.connection
    caller.db.write(lambda s: keep_tools(s, actor, connection, session.listed))
    return PlainTextResponse(f"You are signed in to {connection.name}. You can close this page.", headers=HEADERS)
