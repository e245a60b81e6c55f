"""Linking an account: a member gets a code in the app, and whoever has the account sends it through the channel."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, or_, select
from sqlalchemy.orm import Session

from signoff.asks.effects.previews import PreviewOf, nobody_shows
from signoff.audit.actions import record
from signoff.channels.accounts.members import accepted
from signoff.channels.deciding import actor_through
from signoff.channels.models import Channel, ChannelAccount
from signoff.kit import clock, crypto
from signoff.kit.actor import Actor
from signoff.kit.db.database import Database
from signoff.kit.errors import Conflict, Forbidden, Invalid
from signoff.kit.rate_limits import Rate
from signoff.notifications.addressees import is_somebody
from signoff.secrets import store
from signoff.secrets.keyring import Keyring
from signoff.secrets.models import Secret
from signoff.workspaces import queries as people
from signoff.workspaces.models import Member
from signoff.workspaces.switching import is_own_session

CODE_GOOD_FOR = timedelta(minutes=10)
# Nothing that people mistake for something else when they type it.
LETTERS, CODE_LENGTH = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789", 10
# In a minute: of one account, and of all that try it through one channel.
MOST_WRONG_CODES, MOST_WRONG_CODES_IN_ALL = 5, 60


class NotYourself(Forbidden):
    """Whoever has the account decides as its member from then on: so it takes the person to say so."""

    code = "not_your_own_session"


class TakesNoAnswers(Conflict):
    code = "channel_takes_no_answers"


class WrongCode(Invalid):
    code = "wrong_code"


def how_to_link(channel: Channel, code: str) -> str | None:
    """What to do with a code; nothing where the channel takes no answers, or knows people by their address."""
    match channel.kind:
        case "telegram":
            return f"In Telegram, open the bot of {channel.name} and send it: /start {code}"
        case "discord":
            return f"In Discord, press a button of a message of {channel.name}, choose Link account and enter: {code}"
        case "teams" if channel.settings.get("inbound"):
            return f"In Teams, mention the outgoing webhook of {channel.name} and write: link {code}"
        case _:
            return None


def new_link_code(session: Session, keyring: Keyring, actor: Actor, channel: Channel) -> tuple[str, str, datetime]:
    """What the actor sends from an account, once and soon, to show that it is theirs; how, and until when. The one
    before is over."""
    if not is_own_session(session, actor):
        raise NotYourself("Only you can link your account: sign in as yourself, not with a token or a shared link.")
    code, ends = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH)), clock.now() + CODE_GOOD_FOR
    instructions = how_to_link(channel, code) if channel.enabled else None
    if instructions is None:
        raise TakesNoAnswers("This channel takes no answers, or knows you by your address: there is nothing to link.")
    member = people.member_by_user(session, actor, None)
    store.put(session, keyring, channel.workspace_id, member.id, {_name(channel): f"{code} {ends.isoformat()}"})
    return code, instructions, ends


@dataclass(frozen=True)
class Visitor:
    """Somebody who came through a channel, by the account that its service vouches for."""

    db: Database
    keyring: Keyring
    wrong_codes: Rate
    channel_id: str
    account: str
    # Where the request came from.
    address: str | None
    # How to find out what an approval lets happen.
    preview_of: PreviewOf = nobody_shows

    def link(self, code: str) -> str:
        """Whoever was given this code has this account from now on; returns what to tell them. Raises WrongCode, and
        TooMany before anything is compared."""
        counted = {f"{self.channel_id} {self.account}": MOST_WRONG_CODES, self.channel_id: MOST_WRONG_CODES_IN_ALL}
        for key, most in counted.items():
            self.wrong_codes.refuse_full(key, most)
        found = self.db.write(lambda session: self._link(session, code))
        if found is None:
            for key, most in counted.items():
                self.wrong_codes.count(key, most)
            raise WrongCode("This code is not known, was used, or its ten minutes are over. Get a new one in Signoff.")
        return f"Linked: you decide here as {found}."

    def _link(self, session: Session, code: str) -> str | None:
        channel = session.get_one(Channel, self.channel_id)
        member = accepted(_spend(session, self.keyring, channel, code))
        if member is None:
            return None
        # An account speaks for one member, who has one account for each channel.
        earlier = or_(ChannelAccount.account == self.account, ChannelAccount.member_id == member.id)
        session.execute(delete(ChannelAccount).where(ChannelAccount.channel_id == channel.id, earlier))
        session.add(ChannelAccount(channel_id=channel.id, account=self.account, member_id=member.id))
        session.flush()
        actor = actor_through(session, channel, member, self.address)
        record(session, actor, "channel.account_linked", channel.id, _facts(channel, self.account))
        return actor.label


def unlink(session: Session, keyring: Keyring, actor: Actor, channel: Channel) -> None:
    """The actor's account speaks for nobody any more, and no code of theirs links one."""
    if not is_somebody(actor):
        raise Forbidden("This token was made by someone else. Sign in to unlink your account.")
    member = people.member_by_user(session, actor, None)
    store.put(session, keyring, channel.workspace_id, member.id, {_name(channel): ""})
    own = (ChannelAccount.channel_id == channel.id, ChannelAccount.member_id == member.id)
    for account in session.scalars(delete(ChannelAccount).where(*own).returning(ChannelAccount.account)).all():
        record(session, actor, "channel.account_unlinked", channel.id, _facts(channel, account))


def forget_link_codes(session: Session, channel: Channel) -> None:
    """No code links an account of this channel any more."""
    session.execute(delete(Secret).where(Secret.workspace_id == channel.workspace_id, Secret.name == _name(channel)))


def _spend(session: Session, keyring: Keyring, channel: Channel, code: str) -> Member | None:
    """Who was given this code, not too long ago. It is over then: of two who send it at once, one finds it."""
    name, workspace_id = _name(channel), channel.workspace_id
    wanted = code.upper().replace("-", "").replace(" ", "")
    waiting = select(Secret.owner_id).where(Secret.workspace_id == workspace_id, Secret.name == name)
    for owner in session.scalars(waiting.with_for_update()).all():
        known, _, until = store.take(session, keyring, workspace_id, owner)[name].partition(" ")
        if crypto.same(known, wanted):
            store.put(session, keyring, workspace_id, owner, {name: ""})
            return session.get(Member, owner) if datetime.fromisoformat(until) > clock.now() else None
    return None


def _facts(channel: Channel, account: str) -> dict[str, str]:
    return {"name": channel.name, "kind": channel.kind, "account": account}


def _name(channel: Channel) -> str:
    return f"link code {channel.id}"
