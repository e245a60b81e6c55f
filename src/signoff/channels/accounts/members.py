"""Who somebody is who comes through a channel: by their address, or by the account that they linked."""

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from signoff.channels.models import Channel, ChannelAccount
from signoff.kit.actor import Actor
from signoff.workspaces import queries as people
from signoff.workspaces.models import Member


def member_by_address(session: Session, workspace_id: str, address: str) -> Member | None:
    """The member with this address who has accepted; nobody is `SIGNOFF_TOKEN` by an address."""
    user = people.user_by_address(session, workspace_id, address)
    if user is None or user.email == people.ROOT_EMAIL:
        return None
    return accepted(people.membership(session, workspace_id, user.id))


def member_by_account(session: Session, channel: Channel, account: str) -> Member | None:
    """The member who has shown that this account is theirs."""
    linked = session.get(ChannelAccount, (channel.id, account))
    return accepted(session.get(Member, linked.member_id)) if linked else None


def accepted(member: Member | None) -> Member | None:
    return member if member is not None and member.accepted_at is not None else None


def account_of(session: Session, channel_id: str, member_id: str) -> str | None:
    """The member's account with a channel, where they have linked one."""
    query = select(ChannelAccount.account).where(ChannelAccount.channel_id == channel_id)
    return session.scalar(query.where(ChannelAccount.member_id == member_id))


def own_accounts(actor: Actor) -> Select[ChannelAccount, Channel]:
    """The actor's own, by the names of their channels."""
    query = select(ChannelAccount, Channel).join(Channel, Channel.id == ChannelAccount.channel_id)
    query = query.join(Member, Member.id == ChannelAccount.member_id).where(Member.user_id == actor.user_id)
    return query.where(Channel.workspace_id == actor.workspace_id).order_by(Channel.name)
