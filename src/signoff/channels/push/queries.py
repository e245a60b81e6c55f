from collections.abc import Iterable, Sequence

from sqlalchemy import ColumnElement, Select, false, or_, select
from sqlalchemy.orm import Session

from signoff.channels.push.models import PushSubscription
from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.errors import NotFound
from signoff.kit.jsons import JsonObject
from signoff.notifications.addressees import is_somebody
from signoff.workspaces.models import Credential, Member


def own(actor: Actor) -> Select[PushSubscription]:
    """The actor's own browsers. To what another made for them they have none."""
    query = select(PushSubscription).join(Member, Member.id == PushSubscription.member_id)
    query = query.where(PushSubscription.workspace_id == actor.workspace_id, Member.user_id == actor.user_id)
    return query if is_somebody(actor) else query.where(false())


def subscription(session: Session, actor: Actor, subscription_id: str) -> PushSubscription:
    found = session.scalar(own(actor).where(PushSubscription.id == subscription_id))
    if found is None:
        raise NotFound("Browser not found.")
    return found


def subscriptions_of(session: Session, member_ids: Sequence[str]) -> dict[str, tuple[JsonObject, ...]]:
    """The browsers of each of these members: one statement, however many."""
    found = dict[str, tuple[JsonObject, ...]]()
    for row in _good(session, PushSubscription.member_id.in_(member_ids)):
        found[row.member_id] = (*found.get(row.member_id, ()), _as_sent(row))
    return found


def with_browsers(session: Session, remote: JsonObject) -> JsonObject:
    """What was noted of a sent message, with those of its browsers that are still subscribed: for changing it."""
    sent: Iterable[str] = remote.get("sent", ())
    return {**remote, "subscriptions": [_as_sent(row) for row in _good(session, PushSubscription.id.in_(list(sent)))]}


def _good(session: Session, *which: ColumnElement[bool]) -> Iterable[PushSubscription]:
    """Without those that were made with a token that has expired."""
    query = select(PushSubscription).outerjoin(Credential, Credential.id == PushSubscription.bond_id)
    lasts = or_(Credential.expires_at.is_(None), Credential.expires_at > clock.now())
    return session.scalars(query.where(lasts, *which).order_by(PushSubscription.id))


def _as_sent(row: PushSubscription) -> JsonObject:
    keys = {"p256dh": row.p256dh, "auth": row.auth}
    return {"id": row.id, "endpoint": row.endpoint, "keys": keys, "reaches_private": row.reaches_private}
