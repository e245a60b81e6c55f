"""Answer links: made when a message goes out, kept as hashes, good once and only for what the message was about."""

from datetime import datetime, timedelta

from sqlalchemy import delete, update
from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.channels.answer_links.models import AnswerLink
from signoff.channels.deciding import Found, actor_through
from signoff.channels.models import Channel
from signoff.kit import clock, crypto
from signoff.kit.errors import Conflict, Forbidden, NotFound
from signoff.secrets.keyring import CannotOpen, Keyring
from signoff.workspaces.models import Member

LINK, REPLY = "link", "reply"
PREFIXES = {LINK: "ans", REPLY: "rep"}
GOOD_FOR = timedelta(days=7)
# For so long after its end a link still says what became of its ask.
REMEMBERED = timedelta(days=30)
# With its prefix; before the @ of an address there is room for 64 characters, the mailbox's own name among them.
REPLY_LENGTH = 36
STOP = "unsubscribe"
USED = "This link was used already."


class UnknownLink(NotFound):
    code = "unknown_link"


class ChannelOff(Forbidden):
    """The channel that the link came by is switched off, perhaps since somebody else reads there."""

    code = "channel_off"


class LinkOver(Conflict):
    """The link was used, or its time is over."""

    code = "link_over"


def issue(session: Session, ask: Ask, member: Member, channel: Channel, purpose: str) -> str:
    """A new token for this person and this ask as it is now."""
    secret, at = crypto.new_secret(PREFIXES[purpose]), clock.now()
    if purpose == REPLY:
        # It becomes part of an address, and mail programs may change capital letters to small ones.
        secret = secret[:REPLY_LENGTH].lower()
    ends = min(ask.deadline, at + GOOD_FOR) if ask.deadline else at + GOOD_FOR
    link = AnswerLink(hash=crypto.hash_secret(secret), workspace_id=ask.workspace_id, ask_id=ask.id)
    link.member_id, link.channel_id, link.digest = member.id, channel.id, ask.digest
    link.purpose, link.created_at, link.expires_at = purpose, at, ends
    session.add(link)
    return secret


def find(session: Session, secret: str, purpose: str = LINK, address: str | None = None) -> tuple[AnswerLink, Found]:
    """The link with who answers and what, whether or not it can still be used."""
    link = session.get(AnswerLink, crypto.hash_secret(secret))
    if link is None or link.purpose != purpose:
        raise UnknownLink("This link is not known here. It may be incomplete: open it from the message once more.")
    ask = session.get_one(Ask, link.ask_id)
    member = session.get_one(Member, link.member_id)
    return link, (actor_through(session, came_by(session, link), member, address), ask)


def came_by(session: Session, link: AnswerLink) -> Channel:
    return session.get_one(Channel, link.channel_id)


def usable(session: Session, secret: str, purpose: str = LINK, address: str | None = None) -> tuple[AnswerLink, Found]:
    """The same, if it still decides something."""
    link, found = find(session, secret, purpose, address)
    if not came_by(session, link).enabled:
        raise ChannelOff("The channel that this link came by is switched off. Open the ask in the app to decide.")
    if link.expires_at <= clock.now():
        raise LinkOver("This link has expired. Open the ask in the app to decide.")
    if link.used_at is not None:
        raise LinkOver(USED)
    return link, found


def spend(session: Session, secret: str, purpose: str = LINK, address: str | None = None) -> Found:
    """Use the link up, in the transaction that decides: of two who press at once, one does."""
    link, found = usable(session, secret, purpose, address)
    mine = (AnswerLink.hash == link.hash, AnswerLink.used_at.is_(None))
    used = update(AnswerLink).where(*mine).values(used_at=clock.now()).returning(AnswerLink.hash)
    if session.scalar(used) is None:
        raise LinkOver(USED)
    return found


def forget_old(session: Session, at: datetime) -> None:
    session.execute(delete(AnswerLink).where(AnswerLink.expires_at < at - REMEMBERED))


def stop_token(keyring: Keyring, workspace_id: str, member_id: str, kind: str) -> str:
    """Lets its holder switch off one kind of message for one person, and do nothing else. Kept nowhere."""
    return keyring.seal(f"{workspace_id} {member_id} {kind}", STOP)


def read_stop_token(keyring: Keyring, token: str) -> tuple[str, str, str]:
    try:
        workspace_id, member_id, kind = keyring.open(token, STOP).split(" ")
    except (CannotOpen, ValueError):
        raise UnknownLink("This link is not known here.") from None
    return workspace_id, member_id, kind
