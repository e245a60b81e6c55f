"""Who may answer what."""

from collections.abc import Iterable, Sequence

from sqlalchemy.orm import Session

from signoff.asks.answers.outcome import ALLOWED, Answer, Decision, needed_role
from signoff.asks.models import Ask
from signoff.asks.signatures.conditions import needs_several, stage_of
from signoff.asks.signatures.coverage import RETRY
from signoff.asks.signatures.parties import asked_it, own_part
from signoff.asks.states import AskKind
from signoff.kit.actor import Actor, Role, Standing
from signoff.kit.errors import Forbidden
from signoff.kit.jsons import JsonObject
from signoff.workspaces import queries as people

GROUPS = "groups of the actor"
ROLES = frozenset(role.value for role in Role)


class NobodysWord(Forbidden):
    """A credential that carries no person's own word answers nothing."""

    code = "answers_nothing"


class NeedsPeople(Forbidden):
    """Several signatures, and four eyes, are of people."""

    code = "needs_people"


class OwnWork(Forbidden):
    """Under four eyes nobody approves what they had a hand in."""

    code = "four_eyes"


class OwnQuestion(OwnWork):
    """Nobody gives themselves the approval that they ask for from outside."""

    code = "own_question"


# The signatures of an ask as they count now, where it is only looked at; else those on the ask.
Signed = Sequence[JsonObject] | None


def named_approvers(ask: Ask, signed: Signed = None) -> list[str]:
    """Whom the rule names for the signature that is due; empty: the role of the kind decides."""
    stage = stage_of(ask, signed)
    return list(stage["approvers"]) if stage is not None else list(ask.approvers)


def permit(session: Session, actor: Actor, ask: Ask, decision: Decision, signed: Signed = None) -> None:
    """See that this person may give this answer."""
    speaks_for_somebody(actor)
    actor.require(Role.MEMBER)
    # To say what became of a call lets nothing happen: any approver may.
    reports = decision == "respond" and _may_run_again(ask)
    if decision in ("approve", positive(ask)) and not reports:
        _see_other_eyes(session, actor, ask)
    named = [] if reports else named_approvers(ask, signed)
    if (named or actor.absent) and not is_called(session, actor, named):
        raise Forbidden(f"This needs one of: {', '.join(named)}.")
    needed = needed_role(AskKind(ask.kind))
    # What calls upon a person by name is handed over with their work, a role never: who decides for another has it.
    if actor.absent or (not named and actor.label != ask.assignee):
        actor.require(needed)
    # Whom a rule or an assignment names is the person: a token that may less than they stays less.
    if actor.scope is not None and not actor.scope.includes(needed):
        raise Forbidden(f"This needs a token for the role {needed.value}; yours is for a {actor.scope.value}.")


def speaks_for_somebody(actor: Actor) -> None:
    """See that whoever decides is a person who has come in by themselves, or the server's own token."""
    match actor.standing:
        case Standing.SERVICE:
            raise NobodysWord(
                "This token was made by someone else, so it cannot answer asks. Sign in, or use your own token."
            )
        case Standing.INVITED:
            raise NobodysWord("You have not accepted your invitation yet. Open the invitation link first, then decide.")
        case Standing.PERSON | Standing.ROOT:
            pass


def _see_other_eyes(session: Session, actor: Actor, ask: Ask) -> None:
    if actor.standing is Standing.ROOT and (ask.four_eyes or needs_several(ask)):
        what = "four eyes" if ask.four_eyes else "several signatures"
        raise NeedsPeople(f"This needs {what} of people. SIGNOFF_TOKEN does not count as a person here; sign in.")
    part = own_part(session, actor, ask) if ask.four_eyes else None
    if part is not None:
        raise OwnWork(f"{part}, so someone else must approve it. You can still deny it.")
    approves = ask.asks_approval or needed_role(AskKind(ask.kind)) is Role.APPROVER
    if approves and asked_it(session, actor, ask):
        raise OwnQuestion("You asked this, so someone else must answer it. You can still cancel it.")


def meaning(ask: Ask, given: Answer) -> Decision:
    """What an answer amounts to: to run a call again whose end is unknown is to approve it."""
    return "approve" if given.value == RETRY and _may_run_again(ask) else given.decision


def _may_run_again(ask: Ask) -> bool:
    """Whether it asks about a call whose end nobody knows."""
    return ask.kind == AskKind.RECOVERY.value and ask.tool is not None


def positive(ask: Ask) -> Decision:
    """The decision that lets something happen: what four eyes bar."""
    return "approve" if "approve" in ALLOWED[AskKind(ask.kind)] else "respond"


def may(session: Session, actor: Actor, ask: Ask, decision: Decision, signed: Signed = None) -> bool:
    """Whether this person may give this answer."""
    try:
        permit(session, actor, ask, decision, signed)
    except Forbidden:
        return False
    return True


def bar(session: Session, actor: Actor, ask: Ask, signed: Signed = None) -> str | None:
    """Why this person may not approve what their role would let them approve."""
    try:
        permit(session, actor, ask, "deny", signed)
        permit(session, actor, ask, positive(ask), signed)
    except (NobodysWord, OwnWork, NeedsPeople) as error:
        return error.detail
    except Forbidden:
        return None
    return None


def is_called(session: Session, actor: Actor, named: list[str]) -> bool:
    """Whether a list calls upon the actor; upon whom they decide for, by name or group, and not by a role."""
    if actor.absent is None:
        return is_among(session, actor, named)
    return is_among(session, actor.absent, [each for each in named if not is_role(each)])


def is_role(name: str) -> bool:
    return name in ROLES or name.startswith("role:")


def is_among(session: Session, actor: Actor, named: list[str]) -> bool:
    """Whether a list of emails, user ids, roles and groups includes the actor."""
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


def know_groups(session: Session, workspace_id: str, actors: Iterable[Actor]) -> None:
    """Read the groups of all these people at once: a page of asks costs one statement."""
    known: dict[str | None, set[str]] = session.info.setdefault(GROUPS, {})
    missing = [actor.user_id for actor in actors if actor.user_id and actor.user_id not in known]
    if missing:
        known.update(people.groups_by_user(session, workspace_id, missing))


def _groups(session: Session, actor: Actor) -> set[str]:
    """The actor's groups, read once in a session however many asks are looked at."""
    known: dict[str | None, set[str]] = session.info.setdefault(GROUPS, {})
    if actor.user_id not in known:
        known[actor.user_id] = people.groups_of(session, actor)
    return known[actor.user_id]
