"""Somebody wants no more messages of one kind."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.channels.answer_links.tokens import UnknownLink, read_stop_token
from signoff.channels.messages import words
from signoff.channels.models import Channel
from signoff.secrets.keyring import Keyring
from signoff.workspaces import queries as people
from signoff.workspaces.models import Member, User, Workspace

WORDS = {"email": "mails", "slack": "direct messages in Slack"}


@dataclass(frozen=True)
class Subscription:
    """Which messages a link stops, and whose."""

    member: Member
    kind: str
    # What they are called.
    what: str
    email: str
    workspace: str

    @property
    def said(self) -> str:
        return f"{self.what} about asks and runs in {self.workspace} to {self.email}"


def subscription(session: Session, keyring: Keyring, token: str) -> Subscription:
    """What the holder of this token may stop. Who has none that is valid learns nothing."""
    workspace_id, member_id, kind = read_stop_token(keyring, token)
    member = session.get(Member, member_id)
    if member is None or member.workspace_id != workspace_id:
        raise UnknownLink("This link is not known here.")
    email = session.get_one(User, member.user_id).email
    workspace = words.title(session.get_one(Workspace, workspace_id).name)
    return Subscription(member, kind, WORDS.get(kind, "messages"), email, workspace)


def stop_messages(session: Session, keyring: Keyring, token: str) -> Subscription:
    """Switch them off in their person's preferences."""
    found = subscription(session, keyring, token)
    member, kind = found.member, found.kind
    # One that they chose by its own name would come before its kind.
    own = (Channel.workspace_id == member.workspace_id, Channel.kind == kind)
    named = set(session.scalars(select(Channel.name).where(*own)))
    before: dict[str, bool] = member.preferences.get("channels", {})
    channels = {name: value for name, value in before.items() if name not in named} | {kind: False}
    member.preferences = {**member.preferences, "channels": channels}
    session.flush()
    record(session, people.actor_of(session, member, kind), "preferences.stopped", member.id, {"kind": kind})
    return found
