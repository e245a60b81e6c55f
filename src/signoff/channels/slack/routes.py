"""Where Slack reports what was pressed. Nothing of it is believed before its signature fits."""

import logging
from contextlib import suppress

from fastapi import BackgroundTasks, Request, Response
from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.channels import queries
from signoff.channels.models import Channel, Delivery
from signoff.channels.port import ChannelError, NotVerified, OpenChannel
from signoff.channels.slack.interactions import Inbound
from signoff.channels.slack.payloads import read_challenge, read_interaction
from signoff.channels.slack.transport import SlackTransport
from signoff.kit import jsons
from signoff.kit.db.database import Database
from signoff.kit.errors import Unauthorized
from signoff.kit.jsons import JsonObject
from signoff.kit.routing import RawBody, api_router, errors
from signoff.secrets.keyring import Keyring

log = logging.getLogger(__name__)
router = api_router("hooks")
SLACK = SlackTransport()


@router.post("/hooks/slack", responses=errors(Unauthorized))
def take_slack_interaction(request: Request, body: RawBody, afterwards: BackgroundTasks) -> Response:
    """Buttons and modals of Slack, signed by it. Enter this address under "Interactivity" in the app's settings."""
    db: Database = request.app.state.db
    keyring: Keyring = request.app.state.keyring
    try:
        challenge = read_challenge(body)
        if challenge is not None:
            _verify_by_any(db.read(lambda session: _all_opened(session, keyring)), request, body)
            return Response(challenge, media_type="text/plain")
        given = read_interaction(body)
        channel = db.read(lambda session: _opened(session, keyring, given.delivery_id))
        SLACK.verify(channel, request.headers, body)
    except NotVerified:
        # The same for all, so that nobody learns which message there is.
        raise Unauthorized("The signature does not fit.") from None
    address = request.client.host if request.client else None
    state = request.app.state
    inbound = Inbound(db, channel, given, state.tool_impacts(), state.tool_previews(), address)
    reply = inbound.take()
    if reply.words:
        # Slack waits for three seconds only.
        afterwards.add_task(_tell, inbound, reply.words)
    return _json(reply.body) if reply.body is not None else Response()


def _json(body: JsonObject) -> Response:
    return Response(jsons.dumps(body), media_type="application/json")


def _tell(inbound: Inbound, words: str) -> None:
    try:
        inbound.tell(words)
    except ChannelError as error:
        log.warning("nobody could be told in Slack how their press went: %s", error.detail)


def _opened(session: Session, keyring: Keyring, delivery_id: str) -> OpenChannel:
    delivery = session.get(Delivery, delivery_id)
    channel = session.get(Channel, delivery.channel_id) if delivery else None
    if channel is None or channel.kind != SLACK.kind or not channel.enabled:
        raise NotVerified("This message is not known.")
    return queries.opened(session, keyring, channel)


def _all_opened(session: Session, keyring: Keyring) -> list[OpenChannel]:
    rows = session.scalars(select(Channel).where(Channel.kind == SLACK.kind, Channel.enabled))
    return [queries.opened(session, keyring, row) for row in rows]


def _verify_by_any(channels: list[OpenChannel], request: Request, body: bytes) -> None:
    for channel in channels:
        with suppress(NotVerified):
            SLACK.verify(channel, request.headers, body)
            return
    raise NotVerified("No channel has this secret.")
