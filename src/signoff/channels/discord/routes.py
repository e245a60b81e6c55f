"""Where Discord reports what was pressed. Nothing of it is believed before its signature fits."""

from fastapi import Request, Response

from signoff.channels import queries
from signoff.channels.accounts.linking import Visitor
from signoff.channels.discord.interactions import answer
from signoff.channels.discord.payloads import PING, read_interaction
from signoff.channels.discord.rest_api import DiscordSettings
from signoff.channels.discord.transport import DiscordTransport
from signoff.channels.port import NotVerified
from signoff.kit import jsons
from signoff.kit.db.database import Database
from signoff.kit.errors import Unauthorized
from signoff.kit.jsons import JsonObject
from signoff.kit.routing import RawBody, api_router, errors
from signoff.secrets.keyring import Keyring

router = api_router("hooks")
DISCORD = DiscordTransport()
PONG: JsonObject = {"type": 1}


@router.post("/hooks/discord/{channel_id}", responses=errors(Unauthorized))
def take_discord_interaction(channel_id: str, request: Request, body: RawBody) -> Response:
    """Buttons and modals of Discord, signed by it. Enter this address as the application's interactions endpoint."""
    db: Database = request.app.state.db
    keyring: Keyring = request.app.state.keyring
    try:
        channel = db.read(lambda session: queries.heard(session, keyring, DISCORD.kind, channel_id))
        DISCORD.verify(channel, request.headers, body)
        given = read_interaction(body)
        if given.application_id != channel.settings_as(DiscordSettings).application_id:
            raise NotVerified("This is about another application.")
    except NotVerified:
        # The same for all, so that nobody learns which channel there is.
        raise Unauthorized("The signature does not fit.") from None
    address = request.client.host if request.client else None
    previews = request.app.state.tool_previews()
    who = Visitor(db, keyring, request.app.state.wrong_link_codes, channel_id, given.account, address, previews)
    reply = PONG if given.type == PING else answer(who, given)
    return Response(jsons.dumps(reply), media_type="application/json")
