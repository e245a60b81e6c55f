"""Who is to hear of a notification outside the app, as they are at this moment."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.asks.answers.outcome import needed_role
from signoff.asks.models import Ask
from signoff.asks.signatures.deputies import in_whose_name
from signoff.asks.signatures.who_may_answer import is_among, know_groups, may, named_approvers, positive
from signoff.asks.states import AskKind
from signoff.channels.push.queries import subscriptions_of
from signoff.channels.routing.fastest import fastest
from signoff.channels.routing.plan import Person
from signoff.kit.actor import Actor, Standing
from signoff.kit.jsons import JsonObject
from signoff.kit.paging import readable
from signoff.notifications.models import WANTS_ANSWER, NoticeKind, Notification
from signoff.runs.models import Run
from signoff.workspaces import queries as people
from signoff.workspaces.delegations.queries import Cover, covers
from signoff.workspaces.models import Address, Member, User, Workspace
from signoff.workspaces.schemas import Preferences

MOST_PEOPLE = 200
MEMBERS, AWAY, BROWSERS = "members to be told", "who is away", "browsers of members"
SOONEST = "usually decides this soonest"
ENDS = frozenset(
    each.value
    for each in (
        *(NoticeKind.COMPLETED, NoticeKind.FAILED, NoticeKind.REJECTED),
        *(NoticeKind.TIMEOUT, NoticeKind.EXPIRY, NoticeKind.CANCELLED),
    )
)


@dataclass(frozen=True)
class _Candidate:
    member: Member
    user: User
    actor: Actor


def people_for(
    session: Session, notification: Notification, ask: Ask | None, at: datetime, also: Sequence[str] = ()
) -> list[Person]:
    """Everybody whom it concerns, with how they want to be reached. Who is away is told through their deputy.

    `also` are those whom the agent's settings name; of asks, unless a rule names some."""
    everybody = _members(session, notification.workspace_id)
    chosen, outside = _chosen(session, notification, ask, everybody, list(also))
    chosen, why = _without_the_absent(session, notification.workspace_id, chosen, everybody)
    chosen = chosen[:MOST_PEOPLE]
    browsers = _browsers(session, notification.workspace_id, everybody)
    first = _told_first(session, notification, ask, chosen)
    found = [
        Person(
            email=each.user.email,
            name=each.member.name_of(each.user),
            member_id=each.member.id,
            preferences=preferences_of(each.member),
            present=each.member.present_until is not None and each.member.present_until > at,
            browsers=len(browsers.get(each.member.id, ())),
            why=why.get(each.user.email, SOONEST if each.user.email == first else ""),
            later=first is not None and each.user.email != first,
        )
        for each in chosen
    ]
    return [*found, *(Person(email=each, name=each) for each in outside)]


def _browsers(
    session: Session, workspace_id: str, everybody: Sequence[_Candidate]
) -> dict[str, tuple[JsonObject, ...]]:
    known: dict[str, dict[str, tuple[JsonObject, ...]]] = session.info.setdefault(BROWSERS, {})
    if workspace_id not in known:
        known[workspace_id] = subscriptions_of(session, [each.member.id for each in everybody])
    return known[workspace_id]


def preferences_of(member: Member) -> Preferences:
    """What they saved; who saved something that is not understood any more is told as others are."""
    return next(iter(readable([member.preferences], Preferences.model_validate)), Preferences())


def may_decide(session: Session, actor: Actor, ask: Ask) -> bool:
    """Whether this member could answer it now, in their own name or for somebody who is away."""
    who = in_whose_name(session, actor, ask, positive(ask))
    return may(session, who, ask, positive(ask))


def _members(session: Session, workspace_id: str) -> list[_Candidate]:
    """Everybody who has come in, read once in a session however many notifications are looked at."""
    known: dict[str, list[_Candidate]] = session.info.setdefault(MEMBERS, {})
    if workspace_id not in known:
        known[workspace_id] = _read_members(session, workspace_id)
    return known[workspace_id]


def _read_members(session: Session, workspace_id: str) -> list[_Candidate]:
    query = select(Member, User).join(User, User.id == Member.user_id)
    rows = session.execute(query.where(Member.workspace_id == workspace_id, Member.accepted_at.is_not(None)))
    found = [_Candidate(row[0], row[1], people.actor_of(session, row[0], "channel")) for row in rows]
    found = [each for each in found if each.actor.standing is Standing.PERSON]
    know_groups(session, workspace_id, [each.actor for each in found])
    return found


def _chosen(
    session: Session,
    notification: Notification,
    ask: Ask | None,
    everybody: Sequence[_Candidate],
    also: list[str],
) -> tuple[list[_Candidate], list[str]]:
    """Those who are named; else those who may decide. And who is named without being a member: they are only told."""
    wants_answer = ask is not None and notification.kind in WANTS_ANSWER
    # The server's own token starts runs, too, and has no mailbox.
    named = [each for each in notification.recipients if each != people.ROOT_EMAIL]
    if not wants_answer and notification.kind in ENDS:
        named += also
    if notification.kind == NoticeKind.AUTO_APPROVED.value:
        # Who is told of it where mail is named: whose run it was.
        named += _starter(session, notification)
    if wants_answer and ask is not None and not named:
        named = [ask.assignee] if ask.assignee else also or named_approvers(ask)
    if named:
        reached = [each for each in everybody if is_among(session, each.actor, named)]
        return reached, _outside(session, notification.workspace_id, named)
    if not wants_answer or ask is None:
        return [], []
    role = needed_role(AskKind(ask.kind))
    able = [each for each in everybody if each.actor.role.includes(role)]
    return [each for each in able if may_decide(session, each.actor, ask)], []


def _starter(session: Session, notification: Notification) -> list[str]:
    by = session.scalar(select(Run.created_by).where(Run.id == notification.run_id))
    return [by] if by and "@" in by and by != people.ROOT_EMAIL else []


def _outside(session: Session, workspace_id: str, named: Sequence[str]) -> list[str]:
    """Addresses of people who never were members. Who was removed hears nothing more, whoever named them."""
    given = {each.strip().lower() for each in named if "@" in each}
    known = select(Address.email).where(Address.workspace_id == workspace_id, Address.email.in_(given))
    return sorted(given - set(session.scalars(known))) if given else []


def _without_the_absent(
    session: Session, workspace_id: str, chosen: Sequence[_Candidate], everybody: Sequence[_Candidate]
) -> tuple[list[_Candidate], dict[str, str]]:
    """Who decides for somebody hears of it in their place; if nobody does, the absent person is told after all."""
    known: dict[str, list[Cover]] = session.info.setdefault(AWAY, {})
    if workspace_id not in known:
        known[workspace_id] = covers(session, workspace_id)
    away = {each.absent_id: each for each in known[workspace_id]}
    found, why = dict[str, _Candidate](), dict[str, str]()
    by_id = {each.user.id: each for each in everybody}
    for each in chosen:
        cover = away.get(each.user.id)
        deputy = by_id.get(cover.deputy_id) if cover else None
        if cover is None or deputy is None:
            found.setdefault(each.user.id, each)
            continue
        if deputy.user.id not in {one.user.id for one in chosen}:
            why[deputy.user.email] = f"for {cover.absent_name}, who is away"
        found.setdefault(deputy.user.id, deputy)
    return list(found.values()), why


def _told_first(
    session: Session, notification: Notification, ask: Ask | None, chosen: Iterable[_Candidate]
) -> str | None:
    """With smart routing, of several who may decide the one who usually does so soonest."""
    candidates = [each.user.email for each in chosen]
    if ask is None or notification.kind != "ask" or len(candidates) < 2 or ask.approvals_required > 1:
        return None
    workspace = session.get_one(Workspace, notification.workspace_id)
    return fastest(session, ask, candidates) if workspace.smart_routing else None
