"""The test button: one message, now, and the exact error."""

from sqlalchemy.orm import Session

from signoff.channels.accounts.members import account_of
from signoff.channels.actions import note_mailbox
from signoff.channels.addresses import gets_mail
from signoff.channels.email.replies.mailbox import open_mailbox
from signoff.channels.kinds import EMAIL, PUSH, TRANSPORTS, is_shared
from signoff.channels.port import ChannelError, Message, OpenChannel, Recipient, Transport, told_without
from signoff.channels.push.queries import subscriptions_of
from signoff.kit import clock
from signoff.kit.actor import Actor, Standing
from signoff.kit.db.database import Database
from signoff.kit.ids import new_id
from signoff.kit.settings import Settings
from signoff.workspaces import queries as people


def try_channel(
    db: Database, transport: Transport, channel: OpenChannel, actor: Actor, settings: Settings, to: str | None
) -> str | None:
    """Why a test message did not get through; None: it did."""
    base_url = str(channel.settings.get("base_url") or settings.base_url).rstrip("/")
    message = Message(
        id=new_id(),
        kind="test",
        title="Signoff can reach you here",
        text=f"This is a test of the channel {channel.name}, sent by {actor.label}. There is nothing to do.",
        open_url=f"{base_url}/settings?section=channels",
    )
    try:
        who = db.read(lambda session: _recipient(session, channel, actor, to))
        transport.send(channel, who, message)
        if channel.kind == EMAIL and channel.settings.get("replies"):
            at = clock.now()
            _try_mailbox(channel)
            db.write(lambda session: note_mailbox(session, channel.id, at, None))
    except ChannelError as error:
        return told_without(channel.secrets, error).detail
    return None


def _try_mailbox(channel: OpenChannel) -> None:
    try:
        with open_mailbox(channel):
            return
    except ChannelError as error:
        raise ChannelError(f"The mail was sent, but replies cannot be read. {error.detail}") from None


def _recipient(session: Session, channel: OpenChannel, actor: Actor, to: str | None) -> Recipient | None:
    if channel.kind == EMAIL:
        # The server's own token has no mailbox.
        own = channel.settings["from"] if actor.standing is Standing.ROOT else actor.label
        if to is None and not gets_mail(own):
            raise ChannelError(f"You are {own}, where no mail arrives. Say another address to send the test to.")
        return Recipient(to or own, to or own)
    goes_to_one = TRANSPORTS[channel.kind].place_setting is not None and not is_shared(channel.kind, channel.settings)
    if channel.kind != PUSH and not goes_to_one:
        return None
    member = people.member_by_user(session, actor, None)
    if goes_to_one:
        return Recipient(actor.label, actor.label, member.id, account=account_of(session, channel.id, member.id))
    found = subscriptions_of(session, [member.id]).get(member.id, ())
    if not found:
        raise ChannelError("None of your browsers is subscribed. Switch on push in your notification settings first.")
    return Recipient(actor.label, actor.label, member.id, found)
