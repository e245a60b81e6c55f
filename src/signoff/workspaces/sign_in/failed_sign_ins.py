"""Ways in that were refused are on the record of whom they were aimed at, or of the first workspace."""

import logging
from collections.abc import Sequence

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.kit import clock, crypto
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import TooMany
from signoff.kit.jsons import JsonObject
from signoff.kit.rate_limits import Rate
from signoff.workspaces import credentials, queries
from signoff.workspaces.models import Credential, Member, User
from signoff.workspaces.sign_in.actions import Shown
from signoff.workspaces.sign_in.attempts import Attempts

log = logging.getLogger(__name__)
# After so many wrong passwords an invitation is no longer good.
MOST_WRONG = 10
# What is aimed at nobody costs a stranger nothing, so that much of it goes on the record in a minute.
STRANGERS_FROM_ONE, STRANGERS_IN_ALL = 5, 60
# So many wrong passwords in an hour may be a person who does not remember theirs.
MISTYPES = 5


def wrong_password(session: Session, accounts: Sequence[User], address: str | None, attempts: Attempts) -> None:
    """On the record of the place that it would have opened.

    Nobody knows which of several accounts with one address was meant. So a few go where strangers' do: who took
    somebody's address elsewhere learns nothing from their mistypes. Guessing is on record for each, but not from where.
    """
    homes = [(each, home) for each in accounts if (home := queries.last_membership(session, each.id))]
    if not homes or (len(homes) > 1 and not _looks_like_guessing(homes[0][0].email, attempts)):
        return _stranger(session, "password", address, attempts.strangers)
    where = address if len(homes) == 1 else None
    for account, home in homes:
        _refused(session, home, "password", where, {"for": account.email})
    return None


def _looks_like_guessing(email: str, attempts: Attempts) -> bool:
    try:
        attempts.mistypes.count(email, MISTYPES)
    except TooMany:
        return True
    return False


def wrong_secret(session: Session, secret: str, shown: Shown, address: str | None, strangers: Rate) -> None:
    """A link, an invitation or a token that is unknown, used or over; or a wrong password with an invitation."""
    credential = session.scalar(select(Credential).where(Credential.hash == crypto.hash_secret(secret)))
    if credential is None:
        return _stranger(session, "token", address, strangers)
    if credential.kind == queries.INVITATION and (credential.expires_at is None or credential.expires_at > clock.now()):
        # Without a password it is the question whether one is needed.
        return _wrong_consent(session, credential, address) if shown.compared is not None else None
    member = session.get_one(Member, credential.member_id)
    how = queries.INVITATION if credential.kind == queries.OVER else credential.kind
    return _refused(session, member, how, address, {"for": session.get_one(User, member.user_id).email})


def wrong_old_password(session: Session, actor: Actor) -> None:
    record(session, actor, "password.refused", actor.user_id or "")


def _wrong_consent(session: Session, invitation: Credential, address: str | None) -> None:
    """Somebody guesses at a password: who invited is notified, and in the person's own workspaces that person."""
    member = session.get_one(Member, invitation.member_id)
    user = session.get_one(User, member.user_id)
    home = queries.last_membership(session, user.id)
    for place in [member, *([home] if home and home.id != member.id else [])]:
        _refused(session, place, queries.INVITATION, address, {"for": user.email})
    one = update(Credential).where(Credential.id == invitation.id).values(wrong_tries=Credential.wrong_tries + 1)
    tries = session.scalar(one.returning(Credential.wrong_tries))
    if tries is not None and tries >= MOST_WRONG:
        system = Actor.system(member.workspace_id)
        record(session, system, "invitation.revoked", invitation.id, {"why": f"{tries} wrong passwords"})
        credentials.retire_invitation(session, invitation, "revoked")


def _refused(session: Session, member: Member, how: str, address: str | None, data: JsonObject) -> None:
    record(session, _unknown(member.workspace_id, how, address), "session.refused", member.id, data)


def _unknown(workspace_id: str, how: str, address: str | None) -> Actor:
    return Actor(workspace_id, Role.VIEWER, "unknown", via=how, address=address)


def _stranger(session: Session, how: str, address: str | None, strangers: Rate) -> None:
    """What was typed is not kept: it may be somebody's password."""
    log.warning("a sign-in from %s failed: nobody knows whom it was meant for", address)
    first = queries.first_workspace(session)
    try:
        strangers.count(f"{address}", STRANGERS_FROM_ONE)
        strangers.count("all", STRANGERS_IN_ALL)
    except TooMany:
        return
    if first is not None:
        record(session, _unknown(first, how, address), "session.refused", "", {"for": None})
