"""What people do with their own browsers. What is subscribed gets their asks, and links that decide them."""

import ipaddress
from collections.abc import Sequence
from urllib.parse import urlsplit

from sqlalchemy import Select, delete, func, select
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.channels.kinds import PUSH
from signoff.channels.models import Channel
from signoff.channels.push import queries
from signoff.channels.push.models import PushSubscription
from signoff.channels.push.schemas import SubscriptionIn
from signoff.kit.actor import Actor
from signoff.kit.db.database import commit_of
from signoff.kit.db.inserts import insert_new
from signoff.kit.errors import Conflict, FieldError, Forbidden, Invalid
from signoff.kit.ids import new_id
from signoff.notifications.addressees import is_somebody
from signoff.workspaces.credentials import bond_of
from signoff.workspaces.models import Member
from signoff.workspaces.switching import is_installation_admin

MOST_BROWSERS = 10
CHANNEL_NAME = "Browser push"


class NotInOwnName(Forbidden):
    """A browser is subscribed by its person: with all their rights, and by nothing that another made for them."""

    code = "not_in_own_name"


class TooManyBrowsers(Conflict):
    code = "too_many_browsers"


def subscribe(session: Session, actor: Actor, body: SubscriptionIn, *, allow_private: bool) -> PushSubscription:
    """Send what is for the actor to this browser as well; one that is subscribed already is brought up to date."""
    # Held, so that of several browsers at once each counts the ones before.
    member = session.scalars(_member(actor).with_for_update()).one()
    _require_own_name(actor, member)
    reaches_private = allow_private or is_installation_admin(session, actor)
    _check_endpoint(body.endpoint, reaches_private)
    _take_over(session, actor, body)
    row = session.scalar(queries.own(actor).where(PushSubscription.endpoint == body.endpoint))
    if row is None:
        _refuse_too_many(session, actor)
        row = PushSubscription(id=new_id(), workspace_id=actor.workspace_id, member_id=member.id)
        record(session, actor, "push.subscribed", row.id, {"name": body.device})
        session.add(row)
    row.endpoint, row.device, row.reaches_private = body.endpoint, body.device, reaches_private
    row.p256dh, row.auth = body.keys.p256dh, body.keys.auth
    row.bond_id = bond_of(session, actor).bond_id
    session.flush()
    _set_up_channel(session, actor)
    return row


def unsubscribe(session: Session, actor: Actor, row: PushSubscription) -> None:
    """Send nothing more to this browser."""
    record(session, actor, "push.unsubscribed", row.id, {"name": row.device})
    session.delete(row)
    session.flush()


def forget(session: Session, subscription_ids: Sequence[str]) -> None:
    """Their push service says that these browsers are gone."""
    if subscription_ids:
        session.execute(delete(PushSubscription).where(PushSubscription.id.in_(subscription_ids)))


def _member(actor: Actor) -> Select[Member]:
    return select(Member).where(Member.workspace_id == actor.workspace_id, Member.user_id == actor.user_id)


def _require_own_name(actor: Actor, member: Member) -> None:
    """Who holds a browser that is subscribed decides as its person, so whoever subscribes it must be able to."""
    if not is_somebody(actor) or actor.made_by:
        raise NotInOwnName("This session or token was made by someone else. Sign in as yourself to switch on push.")
    if actor.scope is not None and not actor.scope.includes(member.as_role):
        raise NotInOwnName(f"Your token is limited to the role {actor.scope.value}. Push needs all of your rights.")


def _check_endpoint(endpoint: str, reaches_private: bool) -> None:
    """Names are looked up when something is sent, and every time; here is told what is wrong at first sight."""
    parts = urlsplit(endpoint)
    if reaches_private or (parts.scheme == "https" and not _is_inside(parts.hostname or "")):
        return
    raise Invalid(
        "Push goes to a public address that begins with https://. Only an installation admin can use another one.",
        errors=[FieldError("endpoint", "must be a public address that begins with https://")],
    )


def _is_inside(host: str) -> bool:
    try:
        return not ipaddress.ip_address(host.partition("%")[0]).is_global
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _take_over(session: Session, actor: Actor, body: SubscriptionIn) -> None:
    """A browser belongs to who is signed in there now. Only it knows its keys, so nobody takes another's."""
    others = select(Member.id).where(Member.user_id != actor.user_id)
    same = (PushSubscription.endpoint == body.endpoint, PushSubscription.p256dh == body.keys.p256dh)
    same = (*same, PushSubscription.auth == body.keys.auth, PushSubscription.member_id.in_(others))
    session.execute(delete(PushSubscription).where(*same).execution_options(synchronize_session=False))


def _refuse_too_many(session: Session, actor: Actor) -> None:
    if (session.scalar(select(func.count()).select_from(queries.own(actor).subquery())) or 0) >= MOST_BROWSERS:
        raise TooManyBrowsers(f"You have {MOST_BROWSERS} browsers. Remove one that you no longer use first.")


def _set_up_channel(session: Session, actor: Actor) -> None:
    """The workspace's channel for push, at the first browser. It needs no settings, so nobody has to set it up."""
    query = select(Channel.name, Channel.kind).where(Channel.workspace_id == actor.workspace_id)
    known = {row[0]: row[1] for row in session.execute(query)}
    if PUSH in known.values():
        return
    names = (CHANNEL_NAME, *(f"{CHANNEL_NAME} {number}" for number in range(2, len(known) + 3)))
    name = next(name for name in names if name not in known)
    # Of two people who are the first at the same time, one sets it up.
    made = {"id": new_id(), "workspace_id": actor.workspace_id, "kind": PUSH, "name": name}
    insert_new(session, Channel, [made])
    if session.get(Channel, made["id"]) is not None:
        commit_of(session).channels_changed = True
        record(session, actor, "channel.created", made["id"], {"kind": PUSH, "name": name})
