"""Coming in and going out: signing in, invitations as they are opened, passwords."""

from contextlib import suppress
from dataclasses import replace

from fastapi import Depends, Response
from sqlalchemy.orm import Session

from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Invalid, TooMany, Unauthorized
from signoff.kit.routing import api_router, errors
from signoff.workspaces import credentials, queries
from signoff.workspaces.access import COOKIE, Access, Caller, keep_session
from signoff.workspaces.models import Credential, User, Workspace
from signoff.workspaces.origin import ForeignOrigin, refuse_foreign_sign_in
from signoff.workspaces.routes import who_is
from signoff.workspaces.schemas import InvitationIsFrom, InvitationToken, Me, OpenedInvitation, PasswordIn, SignIn
from signoff.workspaces.sign_in import actions as by
from signoff.workspaces.sign_in import failed_sign_ins, passwords

router = api_router("people", "/api/auth")


@router.post(
    "/invitation",
    dependencies=[Depends(refuse_foreign_sign_in)],
    responses=errors(by.InvitationOver, ForeignOrigin, TooMany),
)
def open_invitation(body: InvitationToken, caller: Caller) -> OpenedInvitation:
    """What an invitation is for, to whoever has its link. It stays good."""
    caller.attempts.sign_ins.count_address(caller.address, caller.settings.sign_in_tries_per_minute)
    try:
        return caller.db.read(lambda session: _opened(session, caller, body.token))
    except Unauthorized:
        _record_wrong_secret(caller, body.token, by.Shown())
        raise


def _opened(session: Session, caller: Access, secret: str) -> OpenedInvitation:
    found = queries.holder(session, secret, caller.settings.token)
    if found is None or found[0].kind != queries.INVITATION:
        raise by.InvitationOver(by.why_over(session, secret))
    invitation, member = found
    user = session.get_one(User, member.user_id)
    shown = _browser(session, caller)
    has_account = by.needs_proof(session, member, user)
    is_known = shown.user_id == user.id if has_account else by.joins(session, user, shown) is not None
    return OpenedInvitation(
        workspace=session.get_one(Workspace, member.workspace_id).name,
        role=member.as_role,
        email=user.email,
        name=member.name_of(user),
        invited_by=_inviter(session, invitation),
        expires_at=invitation.expires_at,
        accept="session" if is_known else "password" if has_account else "new",
    )


def _inviter(session: Session, invitation: Credential) -> InvitationIsFrom | None:
    maker = session.get(User, invitation.made_by or "")
    if maker is None or maker.email == queries.ROOT_EMAIL:
        return None
    # The one who starts a server has an address that no mail reaches.
    return InvitationIsFrom(name=maker.name, email=None if maker.email.endswith("@localhost") else maker.email)


@router.post(
    "/sign-in",
    dependencies=[Depends(refuse_foreign_sign_in)],
    responses=errors(Unauthorized, by.InvitationOver, ForeignOrigin, TooMany),
)
def sign_in(body: SignIn, caller: Caller, response: Response) -> Me:
    """Trade a one-time link, an invitation, an API token, or email and password for a session cookie."""
    most = caller.settings.sign_in_tries_per_minute
    caller.attempts.sign_ins.count_address(caller.address, most)
    if body.token is not None:
        me, secret = _by_token(caller, body.token, body.password, body.name)
    elif body.email is not None and body.password is not None:
        me, secret = _by_password(caller, body.email, body.password)
    else:
        raise Invalid("Send a token, or an email and a password.")
    caller.attempts.sign_ins.proved(me.user.id, caller.address)
    keep_session(response, caller.settings, secret)
    return me


@router.post("/sign-out", status_code=204, dependencies=[Depends(refuse_foreign_sign_in)])
def sign_out(caller: Caller, response: Response) -> None:
    with suppress(Unauthorized):
        caller.write(credentials.close_session, Role.VIEWER)
    response.delete_cookie(COOKIE)


@router.post("/password", status_code=204)
def set_password(body: PasswordIn, caller: Caller) -> None:
    """Set your password: in a session, with the old one or within ten minutes of signing in."""

    def look(session: Session, actor: Actor) -> tuple[str, str | None]:
        passwords.require_may_set(session, actor, knows_old=body.old_password is not None)
        return actor.user_id or "", passwords.known_hash(session, actor)

    who, before = caller.read(look)
    knows_old = False
    if body.old_password is not None:
        caller.attempts.sign_ins.count_account(who, caller.address, caller.settings.sign_in_tries_per_minute)
        knows_old = passwords.fits(before, body.old_password)
        if not knows_old:
            caller.db.write(
                lambda session: failed_sign_ins.wrong_old_password(session, caller.actor(session, Role.VIEWER))
            )
    caller.read(lambda session, actor: passwords.require_may_set(session, actor, knows_old=knows_old))
    new = passwords.hashed(body.password)

    def work(session: Session, actor: Actor) -> None:
        passwords.require_may_set(session, actor, knows_old=knows_old)
        passwords.put(session, actor, new, before)

    caller.write(work, Role.VIEWER)


def _by_token(caller: Access, secret: str, password: str | None, name: str | None) -> tuple[Me, str]:
    root = caller.settings.token
    shown = _shown(caller, secret, password, name)

    def work(session: Session) -> tuple[Me, str]:
        actor, opened = by.by_secret(session, secret, root, shown, caller.address)
        return who_is(session, actor), opened

    try:
        return caller.db.write(work)
    except Unauthorized:
        _record_wrong_secret(caller, secret, shown)
        raise


def _record_wrong_secret(caller: Access, secret: str, shown: by.Shown) -> None:
    address, strangers = caller.address, caller.attempts.strangers
    caller.db.write(lambda session: failed_sign_ins.wrong_secret(session, secret, shown, address, strangers))


def _shown(caller: Access, secret: str, password: str | None, name: str | None) -> by.Shown:
    """Whatever takes long, or is known already, about somebody who accepts an invitation."""

    def look(session: Session) -> tuple[by.Shown, User | None]:
        found = queries.holder(session, secret, caller.settings.token)
        if found is None or found[0].kind != queries.INVITATION:
            return by.Shown(), None
        return _browser(session, caller, name), session.get_one(User, found[1].user_id)

    shown, invited = caller.db.read(look)
    if invited is None or password is None:
        return shown
    known = invited.password_hash
    if known is not None:
        caller.attempts.sign_ins.count_account(invited.id, caller.address, caller.settings.sign_in_tries_per_minute)
        return replace(shown, compared=known, fits=passwords.fits(known, password))
    return replace(shown, new_hash=passwords.hashed(password))


def _browser(session: Session, caller: Access, name: str | None = None) -> by.Shown:
    """Who is signed in where the invitation was opened."""
    own = by.own_session(session, caller.cookie, caller.settings.token)
    if own is None:
        return by.Shown(name=name)
    credential, member = own
    return by.Shown(name=name, user_id=member.user_id, by_password=credential.by_password)


def _by_password(caller: Access, email: str, password: str) -> tuple[Me, str]:
    accounts, ids = caller.db.read(lambda s: (queries.accounts(s, email), queries.ids_of_address(s, email)))
    full = _count(caller, ids or [email.strip().lower()])
    compared = [each for each in accounts if each.id not in full]
    if full and not compared:
        raise next(iter(full.values()))
    # Compared in any case: who is unknown takes as long as who is not.
    user = next((each for each in compared if passwords.fits(each.password_hash, password)), None)
    if not accounts:
        passwords.fits(None, password)

    def work(session: Session) -> tuple[Me, str]:
        actor, opened = by.by_password(session, user, user.password_hash if user else None, caller.address)
        return who_is(session, actor), opened

    try:
        return caller.db.write(work)
    except Unauthorized:
        address, attempts = caller.address, caller.attempts
        caller.db.write(lambda session: failed_sign_ins.wrong_password(session, accounts, address, attempts))
        if full:
            # As if no other account had been compared: whether there is one is nobody's business.
            raise next(iter(full.values())) from None
        raise


def _count(caller: Access, accounts: list[str]) -> dict[str, TooMany]:
    """Count a try for each account that it may be aimed at; returns those that had too many."""
    full, most = dict[str, TooMany](), caller.settings.sign_in_tries_per_minute
    for account in accounts:
        try:
            caller.attempts.sign_ins.count_account(account, caller.address, most)
        except TooMany as error:
            full[account] = error
    return full
