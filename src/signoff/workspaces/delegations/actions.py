"""Handing over while one is away. Names are handed over, roles are not: see docs/decisions/0020."""

from datetime import datetime, timedelta

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.kit import clock
from signoff.kit.actor import Actor, Role, Standing
from signoff.kit.errors import Conflict, FieldError, Forbidden, Invalid, NotFound
from signoff.workspaces import queries as people
from signoff.workspaces.delegations import queries
from signoff.workspaces.delegations.models import Delegation
from signoff.workspaces.models import Credential, Member

LONGEST = timedelta(days=366)


class InPersonOnly(Forbidden):
    """To let somebody else decide takes the person: no token, and no session that another made for them."""

    code = "in_person_only"


class AlreadyAway(Conflict):
    """One colleague at a time."""

    code = "already_away"


class DeputyAway(Conflict):
    """What somebody decides for another is not handed on."""

    code = "deputy_away"


def delegate(session: Session, actor: Actor, deputy: str, starts_at: datetime | None, ends_at: datetime) -> Delegation:
    """Let a colleague decide in the actor's place until a date."""
    _require_in_person(session, actor)
    actor.require(Role.MEMBER)
    at = clock.now()
    starts_at = max(starts_at or at, at)
    _check_dates(at, starts_at, ends_at)
    colleague = _colleague(session, actor, deputy)
    # Both rows in one order, so that of two who hand over at once the second sees the first.
    both = (Member.workspace_id == actor.workspace_id, Member.user_id.in_([actor.user_id, colleague.user_id]))
    session.execute(select(Member.id).where(*both).order_by(Member.id).with_for_update())
    _refuse_overlap(session, actor, colleague, starts_at, ends_at)
    made = Delegation(workspace_id=actor.workspace_id, absent_id=actor.user_id, deputy_id=colleague.user_id)
    made.starts_at, made.ends_at = starts_at, ends_at
    session.add(made)
    session.flush()
    facts = {"deputy": colleague.label, "starts_at": starts_at.isoformat(), "ends_at": ends_at.isoformat()}
    record(session, actor, "delegation.created", made.id, facts)
    return made


def end(session: Session, actor: Actor, delegation: Delegation) -> bool:
    """End it before its date: either of the two, or an admin. False: it was over already."""
    if actor.standing not in (Standing.PERSON, Standing.ROOT):
        raise Forbidden("A token made by someone else cannot end a delegation. Sign in instead.")
    if delegation.ended_at is not None:
        return False
    delegation.ended_at, delegation.ended_by = clock.now(), actor.label
    session.flush()
    record(session, actor, "delegation.ended", delegation.id)
    return True


def end_all_of(session: Session, actor: Actor, member: Member) -> None:
    """Who leaves, or may less than before, hands nothing over and decides for nobody."""
    theirs = or_(Delegation.absent_id == member.user_id, Delegation.deputy_id == member.user_id)
    own = (Delegation.workspace_id == member.workspace_id, Delegation.ended_at.is_(None), theirs)
    change = update(Delegation).where(*own).values(ended_at=clock.now(), ended_by=actor.label)
    for ended in session.scalars(change.returning(Delegation.id)).all():
        record(session, actor, "delegation.ended", ended, {"because": "a member was removed or demoted"})


def _require_in_person(session: Session, actor: Actor) -> None:
    """Whoever made a link or a token for somebody could otherwise make themselves, or a friend, a signer."""
    used = session.get(Credential, actor.credential_id) if actor.credential_id else None
    if used is None or used.kind != people.SESSION or actor.standing is not Standing.PERSON:
        raise InPersonOnly("You cannot hand over with a token. Sign in with the browser instead.")
    if used.bond_id is not None or used.root_hash is not None or used.hands:
        raise InPersonOnly("This session came from a token or from someone else's link. Sign in as yourself.")


def _check_dates(at: datetime, starts_at: datetime, ends_at: datetime) -> None:
    if ends_at <= starts_at:
        raise Invalid(
            "The end must be after the start, and in the future.",
            errors=[FieldError("ends_at", "after the start, and not over yet")],
        )
    if ends_at > at + LONGEST:
        raise Invalid(
            "You can hand over for at most a year.", errors=[FieldError("ends_at", "at most a year from now")]
        )


def _colleague(session: Session, actor: Actor, deputy: str) -> Actor:
    try:
        who = people.actor_of(session, people.member_by_user(session, actor, deputy), "session")
    except NotFound:
        raise Invalid(
            f"{deputy} is not a member.", errors=[FieldError("deputy", "a member's user id or email")]
        ) from None
    if who.user_id == actor.user_id:
        raise Invalid("Choose someone other than yourself.", errors=[FieldError("deputy", "a colleague")])
    if not queries.may_hand_over(who):
        raise Invalid(
            f"{who.label} cannot decide for you: a viewer, a token, or not a member yet.",
            errors=[FieldError("deputy", "a member who has accepted")],
        )
    return who


def _refuse_overlap(session: Session, actor: Actor, colleague: Actor, starts_at: datetime, ends_at: datetime) -> None:
    meanwhile = queries.not_over(actor.workspace_id, starts_at).where(Delegation.starts_at < ends_at)
    if session.scalar(meanwhile.where(Delegation.absent_id == actor.user_id).limit(1)):
        raise AlreadyAway("You have already handed over for that time. End that first.")
    if session.scalar(meanwhile.where(Delegation.absent_id == colleague.user_id).limit(1)):
        raise DeputyAway(f"{colleague.label} is away then, too. Choose someone else.")
