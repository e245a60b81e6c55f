"""A notification becomes deliveries; and when its ask changed, those that went out are changed, too."""

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.states import AskKind, AskStatus
from signoff.catalog.models import AgentRevision
from signoff.catalog.schemas import AgentNotifications
from signoff.channels import queries
from signoff.channels.kinds import TRANSPORTS, is_shared, place_in
from signoff.channels.models import Channel, Delivery
from signoff.channels.routing.people import people_for
from signoff.channels.routing.plan import Place, Planned, Wanted, plan
from signoff.channels.routing.subjects import Subject, subject
from signoff.channels.states import DeliveryStatus
from signoff.kit.db.inserts import insert_new
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject
from signoff.kit.paging import readable
from signoff.notifications.models import WANTS_ANSWER, NoticeKind, Notification
from signoff.runs.models import Run

log = logging.getLogger(__name__)

AT_ONCE = 100
SLACK = "slack"
CHANNELS = "channels that are on"
Row = TypeVar("Row", Ask, AgentRevision)


def route_due(session: Session, at: datetime) -> int:
    """Look at what waits to be told or changed, so many at a time. Several processes share the work."""
    query = select(Notification).where(Notification.route_at <= at).order_by(Notification.route_at)
    found = session.scalars(query.limit(AT_ONCE).with_for_update(skip_locked=True)).all()
    asks = {ask.id: ask for ask in _by_id(session, Ask, (each.ask_id for each in found))}
    agents = _agents_settings(session, found)
    rows, changed = list[dict[str, Any]](), list[Ask]()
    for notification in found:
        is_news = notification.routed_at is None
        notification.route_at, notification.routed_at = None, at
        ask = asks.get(notification.ask_id or "")
        if not is_news:
            changed += [ask] if ask is not None else []
            continue
        try:
            agent = agents.get(notification.run_id or "", AgentNotifications())
            rows += _told(session, notification, ask, agent, at)
        except (LookupError, ValueError, TypeError, AttributeError):
            # One that cannot be read must not keep all others waiting.
            log.exception("notification %s cannot be told outside", notification.id)
    insert_new(session, Delivery, rows)
    _change(session, changed, at)
    session.flush()
    return len(found)


def _told(
    session: Session, notification: Notification, ask: Ask | None, agent: AgentNotifications, at: datetime
) -> list[dict[str, Any]]:
    """Whom one notification goes to, and by what: rows of deliveries."""
    wants_answer = notification.kind in WANTS_ANSWER
    if wants_answer and (ask is None or ask.status != AskStatus.PENDING.value):
        return []
    channels = _channels(session, notification.workspace_id)
    wanted = _wanted(notification, ask, agent, wants_answer)
    if wanted.subject is Subject.QUIET or not channels:
        return []
    places = [_place(each, agent) for each in channels]
    people = people_for(session, notification, ask, at, agent.recipients)
    return _rows(notification, plan(wanted, people, places, at), urgent=wanted.urgent)


def _by_id(session: Session, model: type[Row], ids: Iterable[str | None]) -> list[Row]:
    wanted = {each for each in ids if each}
    return list(session.scalars(select(model).where(model.id.in_(wanted)))) if wanted else []


def _channels(session: Session, workspace_id: str) -> list[Channel]:
    """Those that are on, read once in a session however many notifications are looked at."""
    known: dict[str, list[Channel]] = session.info.setdefault(CHANNELS, {})
    if workspace_id not in known:
        known[workspace_id] = queries.enabled(session, workspace_id)
    return known[workspace_id]


def _wanted(notification: Notification, ask: Ask | None, agent: AgentNotifications, wants_answer: bool) -> Wanted:
    kind = AskKind(ask.kind) if ask else None
    about = subject(
        NoticeKind(notification.kind),
        kind,
        blocking=ask.blocking if ask else True,
        lets_act=ask.asks_approval if ask else False,
    )
    mail = agent.email_on_completion if about is Subject.COMPLETION else None
    in_person = notification.kind == NoticeKind.ESCALATION.value
    if wants_answer and not in_person and not notification.channels:
        # A rule's own word about channels, and an escalation, count for more than the agent's.
        mail = agent.email_on_approval_needed
    return Wanted(
        about,
        urgent=notification.urgent,
        open=wants_answer,
        deadline=ask.deadline if ask and wants_answer else None,
        channels=tuple(notification.channels or agent.channels),
        mail=mail,
        in_person=in_person,
    )


def _agents_settings(session: Session, found: Sequence[Notification]) -> dict[str, AgentNotifications]:
    """What the agent of each run says about who is told, and where, by the run's id."""
    ids = {each.run_id for each in found if each.run_id}
    if not ids:
        return {}
    query = select(Run.id, Run.revision_id).where(Run.id.in_(ids))
    used = {row[0]: row[1] for row in session.execute(query) if row[1]}
    revisions = {each.id: _settings_in(each) for each in _by_id(session, AgentRevision, used.values())}
    return {run_id: revisions[revision] for run_id, revision in used.items() if revision in revisions}


def _settings_in(revision: AgentRevision) -> AgentNotifications:
    given: JsonObject = revision.definition.get("notifications") or {}
    return next(iter(readable([given], AgentNotifications.model_validate)), AgentNotifications())


def _place(channel: Channel, agent: AgentNotifications) -> Place:
    target = place_in(channel.kind, channel.settings) or channel.name
    if channel.kind == SLACK and agent.slack_channel_id:
        target = agent.slack_channel_id
    shared = is_shared(channel.kind, channel.settings)
    own = (TRANSPORTS[channel.kind].personal, shared, tuple(channel.about), target)
    return Place(channel.id, channel.kind, channel.name, *own)


def _rows(notification: Notification, planned: Sequence[Planned], *, urgent: bool) -> list[dict[str, Any]]:
    """A person who is told of the same by the same channel already is not told twice: the key says so."""
    ids = {id(each): new_id() for each in planned}
    rows = list[dict[str, Any]]()
    for each in planned:
        whom = each.person.member_id or each.person.email if each.person else each.place.target
        about = notification.ask_id or notification.run_id or notification.id
        # Escalations and reminders tell of the same ask anew, and may do so more than once.
        what = about if notification.kind == NoticeKind.ASK.value else notification.id
        rows.append(
            {
                "id": ids[id(each)],
                "workspace_id": notification.workspace_id,
                "channel_id": each.place.id,
                "notification_id": notification.id,
                "kind": notification.kind,
                "ask_id": notification.ask_id,
                "run_id": notification.run_id,
                "member_id": each.person.member_id if each.person else None,
                "target": each.person.email if each.person else each.place.target,
                "why": each.why,
                "urgent": urgent,
                "key": f"{notification.kind}:{what}:{whom}",
                "due_at": each.due_at,
                "instead_of": ids[id(each.instead_of)] if each.instead_of else None,
            }
        )
    return rows


def _change(session: Session, asks: Sequence[Ask], at: datetime) -> None:
    """What has not gone out yet need not, once its ask is settled; what has is changed where that is possible."""
    settled = [ask.id for ask in asks if ask.status != AskStatus.PENDING.value]
    if settled:
        queued = (Delivery.status == DeliveryStatus.QUEUED.value, Delivery.kind.in_(WANTS_ANSWER))
        waiting = update(Delivery).where(Delivery.ask_id.in_(settled), *queued)
        session.execute(waiting.values(status=DeliveryStatus.CANCELLED.value))
    if not asks:
        return
    kinds = [kind for kind, transport in TRANSPORTS.items() if transport.updates]
    places = {ask.workspace_id for ask in asks}
    changeable = select(Channel.id).where(Channel.workspace_id.in_(places), Channel.kind.in_(kinds))
    # What is being sent at this moment as well: it is changed once it is there.
    out = (DeliveryStatus.SENT.value, DeliveryStatus.SENDING.value)
    sent = (Delivery.status.in_(out), Delivery.kind.in_(WANTS_ANSWER), Delivery.channel_id.in_(changeable))
    changed = update(Delivery).where(Delivery.ask_id.in_({ask.id for ask in asks}), *sent)
    session.execute(changed.values(update_at=at, update_tries=0))
