"""Channels, and what was sent by them."""

from typing import Annotated

from fastapi import Depends, Query, Request
from sqlalchemy.orm import Session

from signoff.channels import actions, queries
from signoff.channels.kinds import TRANSPORTS
from signoff.channels.models import Channel, Delivery
from signoff.channels.presentation import shown, shown_deliveries
from signoff.channels.schemas import (
    ChannelChange,
    ChannelIn,
    ChannelOut,
    DeliveryOut,
    NewChannel,
    NewSecret,
    Requeued,
    TrialIn,
    TrialOut,
)
from signoff.channels.states import DeliveryStatus
from signoff.channels.trial import try_channel
from signoff.kit import clock
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Invalid, NotFound
from signoff.kit.paging import Page, page
from signoff.kit.rate_limits import Rate
from signoff.kit.routing import Paging, api_router, errors
from signoff.secrets.keyring import Keyring
from signoff.workspaces.access import Caller

router = api_router("channels")
TESTS_PER_MINUTE = 20


def _keyring(request: Request) -> Keyring:
    keyring: Keyring = request.app.state.keyring
    return keyring


def _tests(request: Request) -> Rate:
    rate: Rate = request.app.state.channel_tests
    return rate


Keys = Annotated[Keyring, Depends(_keyring)]
Tests = Annotated[Rate, Depends(_tests)]
OfAsk = Annotated[str | None, Query(description="Only what tells of this ask.")]
OfRun = Annotated[str | None, Query(description="Only what tells of this run.")]
OfChannel = Annotated[str | None, Query(description="Only what goes by this channel, by its id.")]


@router.get("/api/channels")
def list_channels(caller: Caller, window: Paging) -> Page[ChannelOut]:
    """The ways to reach people here. How each is set up is for admins."""

    def work(session: Session, actor: Actor) -> Page[ChannelOut]:
        found = page(session, queries.channels(actor), [Channel.id], window, lambda row: row)
        return found.of(shown(session, actor, found.items))

    return caller.read(work)


@router.post("/api/channels", status_code=201, responses=errors(actions.NameTaken, Invalid))
def create_channel(body: ChannelIn, caller: Caller, keys: Keys) -> NewChannel:
    """Set up a way to reach people (admin). Its secrets are stored sealed and never shown."""

    def work(session: Session, actor: Actor) -> NewChannel:
        row, made = actions.create(session, keys, actor, body)
        return NewChannel(**shown(session, actor, [row])[0].model_dump(), signing_secret=made)

    return caller.write(work, Role.ADMIN)


@router.get("/api/channels/{channel_id}", responses=errors(NotFound))
def get_channel(channel_id: str, caller: Caller) -> ChannelOut:
    return caller.read(lambda s, actor: shown(s, actor, [queries.channel(s, actor, channel_id)])[0])


@router.patch("/api/channels/{channel_id}", responses=errors(NotFound, actions.NameTaken, Invalid))
def change_channel(channel_id: str, body: ChannelChange, caller: Caller, keys: Keys) -> ChannelOut:
    """Change it (admin); what is absent stays."""

    def work(session: Session, actor: Actor) -> ChannelOut:
        row = queries.channel(session, actor, channel_id)
        actions.change(session, keys, actor, row, body)
        return shown(session, actor, [row])[0]

    return caller.write(work, Role.ADMIN)


@router.delete("/api/channels/{channel_id}", status_code=204, responses=errors(NotFound))
def delete_channel(channel_id: str, caller: Caller) -> None:
    """Remove it with what was sent by it (admin)."""
    caller.write(lambda s, actor: actions.delete(s, actor, queries.channel(s, actor, channel_id)), Role.ADMIN)


@router.post("/api/channels/{channel_id}/test", responses=errors(NotFound))
def try_out_channel(channel_id: str, caller: Caller, keys: Keys, tests: Tests, body: TrialIn | None = None) -> TrialOut:
    """Send a test message now (admin): by mail to yourself, else to where the channel goes. The error is the exact
    one."""

    def find(session: Session, actor: Actor):
        return queries.opened(session, keys, queries.channel(session, actor, channel_id)), actor

    channel, actor = caller.read(find, Role.ADMIN)
    tests.count(actor.workspace_id, TESTS_PER_MINUTE)
    at = clock.now()
    error = try_channel(caller.db, TRANSPORTS[channel.kind], channel, actor, caller.settings, body.to if body else None)
    caller.db.write(lambda session: actions.note_test(session, channel_id, at, error))
    return TrialOut(ok=error is None, error=error)


@router.post("/api/channels/{channel_id}/rotate-secret", responses=errors(NotFound, Invalid))
def rotate_secret(channel_id: str, caller: Caller, keys: Keys) -> NewSecret:
    """A new signing secret for a webhook (admin). For a day it is signed with the one before, too."""

    def work(session: Session, actor: Actor) -> NewSecret:
        row = queries.channel(session, actor, channel_id)
        return NewSecret(signing_secret=actions.rotate_secret(session, keys, actor, row))

    return caller.write(work, Role.ADMIN)


@router.post("/api/channels/{channel_id}/retry-failed", responses=errors(NotFound))
def retry_failed(channel_id: str, caller: Caller) -> Requeued:
    """Send again all that failed for good by this channel (admin)."""

    def work(session: Session, actor: Actor) -> Requeued:
        return Requeued(queued=actions.send_failed_again(session, actor, queries.channel(session, actor, channel_id)))

    return caller.write(work, Role.ADMIN)


@router.get("/api/deliveries")
def list_deliveries(
    caller: Caller,
    window: Paging,
    ask: OfAsk = None,
    run: OfRun = None,
    channel: OfChannel = None,
    status: DeliveryStatus | None = None,
) -> Page[DeliveryOut]:
    """What was sent outside the app, and what is about to be, newest first."""

    def work(session: Session, actor: Actor) -> Page[DeliveryOut]:
        wanted = queries.deliveries(actor, ask_id=ask, run_id=run, channel_id=channel, status=status)
        found = page(session, wanted, [Delivery.id], window, lambda row: row, descending=True)
        return found.of(shown_deliveries(session, actor, found.items))

    return caller.read(work, Role.MEMBER)


@router.post("/api/deliveries/{delivery_id}/retry", responses=errors(NotFound, actions.NotToBeRepeated))
def retry_delivery(delivery_id: str, caller: Caller) -> DeliveryOut:
    """Send it again (admin)."""

    def work(session: Session, actor: Actor) -> DeliveryOut:
        row = queries.delivery(session, actor, delivery_id)
        actions.send_again(session, actor, row)
        return shown_deliveries(session, actor, [row])[0]

    return caller.write(work, Role.ADMIN)
