"""Credentials (API tokens, sessions, sign-in links, invitations), and what a new one inherits from its maker's.

A credential made with an API token never allows more than that token, and ends with it. One that a person makes in
their own session depends on their membership alone. See docs/decisions/0011.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, Select, and_, delete, or_, select, update
from sqlalchemy.orm import Session, aliased

from signoff.audit.actions import record
from signoff.kit import clock, crypto
from signoff.kit.actor import Actor, Role, Standing
from signoff.kit.db import events
from signoff.kit.errors import Conflict, Forbidden, NotFound
from signoff.workspaces import queries
from signoff.workspaces.models import Credential, Member, User
from signoff.workspaces.queries import INVITATION, LINK, OVER, ROOT, SESSION, TOKEN

SESSION_DAYS = 30
LINK_HOURS = 24
INVITATION_DAYS = 7
# So long an invitation that is over can say why.
OVER_DAYS = 30
# What a browser signs in with; both end when the person gets a new sign-in link.
WAYS_IN = (SESSION, LINK)
PREFIXES = {TOKEN: "sgn", SESSION: "ses", LINK: "link", INVITATION: "inv"}


class IsRoot(Conflict):
    """Nobody can make a credential for the member that `SIGNOFF_TOKEN` is."""

    code = "is_root"


class NotAccepted(Conflict):
    """A sign-in link is only made for a member who has accepted the invitation."""

    code = "not_accepted"


@dataclass(frozen=True)
class Bond:
    """What a new credential inherits from the one that its maker used."""

    bond_id: str | None = None
    scopes: tuple[str, ...] = ()
    standing: Standing = Standing.PERSON
    made_by: str | None = None
    behind: tuple[str, ...] = ()
    read_by: tuple[str, ...] = ()
    root_hash: str | None = None
    expires_at: datetime | None = None
    proved_at: datetime | None = None
    # Only from a session to the one that takes its place.
    by_password: bool = False

    @classmethod
    def of(cls, session: Session, credential: Credential | None) -> "Bond":
        if credential is None:
            return cls()
        # Through a session or a link the token behind it is inherited, not the shorter life of the session.
        source = credential if credential.kind in (TOKEN, ROOT) else session.get(Credential, credential.bond_id or "")
        return cls(
            bond_id=source.id if source else None,
            scopes=tuple(credential.scopes),
            standing=Standing(credential.standing),
            made_by=credential.made_by,
            behind=tuple(credential.behind),
            read_by=tuple(credential.read_by),
            root_hash=credential.root_hash,
            expires_at=source.expires_at if source else None,
            proved_at=credential.proved_at,
        )

    def made_for_another(self, session: Session, actor: Actor) -> "Bond":
        """The same for a credential for another person: it names its makers, and its person has not signed in yet."""
        maker = acting_user_id(session, actor)
        behind = tuple(dict.fromkeys(each for each in actor.made_by if each != maker))
        return replace(self, made_by=maker, behind=behind, proved_at=None)

    def narrowed(self, scopes: list[str]) -> list[str]:
        """The wanted scopes, limited to those of the maker's credential."""
        if not self.scopes or not scopes:
            return list(scopes or self.scopes)
        return [min(_highest(scopes), _highest(self.scopes), key=list(Role).index).value]


def bond_of(session: Session, actor: Actor) -> Bond:
    """What every credential that this actor makes inherits."""
    return Bond.of(session, session.get(Credential, actor.credential_id) if actor.credential_id else None)


def acting_user_id(session: Session, actor: Actor) -> str | None:
    """The user who really acts: of a service token its maker, not the person it was made for."""
    return bond_of(session, actor).made_by if actor.standing is Standing.SERVICE else actor.user_id


def issue_token(
    session: Session, actor: Actor, member: Member, name: str, scopes: list[str], expires_at: datetime | None
) -> tuple[Credential, str]:
    """Make an API token. The secret is shown once and never stored. A token for another person cannot answer asks."""
    _refuse_root(session, actor, member)
    bond = bond_of(session, actor)
    if actor.user_id is not None and member.user_id != actor.user_id:
        bond = replace(bond.made_for_another(session, actor), standing=Standing.SERVICE)
    credential, secret = _issue(session, member, TOKEN, bond, expires_at, name=name, scopes=scopes)
    made = {"name": name, "member": member.id, "for": _email(session, member), "standing": credential.standing}
    record(session, actor, "token.created", credential.id, made | {"scopes": credential.scopes})
    return credential, secret


def revoke_token(session: Session, actor: Actor, token_id: str) -> None:
    """Revoke a token and every credential that was made with it."""
    credential = session.scalar(queries.tokens(actor).where(Credential.id == token_id))
    if credential is None:
        raise NotFound("Token not found.")
    worth = _highest(credential.scopes) if credential.scopes else session.get_one(Member, credential.member_id).as_role
    if actor.scope is not None and not actor.scope.includes(worth):
        raise Forbidden(
            f"Your token is limited to the role {actor.scope.value}, so it cannot create one with more rights."
        )
    record(session, actor, "token.revoked", token_id, {"name": credential.name})
    end(session, actor.workspace_id, Credential.id == token_id)


def issue_link(session: Session, actor: Actor, member: Member) -> str:
    """A sign-in link's secret, good once and for a day. One for another person ends their sessions and is recorded."""
    _refuse_root(session, actor, member)
    if member.accepted_at is None and member.user_id != actor.user_id:
        raise NotAccepted("This person has not accepted their invitation yet. Send a new invitation instead.")
    bond = bond_of(session, actor)
    if actor.user_id is not None and member.user_id != actor.user_id:
        standing = Standing.SERVICE if actor.standing is Standing.SERVICE else Standing.PERSON
        bond = replace(bond.made_for_another(session, actor), standing=standing)
        end(session, actor.workspace_id, Credential.member_id == member.id, Credential.kind.in_(WAYS_IN))
    credential, secret = _issue(session, member, LINK, bond, clock.now() + timedelta(hours=LINK_HOURS))
    add_vouchers(session, member, credential)
    record(session, actor, "link.created", credential.id, {"member": member.id, "for": _email(session, member)})
    return secret


def issue_invitation(session: Session, actor: Actor, member: Member) -> tuple[Credential, str]:
    """The secret that a new member accepts with, good once and for a week. An earlier invitation ends."""
    _refuse_root(session, actor, member)
    for earlier in session.scalars(queries.invitations(actor).where(Credential.member_id == member.id)):
        retire_invitation(session, earlier, "replaced")
    bond = replace(bond_of(session, actor).made_for_another(session, actor), standing=Standing.PERSON, scopes=())
    ends_at = clock.now() + timedelta(days=INVITATION_DAYS)
    credential, secret = _issue(session, member, INVITATION, bond, ends_at)
    made = {"member": member.id, "for": _email(session, member), "role": member.role}
    record(session, actor, "invitation.created", credential.id, made)
    return credential, secret


def revoke_invitation(session: Session, actor: Actor, invitation_id: str) -> None:
    invitation = session.scalar(queries.invitations(actor).where(Credential.id == invitation_id))
    if invitation is None:
        raise NotFound("Invitation not found.")
    record(session, actor, "invitation.revoked", invitation_id)
    retire_invitation(session, invitation, "revoked")


def retire_invitation(session: Session, invitation: Credential, why: str) -> bool:
    """Make it good for nothing but to say why. False: somebody did so first."""
    change = update(Credential).where(Credential.id == invitation.id, Credential.kind == INVITATION)
    return session.scalar(change.values(kind=OVER, name=why).returning(Credential.id)) is not None


def open_session(session: Session, member: Member, bond: Bond, how: str, address: str | None) -> tuple[Actor, str]:
    """A new browser session: its actor, and the secret for the cookie."""
    credential, secret = _issue(session, member, SESSION, bond, clock.now() + timedelta(days=SESSION_DAYS))
    credential.by_password = bond.by_password
    # Where somebody else led, their password leads nobody.
    if not (bond.made_by or bond.read_by or bond.bond_id or bond.root_hash):
        member.opened_at = clock.now()
    actor = queries.actor_of(session, member, SESSION, address, credential)
    record(session, actor, "session.opened", credential.id, {"how": how, "member": member.id})
    return actor, secret


def close_session(session: Session, actor: Actor) -> None:
    """End the session. Credentials made in it stay: they belong to the person."""
    if actor.via != SESSION:
        return
    record(session, actor, "session.closed", actor.credential_id or "")
    end(session, actor.workspace_id, Credential.id == actor.credential_id, Credential.kind == SESSION)


def end(session: Session, workspace_id: str, *which: ColumnElement[bool]) -> None:
    """Delete credentials and all that depend on them, wherever those are; event streams opened with one end."""
    session.flush()
    ending = (Credential.workspace_id == workspace_id, *which)
    elsewhere = session.scalars(_workspaces_of_dependents(ending)).all()
    session.execute(delete(Credential).where(*ending))
    for each in {workspace_id, *elsewhere}:
        recheck_streams(session, each)


def _workspaces_of_dependents(which: tuple[ColumnElement[bool], ...]) -> Select[str]:
    """A token for another workspace depends on the one that made that workspace."""
    ids = select(Credential.id).where(*which).cte(recursive=True)
    dependent = aliased(Credential)
    ids = ids.union(select(dependent.id).join(ids, dependent.bond_id == ids.c.id))
    return select(Credential.workspace_id).where(Credential.id.in_(select(ids.c.id))).distinct()


def recheck_streams(session: Session, workspace_id: str) -> None:
    """Make every open event stream of the workspace check again whether its reader has access."""
    events.emit(session, workspace_id, events.ACCESS_CHANGED, None, {})


def add_vouchers(session: Session, member: Member, way_in: Credential) -> None:
    """Record who could have acted as this person until now: the makers, and all who could have acted as the makers."""
    hands = dict.fromkeys(way_in.hands)
    makers = [queries.membership(session, member.workspace_id, each) for each in hands]
    before = [by for maker in makers if maker for by in maker.vouchers]
    now = clock.now().isoformat()
    acting = {by: now for by in (*hands, *before) if by != member.user_id}
    if acting:
        member.vouchers = {**member.vouchers, **acting}


def read_on_its_way(session: Session, secret: str, readers: Iterable[str]) -> None:
    """A link or invitation goes out by mail: whoever keeps that way could read it and use it first, so whoever does
    use it may be one of them."""
    row = session.scalar(select(Credential).where(Credential.hash == crypto.hash_secret(secret)))
    if row is not None:
        # What the server's own token set up is its operator's, who needs no link to come in.
        others = (each for each in readers if each != queries.root_id(session))
        row.read_by = list(dict.fromkeys([*row.read_by, *others]))


def vouch_for_return(session: Session, actor: Actor, member: Member) -> None:
    """Remember who let somebody in again under an address that was a member's before."""
    maker = acting_user_id(session, actor)
    member.vouchers = {maker: clock.now().isoformat()} if maker else {}


def forget_expired(session: Session, at: datetime) -> None:
    """Delete expired sessions and links, and old invitations. Tokens stay listed: their owner sees why they fail."""
    brief = (Credential.expires_at < at, Credential.kind.not_in((TOKEN, INVITATION, OVER)))
    long = (Credential.expires_at < at - timedelta(days=OVER_DAYS), Credential.kind.in_((INVITATION, OVER)))
    session.execute(delete(Credential).where(or_(and_(*brief), and_(*long))))


def sync_root_credential(session: Session, member: Member, token: str) -> None:
    """Store the hash of the current `SIGNOFF_TOKEN`; delete what was made with an earlier one."""
    root_hash = crypto.hash_secret(token)
    session.execute(delete(Credential).where(Credential.root_hash.is_not(None), Credential.root_hash != root_hash))
    if session.scalar(select(Credential.id).where(Credential.hash == root_hash)) is None:
        where = {"workspace_id": member.workspace_id, "member_id": member.id}
        known = {"kind": ROOT, "name": "SIGNOFF_TOKEN", "hash": root_hash, "root_hash": root_hash}
        session.add(Credential(**where, **known, standing=Standing.ROOT.value))


def _issue(
    session: Session,
    member: Member,
    kind: str,
    bond: Bond,
    expires_at: datetime | None,
    *,
    name: str = "",
    scopes: list[str] | None = None,
) -> tuple[Credential, str]:
    secret = crypto.new_secret(PREFIXES[kind])
    if expires_at is not None and expires_at.tzinfo is None:
        expires_at = expires_at.replace(tzinfo=UTC)
    ends = [at for at in (expires_at, bond.expires_at) if at is not None]
    credential = Credential(
        workspace_id=member.workspace_id,
        member_id=member.id,
        kind=kind,
        hash=crypto.hash_secret(secret),
        name=name,
        scopes=bond.narrowed(scopes or []),
        expires_at=min(ends, default=None),
        bond_id=bond.bond_id,
        standing=bond.standing.value,
        made_by=bond.made_by,
        behind=list(bond.behind),
        read_by=list(bond.read_by),
        root_hash=bond.root_hash,
        proved_at=bond.proved_at,
    )
    session.add(credential)
    session.flush()
    return credential, secret


def _refuse_root(session: Session, actor: Actor, member: Member) -> None:
    if member.user_id != actor.user_id and member.user_id == queries.root_id(session):
        raise IsRoot("This is SIGNOFF_TOKEN itself. It cannot be invited or get a link.")


def _highest(scopes: list[str] | tuple[str, ...]) -> Role:
    return max((Role(scope) for scope in scopes), key=list(Role).index)


def _email(session: Session, member: Member) -> str:
    return session.get_one(User, member.user_id).email
