"""Invitations and sign-in links go by mail, where a mail channel is set up."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.channels.addresses import gets_mail
from signoff.channels.kinds import EMAIL
from signoff.channels.messages.account_mail import ASKED_FOR, INVITATION, SIGN_IN_LINK, URL
from signoff.channels.models import Channel, Delivery
from signoff.kit import clock
from signoff.kit.db.database import commit_of
from signoff.kit.ids import new_id
from signoff.secrets import store
from signoff.secrets.keyring import Keyring
from signoff.workspaces import credentials
from signoff.workspaces import queries as people
from signoff.workspaces.models import Member, User


def mail_channel(session: Session, workspace_id: str) -> Channel | None:
    """The first mail channel that is on."""
    own = (Channel.workspace_id == workspace_id, Channel.kind == EMAIL, Channel.enabled)
    return session.scalar(select(Channel).where(*own).order_by(Channel.id).limit(1))


def mail_link(session: Session, keyring: Keyring, member: Member, kind: str, url: str, why: str) -> bool:
    """Queue a mail with a link that was made already; it is sealed until it goes out. Whether there is a way to."""
    delivery = _queue(session, member, kind, why)
    if delivery is None:
        return False
    channel = session.get_one(Channel, delivery.channel_id)
    secret = url.partition("token=")[2]
    credentials.read_on_its_way(session, secret, (each for each in channel.keepers if each != member.user_id))
    base_url = channel.settings.get("base_url")
    mailed = f"{str(base_url).rstrip('/')}/sign-in?token={secret}" if base_url else url
    store.put(session, keyring, member.workspace_id, delivery.id, {URL: mailed})
    return True


def mail_invitation(session: Session, keyring: Keyring, member: Member, url: str, by: str) -> bool:
    return mail_link(session, keyring, member, INVITATION, url, f"{by} invited you")


def mail_sign_in_links(session: Session, email: str) -> int:
    """A link for each account and workspace of an address; it is made when the mail goes out. How many."""
    places = [each for user in people.accounts(session, email) for each in people.places(session, user.id)]
    return sum(_queue(session, member, SIGN_IN_LINK, ASKED_FOR) is not None for member, _ in places)


def can_mail(session: Session) -> bool:
    """Whether anybody could get a sign-in link by mail here."""
    return session.scalar(select(Channel.id).where(Channel.kind == EMAIL, Channel.enabled).limit(1)) is not None


def _queue(session: Session, member: Member, kind: str, why: str) -> Delivery | None:
    channel, user = mail_channel(session, member.workspace_id), session.get_one(User, member.user_id)
    if channel is None or not gets_mail(user.email):
        return None
    delivery = Delivery(id=new_id(), workspace_id=member.workspace_id, channel_id=channel.id, kind=kind)
    delivery.member_id, delivery.target, delivery.why, delivery.urgent = member.id, user.email, why, True
    delivery.key, delivery.due_at = f"{kind}:{delivery.id}", clock.now()
    session.add(delivery)
    session.flush()
    commit_of(session).tells = True
    return delivery
