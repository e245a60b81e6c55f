from fastapi import APIRouter, Depends, Response
from sqlalchemy.orm import Session

from signoff.kit.actor import Actor, Role
from signoff.kit.crypto import same
from signoff.kit.errors import Forbidden, Invalid, TooMany, Unauthorized
from signoff.kit.paging import Page, page
from signoff.kit.rates import Rate
from signoff.kit.web import Paging, errors
from signoff.workspaces import actions, queries
from signoff.workspaces.access import COOKIE, Caller
from signoff.workspaces.models import Credential, Member, User, Workspace
from signoff.workspaces.origin import ForeignOrigin, refuse_foreign_sign_in
from signoff.workspaces.schemas import (
    LinkOut,
    Me,
    MemberChange,
    MemberIn,
    MemberOut,
    NewToken,
    PasswordIn,
    Preferences,
    SignIn,
    TokenIn,
    TokenOut,
    UserOut,
    WorkspaceOut,
)

router = APIRouter(prefix="/api", tags=["people"])
sign_in_rate = Rate(seconds=60)


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


@router.post(
    "/auth/sign-in",
    dependencies=[Depends(refuse_foreign_sign_in)],
    responses=errors(Unauthorized, ForeignOrigin, TooMany),
)
def sign_in(body: SignIn, caller: Caller, response: Response) -> Me:
    """Trade a one-time link, an API token, or e-mail and password for a session cookie."""
    sign_in_rate.count(caller.address or "", caller.settings.sign_in_tries_per_minute)

    def work(session: Session) -> tuple[Me, str]:
        if body.token is not None:
            member, secret = _by_token(session, caller.settings.token, body.token)
        elif body.email is not None and body.password is not None:
            member, secret = actions.sign_in_with_password(session, body.email, body.password)
        else:
            raise Invalid("Give a token, or an e-mail and a password.")
        return _me(session, queries.actor_of(session, member, "session")), secret

    told, secret = caller.db.write(work)
    seconds = actions.SESSION_DAYS * 24 * 3600
    secure = caller.settings.by_https
    response.set_cookie(COOKIE, secret, max_age=seconds, httponly=True, samesite="strict", secure=secure)
    return told


@router.post("/auth/sign-out", status_code=204, dependencies=[Depends(refuse_foreign_sign_in)])
def sign_out(caller: Caller, response: Response) -> None:
    if caller.cookie:
        secret = caller.cookie
        caller.db.write(lambda session: actions.close_session(session, secret))
    response.delete_cookie(COOKIE)


@router.post("/auth/password", status_code=204)
def set_password(body: PasswordIn, caller: Caller) -> None:
    caller.write(lambda session, actor: actions.set_password(session, actor, body.password), Role.VIEWER)


@router.post("/auth/links")
def make_link(caller: Caller) -> LinkOut:
    """A new one-time sign-in link for yourself."""

    def work(session: Session, actor: Actor) -> LinkOut:
        secret = actions.issue_link(session, queries.member_by_user(session, actor, None))
        return LinkOut(url=f"{caller.settings.base_url}/sign-in?token={secret}")

    return caller.write(work, Role.VIEWER)


@router.get("/tokens")
def list_tokens(caller: Caller, window: Paging) -> Page[TokenOut]:
    def work(session: Session, actor: Actor) -> Page[TokenOut]:
        found = page(session, queries.tokens(actor), [Credential.id], window, lambda row: row)
        owners = queries.users_by_member(session, (row.member_id for row in found.items))
        return found.of([_token(row, owners[row.member_id]) for row in found.items])

    return caller.read(work, Role.VIEWER)


@router.post("/tokens", status_code=201)
def create_token(body: TokenIn, caller: Caller) -> NewToken:
    """Make an API token. The secret is in this answer and nowhere else."""

    def work(session: Session, actor: Actor) -> NewToken:
        member = queries.member_by_user(session, actor, body.user)
        if member.user_id != actor.user_id and not actor.role.includes(Role.ADMIN):
            raise Forbidden("Only an admin makes tokens for others.")
        row, secret = actions.issue_token(
            session, actor, member, body.name, [role.value for role in body.scopes], body.expires_at
        )
        return NewToken(**_token(row, session.get_one(User, member.user_id)).model_dump(), token=secret)

    return caller.write(work)


@router.delete("/tokens/{token_id}", status_code=204)
def revoke_token(token_id: str, caller: Caller) -> None:
    """Revoke a token: an admin anybody's, others their own."""
    caller.write(lambda session, actor: actions.revoke_token(session, actor, token_id), Role.VIEWER)


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


def _by_token(session: Session, root_token: str, given: str) -> tuple[Member, str]:
    admin = queries.first_admin(session)
    if root_token and admin is not None and same(given, root_token):
        return admin, actions.open_session(session, admin)
    return actions.sign_in_with_link(session, given)


def _me(session: Session, actor: Actor) -> Me:
    user = session.get_one(User, actor.user_id)
    workspace = session.get_one(Workspace, actor.workspace_id)
    return Me(
        user=UserOut(id=user.id, email=user.email, name=user.name),
        workspace=WorkspaceOut(id=workspace.id, name=workspace.name),
        role=actor.role,
    )


def _token(row: Credential, owner: User) -> TokenOut:
    return TokenOut(
        id=row.id,
        name=row.name,
        user=owner.email,
        scopes=row.scopes,
        created_at=row.created_at,
        expires_at=row.expires_at,
    )


def _member(row: Member, user: User) -> MemberOut:
    return MemberOut(
        id=row.id, user_id=user.id, email=user.email, name=user.name, role=row.as_role, created_at=row.created_at
    )
