"""Events over SSE, where `id:` is the position, resumable by Last-Event-ID or `?after=`; over WebSocket the same."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from typing import Annotated

import anyio
from fastapi import Header, Query, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import StreamingResponse
from sqlalchemy.orm import Session

from signoff.api.error_responses import problem
from signoff.kit import jsons
from signoff.kit.actor import Actor, Role
from signoff.kit.db import events
from signoff.kit.db.live_events import Hub, StreamAccess
from signoff.kit.errors import SignoffError
from signoff.kit.jsons import JsonObject
from signoff.kit.routing import api_router
from signoff.runs import queries as runs
from signoff.workspaces.access import Access, Caller, listener

router = api_router("events")
# Proxies close a silent connection, so something is said now and then: a comment that clients never see, or, for one
# that wants to notice when the line is dead, an event.
HEARTBEAT_SECONDS = 15.0
COMMENT = ": still here\n\n"
HEARTBEAT = "event: heartbeat\ndata: {}\n\n"
SERVICE_RESTART, NO_LONGER_ALLOWED = 1012, 1008
MOST_DIGITS = 20
MEDIA_TYPE = "text/event-stream"
HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
# What the OpenAPI page says of them; `event_schemas` puts the types of events beside it.
STREAM: dict[int | str, JsonObject] = {
    200: {"content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Event"}}}, "description": "Events."}
}

After = Annotated[int | None, Query(ge=0, description="Resume after this position.")]
Heartbeat = Annotated[bool, Query(description="Send an event `heartbeat` while nothing happens.")]
Workspace = Annotated[
    str | None, Query(description="Where you believe to be: refused if another tab of your browser went elsewhere.")
]
LastEventId = Annotated[str | None, Header()]


@router.get("/api/events", response_class=StreamingResponse, responses=STREAM)
async def follow_workspace(
    caller: Caller,
    request: Request,
    after: After = None,
    heartbeat: Heartbeat = False,
    workspace: Workspace = None,
    last_event_id: LastEventId = None,
) -> StreamingResponse:
    """Everything that happens in the workspace."""
    # An EventSource sends no header of its own.
    caller = replace(caller, workspace=workspace or caller.workspace)
    begin = await _begin(caller, _position(after, last_event_id), None)
    return _stream(request, begin, HEARTBEAT if heartbeat else COMMENT)


@router.get("/api/runs/{run_id}/events", response_class=StreamingResponse, responses=STREAM)
async def follow_run(
    run_id: str, caller: Caller, request: Request, after: After = None, last_event_id: LastEventId = None
) -> StreamingResponse:
    """Everything that happens in one run; from its beginning unless told otherwise."""
    return _stream(request, await _begin(caller, _position(after, last_event_id), run_id), COMMENT)


@router.websocket("/api/ws")
async def follow_by_socket(socket: WebSocket, after: After = None, run: str | None = None) -> None:
    """Everything that happens in the workspace, or in one run: each event a message. What clients send is ignored."""
    try:
        begin = await _begin(listener(socket), after, run)
    except SignoffError as error:
        await socket.send_denial_response(problem(error))
        return
    await socket.accept()
    hub: Hub = socket.app.state.hub

    async def send() -> None:
        # The other side may leave while something is on its way.
        with suppress(WebSocketDisconnect):
            async with aclosing(begin.follow(hub)) as stream:
                async for event in stream:
                    await socket.send_text(jsons.dumps(event))
            still = await hub.allows(begin.access)
            await socket.close(SERVICE_RESTART if still else NO_LONGER_ALLOWED)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(send)
        # Only to notice when the other side has gone.
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass
        tasks.cancel_scope.cancel()


@dataclass(frozen=True)
class Begin:
    """Whose events, and after which one."""

    workspace_id: str
    position: int
    run_id: str | None
    access: StreamAccess

    def follow(self, hub: Hub) -> AsyncGenerator[JsonObject]:
        return hub.follow(self.workspace_id, self.position, self.run_id, self.access)


async def _begin(caller: Access, after: int | None, run_id: str | None) -> Begin:
    """A run is read from its beginning, a workspace from now on, unless the client says where it was.

    Fixed before the first byte goes out: what the client reads after that, it reads from here on. A place beyond the
    end is of another database, or of one that was restored since: the client would hear nothing for long.
    """

    def find(session: Session) -> Begin:
        actor = caller.actor(session, Role.VIEWER)
        now = events.position(session, actor.workspace_id)
        access = StreamAccess(lambda later: _may_still(caller, later, actor), actor.expires_at)
        if run_id is not None:
            return Begin(runs.run(session, actor, run_id).workspace_id, min(after or 0, now), run_id, access)
        return Begin(actor.workspace_id, now if after is None else min(after, now), None, access)

    return await caller.db.aread(find)


def _may_still(caller: Access, session: Session, actor: Actor) -> bool:
    """Whether whoever opened the stream would be let in again."""
    try:
        return caller.actor(session, Role.VIEWER).credential_id == actor.credential_id
    except SignoffError:
        return False


def _position(after: int | None, last_event_id: str | None) -> int | None:
    """The browser's own Last-Event-ID is newer than the address it first opened."""
    if last_event_id and last_event_id.isascii() and last_event_id.isdigit():
        # One with more digits than any position has lies beyond the end, however many they are.
        return int(last_event_id.lstrip("0")[:MOST_DIGITS] or "0")
    return after


def _stream(request: Request, begin: Begin, when_silent: str) -> StreamingResponse:
    lines = _lines(request.app.state.hub, begin, when_silent)
    return StreamingResponse(lines, media_type=MEDIA_TYPE, headers=HEADERS)


async def _lines(hub: Hub, begin: Begin, when_silent: str) -> AsyncIterator[str]:
    yield ": welcome\n\n"
    async with aclosing(begin.follow(hub)) as stream:
        upcoming = asyncio.ensure_future(anext(stream, None))
        try:
            while True:
                done, _ = await asyncio.wait({upcoming}, timeout=HEARTBEAT_SECONDS)
                if not done:
                    yield when_silent
                    continue
                event = upcoming.result()
                if event is None:
                    return
                number = f"id: {event['id']}\n" if event["id"] is not None else ""
                yield f"{number}data: {jsons.dumps(event)}\n\n"
                upcoming = asyncio.ensure_future(anext(stream, None))
        finally:
            # The stream can be closed only when nobody waits for it any more.
            upcoming.cancel()
            with anyio.CancelScope(shield=True):
                await asyncio.wait({upcoming})
