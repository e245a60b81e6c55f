"""What lets people and programs in, and what they may make from it.

Whatever an API token makes is bound to that token: it has at most its role, and ends with it. What people make in a
session of their own is bound to their membership alone. See docs/decisions/0011.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.kit import clock, crypto
from signoff.kit.actor import Actor, Role, Standing
from signoff.kit.db import events
from signoff.kit.errors import Conflict, Forbidden, NotFound
from signoff.workspaces import queries
from signoff.workspaces.models import Credential, Member, User
from signoff.workspaces.queries import INVITATION, LINK, ROOT, SESSION, TOKEN

SESSION_DAYS = 30
LINK_HOURS = 24
INVITATION_DAYS = 7
# What a browser comes in by; both end when a person's way in is made anew.
WAYS_IN = (SESSION, LINK)
PREFIXES = {TOKEN: "sgn", SESSION: "ses", LINK: "link", INVITATION: "inv"}


class IsRoot(Conflict):
    """`SIGNOFF_TOKEN` is nobody whom others could let in."""

    code = "is_root"


class NotAccepted(Conflict):
    """Nobody is let in as somebody who has not agreed to be here."""

    code = "not_accepted"


@dataclass(frozen=True)
class Bond:
    """What a new credential inherits from the one that its maker came with."""

    bond_id: str | None = None
    scopes: tuple[str, ...] = ()
    standing: Standing = Standing.PERSON
    made_by: str | None = None
    behind: tuple[str, ...] = ()
    seal: str | None = None
    expires_at: datetime | None = None
    proved_at: datetime | None = None

    @classmethod
    def of(cls, session: Session, held: Credential | None) -> "Bond":
        if held is None:
            return cls()
        # A session or link hands on the bond of the token behind it, not its own shorter life.
        source = held if held.kind in (TOKEN, ROOT) else session.get(Credential, held.bond_id or "")
        return cls(
            bond_id=source.id if source else None,
            scopes=tuple(held.scopes),
            standing=Standing(held.standing),
            made_by=held.made_by,
            behind=tuple(held.behind),
            seal=held.seal,
            expires_at=source.expires_at if source else None,
            proved_at=held.proved_at,
        )

    def by(self, session: Session, actor: Actor) -> "Bond":
        """The same for what the actor makes for somebody else, who has proved nothing yet."""
        hand = hand_of(session, actor)
        behind = tuple(dict.fromkeys(each for each in actor.made_by if each != hand))
        return replace(self, made_by=hand, behind=behind, proved_at=None)

    def narrowed(self, scopes: list[str]) -> list[str]:
        """The wanted scopes, but never more than what they are made with."""
        if not self.scopes or not scopes:
            return list(scopes or self.scopes)
        return [min(_highest(scopes), _highest(self.scopes), key=list(Role).index).value]


def bond_of(session: Session, actor: Actor) -> Bond:
    """What binds everything that this actor makes."""
    return Bond.of(session, session.get(Credential, actor.credential_id) if actor.credential_id else None)


def hand_of(session: Session, actor: Actor) -> str | None:
    """Who really acts: whoever made the service token, not the person it was made for."""
    return bond_of(session, actor).made_by if actor.standing is Standing.SERVICE else actor.user_id


def issue_token(
    session: Session, actor: Actor, member: Member, name: str, scopes: list[str], expires_at: datetime | None
) -> tuple[Credential, str]:
    """Make an API token. The secret is shown once and never stored. One for somebody else answers no ask."""
    _see_not_root(session, actor, member)
    bond = bond_of(session, actor)
    if actor.user_id is not None and member.user_id != actor.user_id:
        bond = replace(bond.by(session, actor), standing=Standing.SERVICE)
    credential, secret = _issue(session, member, TOKEN, bond, expires_at, name=name, scopes=scopes)
    made = {"name": name, "member": member.id, "for": _email(session, member), "standing": credential.standing}
    record(session, actor, "token.created", credential.id, made | {"scopes": credential.scopes})
    return credential, secret


def revoke_token(session: Session, actor: Actor, token_id: str) -> None:
    """Everything made with the token ends with it."""
    credential = session.scalar(queries.tokens(actor).where(Credential.id == token_id))
    if credential is None:
        raise NotFound("There is no such token.")
    worth = _highest(credential.scopes) if credential.scopes else session.get_one(Member, credential.member_id).as_role
    if actor.scope is not None and not actor.scope.includes(worth):
        raise Forbidden(f"The token that you came with is for a {actor.scope.value}; this one may more.")
    record(session, actor, "token.revoked", token_id, {"name": credential.name})
    end(session, actor.workspace_id, Credential.id == token_id)


def issue_link(session: Session, actor: Actor, member: Member) -> str:
    """A sign-in link's secret: works once, for a day. One for somebody else ends theirs, and is remembered."""
    _see_not_root(session, actor, member)
    bond = bond_of(session, actor)
    if actor.user_id is not None and member.user_id != actor.user_id:
        if member.accepted_at is None:
            raise NotAccepted("This person has not accepted yet; send them an invitation instead.")
        standing = Standing.SERVICE if actor.standing is Standing.SERVICE else Standing.PERSON
        bond = replace(bond.by(session, actor), standing=standing)
        end(session, actor.workspace_id, Credential.member_id == member.id, Credential.kind.in_(WAYS_IN))
    credential, secret = _issue(session, member, LINK, bond, clock.now() + timedelta(hours=LINK_HOURS))
    vouch(session, member, credential)
    record(session, actor, "link.created", credential.id, {"member": member.id, "for": _email(session, member)})
    return secret


def issue_invitation(session: Session, actor: Actor, member: Member) -> tuple[Credential, str]:
    """The secret by which a new member accepts: works once, for a week; an earlier one ends."""
    _see_not_root(session, actor, member)
    end(session, actor.workspace_id, Credential.member_id == member.id, Credential.kind == INVITATION)
    bond = replace(bond_of(session, actor).by(session, actor), standing=Standing.PERSON, scopes=())
    ends_at = clock.now() + timedelta(days=INVITATION_DAYS)
    credential, secret = _issue(session, member, INVITATION, bond, ends_at)
    made = {"member": member.id, "for": _email(session, member), "role": member.role}
    record(session, actor, "invitation.created", credential.id, made)
    return credential, secret


def revoke_invitation(session: Session, actor: Actor, invitation_id: str) -> None:
    if session.scalar(queries.invitations(actor).where(Credential.id == invitation_id)) is None:
        raise NotFound("There is no such invitation.")
    record(session, actor, "invitation.revoked", invitation_id)
    end(session, actor.workspace_id, Credential.id == invitation_id)


def open_session(session: Session, member: Member, bond: Bond, how: str, address: str | None) -> tuple[Actor, str]:
    """A browser session, and who acts in it; the secret goes into the cookie."""
    credential, secret = _issue(session, member, SESSION, bond, clock.now() + timedelta(days=SESSION_DAYS))
    actor = queries.actor_of(session, member, SESSION, address, credential)
    record(session, actor, "session.opened", credential.id, {"how": how, "member": member.id})
    return actor, secret


def close_session(session: Session, actor: Actor) -> None:
    """What was made in the session stays: it belongs to the person, not to the browser."""
    if actor.via != SESSION:
        return
    record(session, actor, "session.closed", actor.credential_id or "")
    end(session, actor.workspace_id, Credential.id == actor.credential_id, Credential.kind == SESSION)


def end(session: Session, workspace_id: str, *which: ColumnElement[bool]) -> None:
    """Credentials, and all that is bound to them, are no more; streams that were opened with one end."""
    session.flush()
    session.execute(delete(Credential).where(Credential.workspace_id == workspace_id, *which))
    tell(session, workspace_id)


def tell(session: Session, workspace_id: str) -> None:
    """Let every open stream of the workspace look again whether it may go on."""
    events.emit(session, workspace_id, events.ACCESS_CHANGED, None, {})


def vouch(session: Session, member: Member, way_in: Credential) -> None:
    """Remember who could have acted as this person until now: the makers, and whoever could have acted as those."""
    makers = [queries.membership(session, member.workspace_id, each) for each in way_in.makers]
    before = [by for maker in makers if maker for by in maker.vouchers]
    now = clock.now().isoformat()
    hands = {by: now for by in (*way_in.makers, *before) if by != member.user_id}
    if hands:
        member.vouchers = {**member.vouchers, **hands}


def forget_expired(session: Session, at: datetime) -> None:
    """Sessions and links that are over. Tokens stay listed, so that their owner sees why they stopped working."""
    over = (Credential.expires_at < at, Credential.kind != TOKEN)
    session.execute(delete(Credential).where(*over))


def keep_root(session: Session, member: Member, token: str) -> None:
    """Let `SIGNOFF_TOKEN` be known as what it is now; what another one made is over, should that ever come back."""
    seal = crypto.hash_secret(token)
    session.execute(delete(Credential).where(Credential.seal.is_not(None), Credential.seal != seal))
    if session.scalar(select(Credential.id).where(Credential.hash == seal)) is None:
        where = {"workspace_id": member.workspace_id, "member_id": member.id}
        known = {"kind": ROOT, "name": "SIGNOFF_TOKEN", "hash": seal, "seal": seal, "standing": Standing.ROOT.value}
        session.add(Credential(**where, **known))


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
        seal=bond.seal,
        proved_at=bond.proved_at,
    )
    session.add(credential)
    session.flush()
    return credential, secret


def _see_not_root(session: Session, actor: Actor, member: Member) -> None:
    if member.user_id != actor.user_id and member.user_id == queries.root_id(session):
        raise IsRoot("This is SIGNOFF_TOKEN itself: whoever has the setting is in, and nobody else is let in as it.")


def _highest(scopes: list[str] | tuple[str, ...]) -> Role:
    return max((Role(scope) for scope in scopes), key=list(Role).index)


def _email(session: Session, member: Member) -> str:
    return session.get_one(User, member.user_id).email
