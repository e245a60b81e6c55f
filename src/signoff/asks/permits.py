"""Who may answer what."""

from sqlalchemy.orm import Session

from signoff.asks.answers import Decision, needed_role
from signoff.asks.models import Ask
from signoff.asks.signing import stage_of
from signoff.asks.states import AskKind
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Forbidden
from signoff.workspaces import queries as people

ROLES = frozenset(role.value for role in Role)


def named_approvers(ask: Ask) -> list[str]:
    """Whom the rule names for the signature that is due; empty: the role of the kind decides."""
    stage = stage_of(ask)
    return list(stage["approvers"]) if stage is not None else list(ask.approvers)


def permit(session: Session, actor: Actor, ask: Ask, decision: Decision) -> None:
    """See that this person may give this answer."""
    actor.require(Role.MEMBER)
    if ask.four_eyes and decision == "approve" and actor.label == ask.started_by:
        raise Forbidden("You started this run, so somebody else must approve it (four eyes).")
    named = named_approvers(ask)
    if named and not is_among(session, actor, named):
        raise Forbidden(f"This needs one of: {', '.join(named)}.")
    if not named and actor.label != ask.assignee:
        actor.require(needed_role(AskKind(ask.kind)))


def may(session: Session, actor: Actor, ask: Ask, decision: Decision) -> bool:
    """Whether this person may give this answer."""
    try:
        permit(session, actor, ask, decision)
    except Forbidden:
        return False
    return True


def is_among(session: Session, actor: Actor, named: list[str]) -> bool:
    """Whether a list of e-mails, user ids, roles and groups includes the actor."""
    groups: set[str] | None = None
    for each in named:
        kind, _, name = each.partition(":")
        if each.lower() == actor.label or each == actor.user_id:
            return True
        role = name if kind == "role" else each
        if role in ROLES and actor.role.includes(Role(role)):
            return True
        if kind == "group":
            groups = people.groups_of(session, actor) if groups is None else groups
            if name in groups:
                return True
    return False
