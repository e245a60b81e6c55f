"""Who may answer what."""

from sqlalchemy.orm import Session

from signoff.asks.answers import ALLOWED, Decision, needed_role
from signoff.asks.models import Ask
from signoff.asks.signing import stage_of
from signoff.asks.states import AskKind
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Forbidden
from signoff.workspaces import queries as people

GROUPS = "groups of the actor"
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


def positive(ask: Ask) -> Decision:
    """The decision that lets something happen: what four eyes bar."""
    return "approve" if "approve" in ALLOWED[AskKind(ask.kind)] else "respond"


def may(session: Session, actor: Actor, ask: Ask, decision: Decision) -> bool:
    """Whether this person may give this answer."""
    try:
        permit(session, actor, ask, decision)
    except Forbidden:
        return False
    return True


def is_among(session: Session, actor: Actor, named: list[str]) -> bool:
    """Whether a list of e-mails, user ids, roles and groups includes the actor."""
    for each in named:
        kind, _, name = each.partition(":")
        if each.lower() == actor.label or each == actor.user_id:
            return True
        role = name if kind == "role" else each
        if role in ROLES and actor.role.includes(Role(role)):
            return True
        if kind == "group" and name in _groups(session, actor):
            return True
    return False


def _groups(session: Session, actor: Actor) -> set[str]:
    """The actor's groups, read once in a session however many asks are looked at."""
    known: dict[str | None, set[str]] = session.info.setdefault(GROUPS, {})
    if actor.user_id not in known:
        known[actor.user_id] = people.groups_of(session, actor)
    return known[actor.user_id]
