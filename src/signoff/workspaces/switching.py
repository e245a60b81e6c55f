"""A person in several workspaces: which ones, and going from one to another. See docs/decisions/0021."""

from dataclasses import replace

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.kit.actor import Actor, Role, Standing
from signoff.kit.errors import Conflict, Forbidden, NotFound
from signoff.workspaces import credentials, queries
from signoff.workspaces.credentials import Bond
from signoff.workspaces.models import Credential, Member, User, Workspace
from signoff.workspaces.sign_in.actions import is_own


class LastInstallationAdmin(Conflict):
    code = "last_installation_admin"


def my_places(session: Session, actor: Actor) -> list[tuple[Member, Workspace]]:
    """Where the person behind this session is a member; to whoever may not go there, only where they are."""
    own = queries.places(session, actor.user_id or "")
    if not is_own_session(session, actor):
        own = [(member, place) for member, place in own if place.id == actor.workspace_id]
    return sorted(own, key=lambda each: (each[1].name.lower(), each[1].id))


def switch(session: Session, actor: Actor, workspace_id: str) -> tuple[Actor, str]:
    """Trade the session for one in another workspace of the same person. It lives no longer than this one would."""
    member = queries.membership(session, workspace_id, actor.user_id or "")
    if member is None or member.accepted_at is None or not is_own_session(session, actor):
        raise NotFound("Workspace not found. If you came by a link, sign in with your password first.")
    before = session.get_one(Credential, actor.credential_id)
    bond = Bond(proved_at=before.proved_at, by_password=before.by_password, expires_at=before.expires_at)
    credentials.close_session(session, actor)
    return credentials.open_session(session, member, bond, "switch", actor.address)


def is_own_session(session: Session, actor: Actor) -> bool:
    """Whether this is a person's own session, by their password where they have one."""
    credential = session.get(Credential, actor.credential_id) if actor.via == queries.SESSION else None
    if credential is None or not is_own(credential, session.get_one(Member, credential.member_id)):
        return False
    return credential.by_password or session.get_one(User, actor.user_id).password_hash is None


def is_installation_admin(session: Session, actor: Actor) -> bool:
    """Whether they may make workspaces: in their own name and with all their rights."""
    if actor.standing is Standing.ROOT:
        return actor.role.includes(Role.ADMIN)
    in_own_name = actor.standing is Standing.PERSON and not actor.made_by and actor.scope in (None, Role.ADMIN)
    return in_own_name and actor.user_id is not None and session.get_one(User, actor.user_id).installation_admin


def require_installation_admin(session: Session, actor: Actor) -> None:
    if not is_installation_admin(session, actor):
        raise Forbidden("Only an installation admin, signed in as themselves, can do this.")


def name_installation_admin(session: Session, actor: Actor, member: Member, enabled: bool) -> None:
    """Let a member make workspaces, or no longer."""
    require_installation_admin(session, actor)
    user = session.get_one(User, member.user_id)
    if user.installation_admin == enabled:
        return
    if enabled and member.accepted_at is None:
        raise Conflict("This person has not accepted their invitation yet.")
    _set_installation_admin(session, actor, member, user, enabled)


def end_installation_admin(session: Session, actor: Actor, leaving: Member) -> None:
    """Who is a member nowhere any more makes no workspaces."""
    user = session.get_one(User, leaving.user_id)
    if user.installation_admin and not queries.is_known_elsewhere(session, leaving):
        _set_installation_admin(session, actor, leaving, user, False)


def _set_installation_admin(session: Session, actor: Actor, member: Member, user: User, enabled: bool) -> None:
    # All of them held, so that of two who take it from each other the second finds the last.
    named = session.scalars(select(User.id).where(User.installation_admin).order_by(User.id).with_for_update()).all()
    if not enabled and set(named) <= {user.id}:
        raise LastInstallationAdmin("This is the last installation admin. Make someone else one first.")
    user.installation_admin = enabled
    record(session, actor, "member.installation_admin", member.id, {"email": user.email, "enabled": enabled})


def token_there(session: Session, actor: Actor, member: Member) -> str | None:
    """For whoever came with a token: one for the workspace that they made. It ends with the one they came with."""
    if actor.via != queries.TOKEN:
        return None
    there = replace(actor, workspace_id=member.workspace_id)
    return credentials.issue_token(session, there, member, "command line", [], None)[1]
