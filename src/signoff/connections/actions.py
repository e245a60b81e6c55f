"""What admins do with connections. Every change is on the record, without what is secret."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.connections import queries
from signoff.connections.dry_run_arguments import dry_run_arguments
from signoff.connections.models import Connection, ConnectionTool
from signoff.connections.schemas import ConnectionChange, ConnectionIn, ReviewIn
from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.errors import Conflict, FieldError, Invalid
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject, clean_text
from signoff.kit.text.secret_values import too_short
from signoff.secrets import store
from signoff.secrets.keyring import Keyring
from signoff.workspaces.switching import require_installation_admin

LONGEST_ERROR = 2_000
AGAIN = "enter it again, since where it goes may have changed"
NO_DRY_RUN = "The tool has no such argument that makes a call a dry run: yes or no, named dry_run or preview."
# Which transports run a command on this machine.
ON_THIS_MACHINE = "stdio"


# What an admin who signed in at a server brought back: good for that address alone.
SIGNED_IN_TOKENS, SIGNED_IN_CLIENT = "oauth_tokens", "oauth_client"


class SlugTaken(Conflict):
    code = "connection_slug_taken"


class ToolChanged(Conflict):
    """It is not the tool any more that the reviewer saw."""

    code = "connection_tool_changed"


class KindOfConnection(Protocol):
    """What of a kind has to be known to store one."""

    @property
    def secret_names(self) -> frozenset[str] | None: ...
    def check(self, settings: JsonObject) -> list[FieldError]: ...


class DescribedTool(Protocol):
    """A tool as a server describes it."""

    @property
    def name(self) -> str: ...
    @property
    def remote_name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def schema(self) -> JsonObject: ...
    @property
    def annotations(self) -> JsonObject: ...
    @property
    def fingerprint(self) -> str: ...


def create(session: Session, keyring: Keyring, actor: Actor, body: ConnectionIn, kind: KindOfConnection) -> Connection:
    """Set up a connection. Nothing is connected to yet."""
    if session.scalar(queries.connections(actor).where(Connection.slug == body.slug)) is not None:
        raise SlugTaken(f"There is already a connection {body.slug!r}.")
    _check(kind, body.settings, body.secrets, body.secrets)
    _require_operator(session, actor, body.settings)
    row = Connection(
        id=new_id(),
        workspace_id=actor.workspace_id,
        slug=body.slug,
        name=body.name or body.slug,
        kind=body.kind,
        settings=body.settings,
        enabled=body.enabled,
        created_by=actor.label,
    )
    session.add(row)
    session.flush()
    store.put(session, keyring, actor.workspace_id, row.id, body.secrets)
    facts = {"kind": row.kind, "slug": row.slug, "settings": sorted(row.settings), "sealed": sorted(body.secrets)}
    record(session, actor, "connection.created", row.id, facts)
    return row


def change(
    session: Session,
    keyring: Keyring,
    actor: Actor,
    row: Connection,
    body: ConnectionChange,
    kind: KindOfConnection,
) -> None:
    """What is absent stays. Another way to reach it needs its secrets anew: they would go there."""
    # Whoever renews a token meanwhile comes before or after, and then sees the other version.
    session.refresh(row, with_for_update=True)
    known = store.take(session, keyring, actor.workspace_id, row.id)
    given, before = dict(body.secrets or {}), row.settings
    reached_anew = body.settings is not None and body.settings != before
    if reached_anew or given:
        # Before and after: who may not run a command here may not change one either.
        _require_operator(session, actor, before)
        _require_operator(session, actor, body.settings or before)
    if reached_anew:
        given = {SIGNED_IN_TOKENS: "", SIGNED_IN_CLIENT: "", **given}
        _require_again(known, given)
        row.settings = body.settings or {}
    together = {name: value for name, value in (known | given).items() if value}
    if reached_anew or given:
        _check(kind, row.settings, together, body.secrets or {})
        row.version += 1
    switched = body.enabled is not None and body.enabled != row.enabled
    row.name = body.name or row.name
    row.enabled = row.enabled if body.enabled is None else body.enabled
    row.updated_at = clock.now()
    store.put(session, keyring, actor.workspace_id, row.id, given)
    changed = sorted(name for name in {*before, *row.settings} if before.get(name) != row.settings.get(name))
    facts: JsonObject = {"slug": row.slug, "name": row.name, "settings": changed, "sealed": sorted(given)}
    record(session, actor, "connection.changed", row.id, facts | ({"enabled": row.enabled} if switched else {}))


def delete(session: Session, actor: Actor, row: Connection) -> None:
    """With its secrets, reviews and grants: no run can use it any more, from the next call on."""
    record(session, actor, "connection.deleted", row.id, {"kind": row.kind, "slug": row.slug, "name": row.name})
    store.drop(session, [row.id])
    session.delete(row)
    session.flush()


def note_tools(
    session: Session, actor: Actor, connection_id: str, version: int, listed: Sequence[DescribedTool]
) -> list[str]:
    """Keep what the server says that it has, if it is reached in the same way still. A review stays with the tool, and
    counts only for what was reviewed. Returns the names that stand for another tool now."""
    row = session.get(Connection, connection_id, with_for_update=True)
    if row is None or row.version != version:
        return []
    own = select(ConnectionTool).where(ConnectionTool.connection_id == connection_id)
    known = {each.name: each for each in session.scalars(own)}
    news: dict[str, list[str]] = {"added": [], "changed": [], "removed": []}
    others = list[str]()
    for position, each in enumerate(listed):
        had = known.pop(each.name, None)
        if had is not None and had.fingerprint != each.fingerprint:
            others.append(each.name)
        if had is None or had.gone:
            news["added"].append(each.name)
        elif had.fingerprint != each.fingerprint:
            news["changed"].append(each.name)
        _keep(session, connection_id, had, each, position)
    for left in known.values():
        if not left.gone:
            left.gone = True
            news["removed"].append(left.name)
    row.listed_at, row.last_error = clock.now(), None
    if any(news.values()):
        row.tools_version += 1
        facts = {name: names[:100] for name, names in news.items() if names}
        record(session, actor, "connection.tools_changed", row.id, {"slug": row.slug, **facts})
    return others


def note_error(session: Session, connection_id: str, error: str | None) -> None:
    """Why it could not be reached, or that it could."""
    said = clean_text(error)[:LONGEST_ERROR] if error else None
    session.execute(update(Connection).where(Connection.id == connection_id).values(last_error=said))


def note_sign_in(session: Session, actor: Actor, row: Connection) -> None:
    """Who went to sign in at its server: from then on it acts with that account."""
    record(session, actor, "connection.sign_in", row.id, {"slug": row.slug})


def review(session: Session, actor: Actor, row: Connection, tool: ConnectionTool, body: ReviewIn) -> None:
    """A person says that a tool does what its description and annotations say, or takes that back."""
    if body.fingerprint is not None and body.fingerprint != tool.fingerprint:
        raise ToolChanged("The tool has changed since you looked at it. Look again.")
    if body.dry_run is not None and body.dry_run not in dry_run_arguments(tool.schema):
        raise Invalid(NO_DRY_RUN, errors=[FieldError("dry_run", NO_DRY_RUN)])
    tool.reviewed_fingerprint = tool.fingerprint if body.reviewed else None
    tool.reviewed_by = actor.label if body.reviewed else None
    tool.reviewed_at = clock.now() if body.reviewed else None
    tool.risk = body.risk.value if body.reviewed and body.risk else None
    tool.dry_run = body.dry_run if body.reviewed else None
    row.tools_version += 1
    facts: JsonObject = {"slug": row.slug, "tool": tool.name, "fingerprint": tool.fingerprint, "risk": tool.risk}
    facts |= {"dry_run": tool.dry_run} if tool.dry_run else {}
    record(
        session, actor, "connection.tool_reviewed" if body.reviewed else "connection.review_withdrawn", row.id, facts
    )


def _keep(session: Session, connection_id: str, had: ConnectionTool | None, now: DescribedTool, position: int) -> None:
    row = had or ConnectionTool(connection_id=connection_id, name=now.name)
    row.remote_name, row.position, row.gone = now.remote_name, position, False
    row.description, row.schema, row.annotations = now.description, now.schema, now.annotations
    row.fingerprint = now.fingerprint
    if had is None:
        session.add(row)


def _require_operator(session: Session, actor: Actor, settings: JsonObject) -> None:
    """A command runs with all that the server may: whoever runs the installation decides on it."""
    if settings.get("transport") == ON_THIS_MACHINE:
        require_installation_admin(session, actor)


def _require_again(known: Mapping[str, str], given: Mapping[str, str]) -> None:
    problems = [FieldError(f"secrets.{name}", AGAIN) for name in known if name not in given]
    if problems:
        raise Invalid(f"A secret may go somewhere else: {AGAIN}.", errors=problems)


def _check(kind: KindOfConnection, settings: JsonObject, secrets: Mapping[str, str], given: Mapping[str, str]) -> None:
    """See that all is there, with every problem at its place."""
    problems = [FieldError(f"settings.{each.path}".rstrip("."), each.message) for each in kind.check(settings)]
    if kind.secret_names is not None:
        problems += _unknown(secrets, kind.secret_names)
    problems += too_short(given)
    if problems:
        first = problems[0]
        raise Invalid(f"This connection is not complete: {first.path} {first.message}.", errors=problems)


def _unknown(secrets: Iterable[str], names: frozenset[str]) -> list[FieldError]:
    return [FieldError(f"secrets.{each}", "not known") for each in secrets if each not in names]
