from contextlib import suppress

from fastapi import Depends, Response
from sqlalchemy.orm import Session

from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Forbidden, Invalid, TooMany, Unauthorized
from signoff.kit.paging import Page, page
from signoff.kit.routing import Paging, api_router, errors
from signoff.workspaces import actions, credentials, failed_sign_ins, passwords, queries
from signoff.workspaces import sign_in as by
from signoff.workspaces.access import COOKIE, Access, Caller
from signoff.workspaces.models import Credential, Member, User, Workspace
from signoff.workspaces.origin import ForeignOrigin, refuse_foreign_sign_in
from signoff.workspaces.schemas import (
    InvitationIn,
    InvitationOut,
    Me,
    MemberChange,
    MemberIn,
    MemberOut,
    NewInvitation,
    NewToken,
    PasswordIn,
    Preferences,
    SignIn,
    TokenIn,
    TokenOut,
    UserOut,
    WorkspaceOut,
    WorkspaceSettings,
)

router = api_router("people", "/api")


@router.get("/me")
def me(caller: Caller) -> Me:
    """Who you are here."""
    return caller.read(_me)


@router.get("/me/preferences")
def get_preferences(caller: Caller) -> Preferences:
    """How you want to be told."""
    return caller.read(lambda s, actor: Preferences.model_validate(queries.member_by_user(s, actor, None).preferences))


@router.put("/me/preferences")
def put_preferences(body: Preferences, caller: Caller) -> Preferences:
    def work(session: Session, actor: Actor) -> Preferences:
        queries.member_by_user(session, actor, None).preferences = body.model_dump()
        return body

    return caller.write(work, Role.VIEWER)


@router.get("/settings")
def get_settings(caller: Caller) -> WorkspaceSettings:
    """What holds for the whole workspace."""
    return caller.read(_settings)


@router.patch("/settings")
def change_settings(body: WorkspaceSettings, caller: Caller) -> WorkspaceSettings:
    """Change what holds for the whole workspace; what is absent stays."""

    def work(session: Session, actor: Actor) -> WorkspaceSettings:
        actions.change_settings(session, actor, body)
        return _settings(session, actor)

    return caller.write(work, Role.ADMIN)


def _settings(session: Session, actor: Actor) -> WorkspaceSettings:
    return WorkspaceSettings.model_validate(session.get_one(Workspace, actor.workspace_id))


@router.post(
    "/auth/sign-in",
    dependencies=[Depends(refuse_foreign_sign_in)],
    responses=errors(Unauthorized, ForeignOrigin, TooMany),
)
def sign_in(body: SignIn, caller: Caller, response: Response) -> Me:
    """Trade a one-time link, an invitation, an API token, or e-mail and password for a session cookie."""
    most = caller.settings.sign_in_tries_per_minute
    caller.attempts.sign_ins.count_address(caller.address, most)
    if body.token is not None:
        me, secret = _by_token(caller, body.token, body.password)
    elif body.email is not None and body.password is not None:
        caller.attempts.sign_ins.count_person(body.email.strip().lower(), caller.address, most)
        me, secret = _by_password(caller, body.email, body.password)
    else:
        raise Invalid("Send a token, or an e-mail and a password.")
    caller.attempts.sign_ins.proved(me.user.email, caller.address)
    seconds = credentials.SESSION_DAYS * 24 * 3600
    secure = caller.settings.by_https
    response.set_cookie(COOKIE, secret, max_age=seconds, httponly=True, samesite="strict", secure=secure)
    return me


@router.post("/auth/sign-out", status_code=204, dependencies=[Depends(refuse_foreign_sign_in)])
def sign_out(caller: Caller, response: Response) -> None:
    with suppress(Unauthorized):
        caller.write(credentials.close_session, Role.VIEWER)
    response.delete_cookie(COOKIE)


@router.post("/auth/password", status_code=204)
def set_password(body: PasswordIn, caller: Caller) -> None:
    """Set your password: in a session, with the old one or within ten minutes of signing in."""

    def look(session: Session, actor: Actor) -> tuple[str, str | None]:
        passwords.require_may_set(session, actor, knows_old=body.old_password is not None)
        return actor.label, passwords.known_hash(session, actor)

    who, before = caller.read(look)
    knows_old = False
    if body.old_password is not None:
        caller.attempts.sign_ins.count_person(who, caller.address, caller.settings.sign_in_tries_per_minute)
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


@router.get("/invitations")
def list_invitations(caller: Caller, window: Paging) -> Page[InvitationOut]:
    """Who has not accepted yet."""

    def work(session: Session, actor: Actor) -> Page[InvitationOut]:
        found = page(session, queries.invitations(actor), [Credential.id], window, lambda row: row)
        invited = queries.people_of(session, (row.member_id for row in found.items))
        return found.of([_invitation(row, *invited[row.member_id]) for row in found.items])

    return caller.read(work, Role.ADMIN)


@router.post("/invitations", status_code=201, responses=errors(actions.AlreadyMember))
def invite(body: InvitationIn, caller: Caller) -> NewInvitation:
    """Invite somebody. They become a member who decides when they sign in with the link."""

    def work(session: Session, actor: Actor) -> NewInvitation:
        row, secret = actions.invite(session, actor, body.email, body.name, body.role)
        invited = queries.people_of(session, [row.member_id])[row.member_id]
        return NewInvitation(**_invitation(row, *invited).model_dump(), url=caller.sign_in_url(secret))

    return caller.write(work, Role.ADMIN)


@router.delete("/invitations/{invitation_id}", status_code=204)
def revoke_invitation(invitation_id: str, caller: Caller) -> None:
    """The link is no longer good. Who was invited stays listed as a member until removed."""
    caller.write(lambda session, actor: credentials.revoke_invitation(session, actor, invitation_id), Role.ADMIN)


@router.get("/tokens")
def list_tokens(caller: Caller, window: Paging) -> Page[TokenOut]:
    def work(session: Session, actor: Actor) -> Page[TokenOut]:
        found = page(session, queries.tokens(actor), [Credential.id], window, lambda row: row)
        owners = queries.users_by_member(session, (row.member_id for row in found.items))
        return found.of([TokenOut.of(row, owners[row.member_id]) for row in found.items])

    return caller.read(work, Role.VIEWER)


@router.post("/tokens", status_code=201)
def create_token(body: TokenIn, caller: Caller) -> NewToken:
    """Make an API token. The secret is in this answer and nowhere else."""

    def work(session: Session, actor: Actor) -> NewToken:
        member = queries.member_by_user(session, actor, body.user)
        if member.user_id != actor.user_id and not actor.role.includes(Role.ADMIN):
            raise Forbidden("Only an admin can create tokens for others.")
        row, secret = credentials.issue_token(
            session, actor, member, body.name, [role.value for role in body.scopes], body.expires_at
        )
        return NewToken(**TokenOut.of(row, session.get_one(User, member.user_id)).model_dump(), token=secret)

    return caller.write(work, Role.VIEWER)


@router.delete("/tokens/{token_id}", status_code=204)
def revoke_token(token_id: str, caller: Caller) -> None:
    """Revoke a token: an admin anybody's, others their own."""
    caller.write(lambda session, actor: credentials.revoke_token(session, actor, token_id), Role.VIEWER)


@router.get("/members")
def list_members(caller: Caller, window: Paging) -> Page[MemberOut]:
    def work(session: Session, actor: Actor) -> Page[MemberOut]:
        found = page(session, queries.members(actor), [Member.id], window, lambda row: row)
        users = queries.users_by_member(session, (row.id for row in found.items))
        return found.of([_member(row, users[row.id]) for row in found.items])

    return caller.read(work)


@router.post("/members", status_code=201)
def add_member(body: MemberIn, caller: Caller) -> MemberOut:
    def work(session: Session, actor: Actor) -> MemberOut:
        member = actions.add_member(session, actor, body.email, body.name, body.role)
        return _member(member, session.get_one(User, member.user_id))

    return caller.write(work, Role.ADMIN)


@router.patch("/members/{member_id}", responses=errors(actions.LastAdmin))
def change_member(member_id: str, body: MemberChange, caller: Caller) -> MemberOut:
    def work(session: Session, actor: Actor) -> MemberOut:
        member = queries.member(session, actor, member_id)
        actions.change_role(session, actor, member, body.role)
        return _member(member, session.get_one(User, member.user_id))

    return caller.write(work, Role.ADMIN)


@router.delete("/members/{member_id}", status_code=204, responses=errors(actions.LastAdmin))
def remove_member(member_id: str, caller: Caller) -> None:
    caller.write(lambda s, actor: actions.remove_member(s, actor, queries.member(s, actor, member_id)), Role.ADMIN)


def _by_token(caller: Access, secret: str, password: str | None) -> tuple[Me, str]:
    root = caller.settings.token
    shown = _shown(caller, secret, password)

    def work(session: Session) -> tuple[Me, str]:
        actor, opened = by.by_secret(session, secret, root, shown, caller.address)
        return _me(session, actor), opened

    try:
        return caller.db.write(work)
    except Unauthorized:
        address, strangers = caller.address, caller.attempts.strangers
        caller.db.write(lambda session: failed_sign_ins.wrong_secret(session, secret, shown, address, strangers))
        raise


def _shown(caller: Access, secret: str, password: str | None) -> by.Shown:
    """Whatever takes long, or is known already, about somebody who accepts an invitation."""

    def look(session: Session) -> tuple[str | None, User | None]:
        found = queries.holder(session, secret, caller.settings.token)
        if found is None or found[0].kind != queries.INVITATION:
            return None, None
        user = session.get_one(User, found[1].user_id)
        return by.signed_in(session, caller.cookie, caller.settings.token), user

    user_id, invited = caller.db.read(look)
    if invited is None or password is None:
        return by.Shown(user_id=user_id)
    known = invited.password_hash
    if known is not None:
        caller.attempts.sign_ins.count_person(invited.email, caller.address, caller.settings.sign_in_tries_per_minute)
        return by.Shown(known, fits=passwords.fits(known, password), user_id=user_id)
    return by.Shown(new_hash=passwords.hashed(password), user_id=user_id)


def _by_password(caller: Access, email: str, password: str) -> tuple[Me, str]:
    user = caller.db.read(lambda session: queries.user_by_email(session, email))
    known = user.password_hash if user else None
    # Compared in any case: who is unknown takes as long as who is not.
    fits = passwords.fits(known, password)

    def work(session: Session) -> tuple[Me, str]:
        actor, opened = by.by_password(session, user if fits else None, known, caller.address)
        return _me(session, actor), opened

    try:
        return caller.db.write(work)
    except Unauthorized:
        address, strangers = caller.address, caller.attempts.strangers
        caller.db.write(lambda session: failed_sign_ins.wrong_password(session, user, address, strangers))
        raise


def _invitation(row: Credential, member: Member, user: User) -> InvitationOut:
    return InvitationOut(
        id=row.id,
        email=user.email,
        name=member.name_of(user),
        role=member.as_role,
        created_at=row.created_at,
        expires_at=row.expires_at,
    )


def _me(session: Session, actor: Actor) -> Me:
    member = queries.member_by_user(session, actor, None)
    user = session.get_one(User, member.user_id)
    workspace = session.get_one(Workspace, actor.workspace_id)
    return Me(
        user=UserOut(id=user.id, email=user.email, name=member.name_of(user)),
        workspace=WorkspaceOut(id=workspace.id, name=workspace.name),
        role=actor.role,
        standing=actor.standing,
    )


def _member(row: Member, user: User) -> MemberOut:
    return MemberOut(
        id=row.id,
        user_id=user.id,
        email=user.email,
        name=row.name_of(user),
        role=row.as_role,
        created_at=row.created_at,
        accepted_at=row.accepted_at,
    )
