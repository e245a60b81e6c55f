"""Passwords: they belong to people, not to workspaces. Hashing is slow on purpose, so no transaction waits for it."""

import threading
from datetime import timedelta
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.kit import clock
from signoff.kit.actor import Actor, Standing
from signoff.kit.errors import Conflict, Forbidden, Invalid
from signoff.workspaces import credentials, queries
from signoff.workspaces.models import Credential, User

LEAST = 10
FRESH = timedelta(minutes=10)
HASHER = PasswordHasher()
# Each takes 64 MB while it works.
_at_once = threading.BoundedSemaphore(4)


class PasswordChanged(Conflict):
    code = "password_changed"


def hashed(password: str) -> str:
    """Slow; outside of any transaction."""
    if len(password) < LEAST:
        raise Invalid(f"A password needs at least {LEAST} characters.")
    with _at_once:
        return HASHER.hash(password)


def fits(known: str | None, password: str) -> bool:
    """Slow, also when there is nothing to compare with; outside of any transaction."""
    nobody = _nobody()
    with _at_once:
        try:
            return HASHER.verify(known or nobody, password) and known is not None
        except (VerificationError, InvalidHashError):
            return False


@cache
def _nobody() -> str:
    """What is compared with when there is nothing to compare with, so that it takes as long."""
    return HASHER.hash("nobody's password")


def known_hash(session: Session, actor: Actor) -> str | None:
    """What the person's old password is compared with."""
    return session.get_one(User, actor.user_id).password_hash


def require_may_set(session: Session, actor: Actor, *, knows_old: bool) -> None:
    """A password outlives whatever it was set with, so it takes the person: their old one, or a sign-in just now."""
    credential = session.get(Credential, actor.credential_id) if actor.credential_id else None
    if credential is None or credential.kind != queries.SESSION or actor.standing is not Standing.PERSON:
        raise Forbidden("You can only set a password after signing in yourself. Sign in in the browser.")
    if credential.bond_id is not None or credential.root_hash is not None:
        raise Forbidden("This session was opened with a token. Sign in as yourself to set a password.")
    if knows_old:
        return
    if credential.hands:
        raise Forbidden("Someone else made the link you signed in with. Enter your old password.")
    if credential.proved_at is None or credential.proved_at < clock.now() - FRESH:
        raise Forbidden("Enter your old password, or sign in again and set a new one within ten minutes.")


def put(session: Session, actor: Actor, password_hash: str, before: str | None) -> None:
    """Replace the hash that was looked at, and end the person's other sessions and open links, in every workspace."""
    user = session.get_one(User, actor.user_id)
    if user.password_hash != before:
        raise PasswordChanged("The password was changed in the meantime. Try again.")
    user.password_hash = password_hash
    session.get_one(Credential, actor.credential_id).by_password = True
    for member in queries.memberships(session, user.id):
        others = (Credential.kind.in_(credentials.WAYS_IN), Credential.id != actor.credential_id)
        credentials.end(session, member.workspace_id, Credential.member_id == member.id, *others)
    record(session, actor, "password.changed", user.id)
