"""Connections: set up, tested, their tools reviewed."""

from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy.orm import Session

from signoff.catalog.queries import UnknownAgent
from signoff.connections import actions, queries, tool_names
from signoff.connections.dry_run_arguments import dry_run_arguments
from signoff.connections.models import Connection, ConnectionTool
from signoff.connections.queries import UnknownConnection
from signoff.connections.schemas import (
    AvailableConnections,
    ConnectionChange,
    ConnectionIn,
    ConnectionOut,
    ConnectionToolOut,
    ReviewIn,
    SignInOut,
    TestOut,
)
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Forbidden, Invalid
from signoff.kit.paging import Page, page
from signoff.kit.rate_limits import Rate
from signoff.kit.routing import Paging, api_router, errors
from signoff.policy.risk import Risk
from signoff.runs.granting.needs import available
from signoff.secrets.keyring import Keyring
from signoff.tools.connections.available import ConnectionTools
from signoff.tools.connections.keeping import forget_allowed, keep_tools
from signoff.tools.connections.kinds import KINDS
from signoff.tools.connections.known_servers import KNOWN_SERVERS, KnownServerList
from signoff.tools.connections.mcp.faults import NotConnected
from signoff.tools.connections.mcp.oauth import NotAPerson
from signoff.tools.connections.mcp.pool import POOL
from signoff.tools.connections.port import Connected, ConnectionKind, TestedKind
from signoff.tools.registry import Tool, ToolFailed
from signoff.workspaces.access import Access, Caller

router = api_router("connections")
TESTS_PER_MINUTE = 30
MCP = "mcp"


def _keyring(request: Request) -> Keyring:
    keyring: Keyring = request.app.state.keyring
    return keyring


def _tools(request: Request) -> ConnectionTools:
    tools: ConnectionTools = request.app.state.connection_tools
    return tools


def _tests(request: Request) -> Rate:
    rate: Rate = request.app.state.connection_tests
    return rate


Keys = Annotated[Keyring, Depends(_keyring)]
Tools = Annotated[ConnectionTools, Depends(_tools)]
Tests = Annotated[Rate, Depends(_tests)]


@router.get("/api/connections")
def list_connections(caller: Caller, window: Paging) -> Page[ConnectionOut]:
    """Outside systems that runs may be granted. How each is reached is for admins."""

    def work(session: Session, actor: Actor) -> Page[ConnectionOut]:
        found = page(session, queries.connections(actor), [Connection.slug], window, lambda row: row)
        return found.of(queries.shown(session, actor, found.items))

    return caller.read(work)


@router.get("/api/connections/catalog")
def list_known_servers(caller: Caller) -> KnownServerList:
    """Well-known MCP servers, with settings to fill in."""
    caller.read(lambda _, actor: actor)
    return KnownServerList(items=list(KNOWN_SERVERS), total=len(KNOWN_SERVERS))


@router.post("/api/connections", status_code=201, responses=errors(actions.SlugTaken, Invalid, Forbidden))
def create_connection(body: ConnectionIn, caller: Caller, keys: Keys) -> ConnectionOut:
    """Set up a connection (admin). A command on this machine: only for installation admins."""

    def work(session: Session, actor: Actor) -> ConnectionOut:
        row = actions.create(session, keys, actor, body, _kind(body.kind))
        return queries.shown(session, actor, [row])[0]

    return caller.write(work, Role.ADMIN)


@router.get("/api/connections/{connection_id}", responses=errors(UnknownConnection))
def get_connection(connection_id: str, caller: Caller) -> ConnectionOut:
    """By its id or slug."""
    return caller.read(lambda s, a: queries.shown(s, a, [queries.connection(s, a, connection_id)])[0])


@router.patch("/api/connections/{connection_id}", responses=errors(UnknownConnection, Invalid, Forbidden))
def change_connection(connection_id: str, body: ConnectionChange, caller: Caller, keys: Keys) -> ConnectionOut:
    """Change it (admin); what is absent stays. Other settings need its secrets anew."""

    def work(session: Session, actor: Actor) -> ConnectionOut:
        row = queries.connection(session, actor, connection_id)
        if body.settings is not None and body.settings != row.settings:
            forget_allowed(session, actor, row)
        actions.change(session, keys, actor, row, body, _kind(row.kind))
        return queries.shown(session, actor, [row])[0]

    changed = caller.write(work, Role.ADMIN)
    POOL.kill(changed.id)
    return changed


@router.delete("/api/connections/{connection_id}", status_code=204, responses=errors(UnknownConnection))
def delete_connection(connection_id: str, caller: Caller) -> None:
    """Remove it with its secrets, reviews and grants (admin). What runs call of it next is refused."""

    def work(session: Session, actor: Actor) -> str:
        row = queries.connection(session, actor, connection_id)
        gone = row.id
        forget_allowed(session, actor, row)
        actions.delete(session, actor, row)
        return gone

    POOL.kill(caller.write(work, Role.ADMIN))


@router.post("/api/connections/{connection_id}/test", responses=errors(UnknownConnection))
def try_connection(connection_id: str, caller: Caller, tools: Tools, tests: Tests) -> TestOut:
    """Reach it now, and see which tools its server has (admin). The error is the exact one."""
    row, connected, kind = _opened(caller, tools, tests, connection_id)
    if not isinstance(kind, TestedKind):
        error = _listed(caller, row, connected)
    else:
        try:
            error = kind.test(connected, caller.settings)
        except ToolFailed as changed:
            error = str(changed)
        caller.db.write(lambda s: actions.note_error(s, row.id, error))
    return TestOut(ok=error is None, error=error)


@router.post("/api/connections/{connection_id}/sign-in", responses=errors(UnknownConnection, NotAPerson, Invalid))
def sign_in_to_connection(connection_id: str, caller: Caller, tools: Tools, tests: Tests) -> SignInOut:
    """Begin to sign in to a server that asks for it (admin): visit the page that it names within ten minutes."""
    row, connected, _ = _opened(caller, tools, tests, connection_id)
    if row.settings.get("auth") != "oauth":
        raise Invalid("Only an MCP server over http whose settings say `auth: oauth` is signed in to.")
    try:
        url = POOL.sign_in(connected, caller.settings, caller.read(lambda _, actor: actor, Role.ADMIN))
    except (NotConnected, TimeoutError) as error:
        raise Invalid(str(error) or "The server did not answer in time.") from None
    caller.write(lambda s, actor: actions.note_sign_in(s, actor, queries.connection(s, actor, row.id)), Role.ADMIN)
    return SignInOut(url=url)


@router.get("/api/connections/{connection_id}/tools", responses=errors(UnknownConnection))
def list_connection_tools(connection_id: str, caller: Caller, tools: Tools) -> Page[ConnectionToolOut]:
    """Its tools, with what their server says of them and who reviewed them."""

    def work(session: Session, actor: Actor) -> Page[ConnectionToolOut]:
        return _tool_page(session, tools, queries.connection(session, actor, connection_id))

    return caller.read(work)


@router.post("/api/connections/{connection_id}/tools/refresh", responses=errors(UnknownConnection, Invalid))
def refresh_tools(connection_id: str, caller: Caller, tools: Tools, tests: Tests) -> Page[ConnectionToolOut]:
    """Ask its server anew which tools it has (admin)."""
    row, connected, _ = _opened(caller, tools, tests, connection_id)
    error = _listed(caller, row, connected) if row.kind == MCP else None
    if error is not None:
        raise Invalid(error)
    return caller.read(lambda s, actor: _tool_page(s, tools, queries.connection(s, actor, connection_id)))


@router.post(
    "/api/connections/{connection_id}/tools/{tool}/review",
    responses=errors(UnknownConnection, actions.ToolChanged, Invalid),
)
def review_tool(connection_id: str, tool: str, body: ReviewIn, caller: Caller, tools: Tools) -> ConnectionToolOut:
    """Say that a tool does what it says (admin), or take that back. Only then do its annotations count."""

    def work(session: Session, actor: Actor) -> ConnectionToolOut:
        row = queries.connection(session, actor, connection_id)
        found = queries.tool(session, row, tool)
        actions.review(session, actor, row, found, body)
        session.flush()
        made = KINDS[row.kind].tools(tools.connected(row, [found]))
        return _shown(row, made[0], found)

    return caller.write(work, Role.ADMIN)


@router.get("/api/personas/{slug}/available-connections", responses=errors(UnknownAgent))
def list_available_connections(slug: str, caller: Caller) -> AvailableConnections:
    """What an agent needs, what of it is there, and what is missing."""
    return caller.read(lambda session, actor: available(session, actor, slug))


def _kind(name: str) -> ConnectionKind:
    found = KINDS.get(name)
    if found is None:
        raise Invalid(f"Connections of the kind {name} are not available here.")
    return found


def _opened(
    caller: Access, tools: ConnectionTools, tests: Rate, connection_id: str
) -> tuple[Connection, Connected, ConnectionKind]:
    """For whoever is about to reach it."""

    def find(session: Session, actor: Actor) -> tuple[Connection, Connected, Actor]:
        row = queries.connection(session, actor, connection_id)
        connected = tools.connected(row, queries.tools(session, [row.id])[row.id])
        session.expunge(row)
        return row, connected, actor

    row, connected, actor = caller.read(find, Role.ADMIN)
    tests.count(actor.workspace_id, TESTS_PER_MINUTE)
    return row, connected, _kind(row.kind)


def _listed(caller: Access, row: Connection, connected: Connected) -> str | None:
    """Keep what its server has now. Returns why it could not be asked."""
    try:
        listed = POOL.tools(connected, caller.settings)
    except NotConnected as error:
        said = str(error)
        caller.db.write(lambda s: actions.note_error(s, row.id, said))
        return said
    caller.db.write(lambda s: keep_tools(s, caller.actor(s, Role.ADMIN), connected, listed))
    return None


def _tool_page(session: Session, tools: ConnectionTools, row: Connection) -> Page[ConnectionToolOut]:
    kept = queries.tools(session, [row.id])[row.id]
    made = _kind(row.kind).tools(tools.connected(row, kept))
    by_name = {each.name: each for each in kept}
    shown = [_shown(row, each, by_name.get(tool_names.split(each.name)[1])) for each in made]
    return Page(items=shown, next_cursor=None, total=len(shown))


def _shown(row: Connection, tool: Tool, kept: ConnectionTool | None) -> ConnectionToolOut:
    reviewed = kept.reviewed_fingerprint if kept else None
    return ConnectionToolOut(
        name=tool_names.split(tool.name)[1],
        full_name=tool.name,
        description=tool.description,
        schema_=tool.schema,
        annotations=kept.annotations if kept else {},
        risk=tool.assessment.level,
        reasons=list(tool.assessment.reasons),
        reviewed=tool.reviewed,
        changed=kept is not None and reviewed is not None and reviewed != kept.fingerprint,
        reviewed_by=kept.reviewed_by if kept else None,
        reviewed_at=kept.reviewed_at if kept else None,
        given_risk=Risk(kept.risk) if kept and kept.risk else None,
        fingerprint=kept.fingerprint if kept else "",
        dry_run=kept.dry_run if kept and tool.dry_run else None,
        dry_run_arguments=dry_run_arguments(kept.schema) if kept else [],
    )
