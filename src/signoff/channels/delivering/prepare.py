"""Makes a message ready to go: opened channel, person, words, and the links that only this message carries."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import select
from sqlalchemy.orm import DeclarativeBase, Session

from signoff.asks.models import Ask
from signoff.asks.states import AskStatus
from signoff.channels.answer_links.tokens import LINK, REPLY, issue, stop_token
from signoff.channels.deciding import actor_through, needs_sign_in
from signoff.channels.delivering.digest import Gathering
from signoff.channels.delivering.jobs import Job, Purpose
from signoff.channels.email.replies.reply_to import reply_address
from signoff.channels.kinds import EMAIL, PUSH
from signoff.channels.messages.account_mail import ACCOUNT_KINDS, URL, LinkGone, about_account, is_made_at_sending
from signoff.channels.messages.compose import Links, compose, gathered
from signoff.channels.models import Channel, ChannelAccount, Delivery
from signoff.channels.port import Message, OpenChannel, Recipient
from signoff.channels.push.queries import subscriptions_of, with_browsers
from signoff.channels.queries import ABOUT_ACCOUNTS
from signoff.channels.routing.people import may_decide
from signoff.kit.actor import Actor
from signoff.kit.db import events
from signoff.notifications.models import WANTS_ANSWER, Notification
from signoff.runs.models import Run
from signoff.secrets import store
from signoff.secrets.keyring import Keyring
from signoff.workspaces import credentials
from signoff.workspaces.models import Member, User

SLACK = "slack"
EVENTS = "events to be sent"


def read_together(session: Session, rows: Sequence[Delivery]) -> list[DeclarativeBase]:
    """All that the messages of these are made from: a few statements, however many they are."""
    found = list[DeclarativeBase]()
    for model, ids in (
        (Notification, {row.notification_id for row in rows}),
        (Ask, {row.ask_id for row in rows}),
        (Run, {row.run_id for row in rows if row.notification_id}),
        (Member, {row.member_id for row in rows}),
    ):
        wanted = [each for each in ids if each]
        if wanted:
            found += session.scalars(select(model).where(model.id.in_(wanted)))
    _read_events(session, rows)
    people = [each.user_id for each in found if isinstance(each, Member)]
    return [*found, *(session.scalars(select(User).where(User.id.in_(people))) if people else ())]


@dataclass(frozen=True)
class Preparation:
    keyring: Keyring
    # Where people reach the app; read anew each time, since the server may have moved.
    base_url: Callable[[], str]

    def job(
        self,
        session: Session,
        row: Channel,
        channel: OpenChannel,
        together: Gathering,
        purpose: Purpose,
        attempt_id: str,
        number: int,
    ) -> Job:
        delivery = together.row
        if channel.kind == SLACK and delivery.member_id is None:
            # An agent may have its own conversation.
            channel = replace(channel, settings=channel.settings | {"channel": delivery.target})
        links = Links(str(channel.settings.get("base_url") or self.base_url()).rstrip("/"))
        to, member = _recipient(session, channel, delivery)
        message = self._message(session, row, channel, links, delivery, member, purpose)
        if together.others:
            rest = (self._message(session, row, channel, links, each, member, purpose) for each in together.others)
            message = gathered(delivery, links, [message, *rest])
        if channel.kind == EMAIL and member is not None and message.kind not in ABOUT_ACCOUNTS:
            # A mail about one's own account is no subscription.
            token = stop_token(self.keyring, member.workspace_id, member.id, row.kind)
            message = replace(message, unsubscribe_url=links.stop(token))
        others = tuple(each.id for each in together.others)
        # To no browser that its person removed since.
        remote = with_browsers(session, delivery.remote or {}) if channel.kind == PUSH else delivery.remote
        return Job(purpose, delivery.id, attempt_id, number, channel, to, message, remote, with_ids=others)

    def _message(
        self,
        session: Session,
        row: Channel,
        channel: OpenChannel,
        links: Links,
        delivery: Delivery,
        member: Member | None,
        purpose: Purpose,
    ) -> Message:
        if delivery.event_position is not None:
            return _event(session, delivery)
        if delivery.kind in ACCOUNT_KINDS:
            secrets = store.take(session, self.keyring, delivery.workspace_id, delivery.id)
            url = secrets.get(URL)
            if url is None:
                if member is None or not is_made_at_sending(delivery):
                    raise LinkGone("Its link is gone. Invite again, or make a new sign-in link.")
                url = _sign_in_url(session, row, member, links.base_url)
            if member is not None:
                # Whoever came to keep the channel since it was queued reads it, too.
                others = (each for each in row.keepers if each != member.user_id)
                credentials.read_on_its_way(session, url.partition("token=")[2], others)
            return about_account(session, delivery, url)
        notification = session.get_one(Notification, delivery.notification_id)
        message = compose(session, links, delivery, notification)
        if purpose == "update" or member is None or delivery.kind not in WANTS_ANSWER:
            return message
        ask = session.get_one(Ask, delivery.ask_id)
        if ask.status != AskStatus.PENDING.value or not may_decide(
            session, actor_through(session, row, member, None), ask
        ):
            # Told, but not asked.
            return replace(message, ask=replace(message.ask, decisions=(), editable=False) if message.ask else None)
        if needs_sign_in(ask):
            return message
        token = issue(session, ask, member, row, LINK)
        message = replace(message, answer_url=links.answer(token))
        replies = channel.settings.get("replies") if channel.kind == EMAIL else None
        # Of an approval a text would mean something else: what to do instead.
        if replies and ask.response_type == "text":
            reply = issue(session, ask, member, row, REPLY)
            message = replace(message, reply_to=reply_address(replies["address"], reply))
        return message


def _sign_in_url(session: Session, row: Channel, member: Member, base_url: str) -> str:
    """Made at this moment. Whoever keeps the channel could read it, and come in as this person until now."""
    secret = credentials.issue_link(session, Actor.system(member.workspace_id), member)
    return f"{base_url}/sign-in?token={secret}"


def _recipient(session: Session, channel: OpenChannel, delivery: Delivery) -> tuple[Recipient | None, Member | None]:
    """One member as they are now; or somebody outside, who has only an address."""
    if delivery.member_id is None:
        outside = channel.kind == EMAIL
        return (Recipient(delivery.target, delivery.target) if outside else None), None
    member = session.get_one(Member, delivery.member_id)
    user = session.get_one(User, member.user_id)
    browsers = subscriptions_of(session, [member.id]).get(member.id, ()) if channel.kind == PUSH else ()
    account = _account(session, channel.id, member.id) if channel.kind not in (PUSH, EMAIL, SLACK) else None
    return Recipient(user.email, member.name_of(user), member.id, browsers, account), member


def _account(session: Session, channel_id: str, member_id: str) -> str | None:
    own = (ChannelAccount.channel_id == channel_id, ChannelAccount.member_id == member_id)
    return session.scalar(select(ChannelAccount.account).where(*own).limit(1))


def _read_events(session: Session, rows: Sequence[Delivery]) -> None:
    wanted = dict[str, list[int]]()
    for row in rows:
        if row.event_position is not None:
            wanted.setdefault(row.workspace_id, []).append(row.event_position)
    session.info[EVENTS] = {
        (workspace_id, event["id"]): event
        for workspace_id, positions in wanted.items()
        for event in events.at_positions(session, workspace_id, positions)
    }


def _event(session: Session, delivery: Delivery) -> Message:
    """What happened, as whoever follows the stream reads it."""
    event = session.info[EVENTS].get((delivery.workspace_id, delivery.event_position))
    return Message(id=delivery.id, kind=delivery.kind, title=delivery.kind, event=event)
