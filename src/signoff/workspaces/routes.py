from sqlalchemy.orm import Session

from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Forbidden, Invalid
from signoff.kit.paging import Page, page
from signoff.kit.routing import Paging, api_router, errors
from signoff.workspaces import actions, credentials, queries, switching
from signoff.workspaces.access import Caller
from signoff.workspaces.models import Credential, Member, User, Workspace
from signoff.workspaces.schemas import (
    Me,
    MemberChange,
    MemberIn,
    MemberOut,
    NewToken,
    Preferences,
    SettingsChange,
    SettingsOut,
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
    return caller.read(who_is)


@router.get("/me/preferences")
def get_preferences(caller: Caller) -> Preferences:
    """How you want to be told."""
    return caller.read(lambda s, actor: Preferences.model_validate(queries.member_by_user(s, actor, None).preferences))


@router.put("/me/preferences", responses=errors(Invalid))
def put_preferences(body: Preferences, caller: Caller) -> Preferences:
    """Choose how you want to be told. A channel that is not there is refused, with the names of those that are."""

    def work(session: Session, actor: Actor) -> Preferences:
        actions.prefer(session, actor, queries.member_by_user(session, actor, None), body)
        return body

    return caller.write(work, Role.VIEWER)


@router.get("/settings")
def get_settings(caller: Caller) -> SettingsOut:
    """What holds for the whole workspace."""
    return caller.read(lambda session, actor: _settings(session, actor, caller.settings.base_url))


@router.patch("/settings")
def change_settings(body: SettingsChange, caller: Caller) -> SettingsOut:
    """Change what holds for the whole workspace; what is absent stays."""

    def work(session: Session, actor: Actor) -> SettingsOut:
        actions.change_settings(session, actor, body)
        return _settings(session, actor, caller.settings.base_url)

    return caller.write(work, Role.ADMIN)


def _settings(session: Session, actor: Actor, base_url: str) -> SettingsOut:
    settings = WorkspaceSettings.model_validate(session.get_one(Workspace, actor.workspace_id))
    return SettingsOut(**settings.model_dump(), base_url=base_url)


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


@router.patch("/members/{member_id}", responses=errors(actions.LastAdmin, switching.LastInstallationAdmin))
def change_member(member_id: str, body: MemberChange, caller: Caller) -> MemberOut:
    def work(session: Session, actor: Actor) -> MemberOut:
        member = queries.member(session, actor, member_id)
        if body.role is not None:
            actions.change_role(session, actor, member, body.role)
        if body.installation_admin is not None:
            switching.name_installation_admin(session, actor, member, body.installation_admin)
        return _member(member, session.get_one(User, member.user_id))

    return caller.write(work, Role.ADMIN)


@router.delete(
    "/members/{member_id}", status_code=204, responses=errors(actions.LastAdmin, switching.LastInstallationAdmin)
)
def remove_member(member_id: str, caller: Caller) -> None:
    caller.write(lambda s, actor: actions.remove_member(s, actor, queries.member(s, actor, member_id)), Role.ADMIN)


def who_is(session: Session, actor: Actor) -> Me:
    """The caller, as they are told."""
    member = queries.member_by_user(session, actor, None)
    user = session.get_one(User, member.user_id)
    workspace = session.get_one(Workspace, actor.workspace_id)
    return Me(
        user=UserOut(id=user.id, email=user.email, name=member.name_of(user)),
        workspace=WorkspaceOut(id=workspace.id, name=workspace.name),
        role=actor.role,
        standing=actor.standing,
        installation_admin=switching.is_installation_admin(session, actor),
        has_password=user.password_hash is not None,
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
        installation_admin=user.installation_admin,
        is_root=user.email == queries.ROOT_EMAIL,
    )
