"""Where Teams sends what people write to its outgoing webhook. Nothing of it is believed before its signature fits."""

from contextlib import suppress

from fastapi import Request
from pydantic import BaseModel
from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.channels import queries
from signoff.channels.models import Channel
from signoff.channels.port import NotVerified, OpenChannel
from signoff.channels.teams.commands import Inbound
from signoff.channels.teams.markdown import escaped
from signoff.channels.teams.messages import read_message
from signoff.channels.teams.transport import TeamsTransport
from signoff.kit import clock
from signoff.kit.db.database import Database
from signoff.kit.errors import Unauthorized
from signoff.kit.routing import RawBody, api_router, errors
from signoff.secrets.keyring import Keyring

router = api_router("hooks")
TEAMS = TeamsTransport()


class TeamsReply(BaseModel):
    type: str = "message"
    text: str


@router.post("/hooks/teams", responses=errors(Unauthorized))
def take_teams_message(request: Request, body: RawBody) -> TeamsReply:
    """What somebody writes to an outgoing webhook of Teams, signed with its security token."""
    db: Database = request.app.state.db
    keyring: Keyring = request.app.state.keyring
    try:
        message = read_message(body, clock.now())
        channel = _signed_for(db.read(lambda session: _all_opened(session, keyring)), request, body)
    except NotVerified:
        raise Unauthorized("The signature does not fit.") from None
    address = request.client.host if request.client else None
    state = request.app.state
    effects = (state.tool_impacts(), state.tool_previews())
    inbound = Inbound(db, keyring, state.wrong_link_codes, channel.id, message, *effects, address)
    return TeamsReply(text=escaped(inbound.take()))


def _takes_answers(channel: Channel) -> bool:
    return channel.enabled and channel.kind == TEAMS.kind and bool(channel.settings.get("inbound"))


def _all_opened(session: Session, keyring: Keyring) -> list[OpenChannel]:
    rows = session.scalars(select(Channel).where(Channel.kind == TEAMS.kind, Channel.enabled).order_by(Channel.id))
    return [queries.opened(session, keyring, row) for row in rows if _takes_answers(row)]


def _signed_for(channels: list[OpenChannel], request: Request, body: bytes) -> OpenChannel:
    """The channel whose secret fits: nothing else in a message says which one it is for."""
    for channel in channels:
        with suppress(NotVerified):
            TEAMS.verify(channel, request.headers, body)
            return channel
    raise NotVerified("No channel has this secret.")
