"""Handing over while one is away, and telling the other about it."""

from sqlalchemy.orm import Session

from signoff.kit import clock
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Invalid, NotFound
from signoff.kit.paging import Page, page
from signoff.kit.routing import Paging, api_router, errors
from signoff.notifications.actions import notify
from signoff.notifications.models import NoticeKind
from signoff.workspaces.access import Caller
from signoff.workspaces.delegations import actions, queries
from signoff.workspaces.delegations.models import Delegation
from signoff.workspaces.delegations.schemas import Colleague, DelegationIn, DelegationOut
from signoff.workspaces.models import User

router = api_router("people", "/api/delegations")


@router.get("")
def list_delegations(caller: Caller, window: Paging) -> Page[DelegationOut]:
    """Who decides for whom, now or soon: yours, or everybody's to an admin."""

    def work(session: Session, actor: Actor) -> Page[DelegationOut]:
        return page(session, queries.delegations(actor), [Delegation.id], window, lambda each: _shown(session, each))

    return caller.read(work)


@router.post("", status_code=201, responses=errors(Invalid, actions.AlreadyAway, actions.DeputyAway))
def create_delegation(body: DelegationIn, caller: Caller) -> DelegationOut:
    """Let a colleague decide for you until a date."""

    def work(session: Session, actor: Actor) -> DelegationOut:
        made = actions.delegate(session, actor, body.deputy, body.starts_at, body.ends_at)
        shown = _shown(session, made)
        when = "" if shown.active else f" from {made.starts_at:%-d %b}"
        text = f"{shown.absent.name} is away{when} until {made.ends_at:%-d %b}. Asks that name them come to you, too."
        _tell(session, actor, text, shown.deputy.email)
        return shown

    return caller.write(work)


@router.delete("/{delegation_id}", status_code=204, responses=errors(NotFound))
def end_delegation(delegation_id: str, caller: Caller) -> None:
    """End it before its date: the two whom it is about, or an admin."""

    def work(session: Session, actor: Actor) -> None:
        found = queries.delegation(session, actor, delegation_id)
        if not actions.end(session, actor, found):
            return
        shown = _shown(session, found)
        over = "Asks that name {} no longer go to {}."
        told = {
            shown.absent.email: over.format("you", shown.deputy.name),
            shown.deputy.email: over.format(shown.absent.name, "you"),
        }
        for email in sorted(told.keys() - {actor.label}):
            _tell(session, actor, told[email], email)

    caller.write(work, Role.VIEWER)


def _tell(session: Session, actor: Actor, text: str, recipient: str) -> None:
    where = (actor.workspace_id, None, "people", actor.label)
    notify(session, *where, text, recipients=[recipient], kind=NoticeKind.PEOPLE)


def _shown(session: Session, each: Delegation) -> DelegationOut:
    absent, deputy = session.get_one(User, each.absent_id), session.get_one(User, each.deputy_id)
    return DelegationOut(
        id=each.id,
        absent=Colleague(email=absent.email, name=absent.name),
        deputy=Colleague(email=deputy.email, name=deputy.name),
        starts_at=each.starts_at,
        ends_at=each.ends_at,
        active=each.ended_at is None and each.starts_at <= clock.now() < each.ends_at,
    )
