"""Events over SSE: `id:` is the position, resumable by Last-Event-ID or `?after=`."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Annotated

import anyio
from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import StreamingResponse
from sqlalchemy.orm import Session

from signoff.kit import events, jsons
from signoff.kit.actor import Role
from signoff.kit.stream import Hub
from signoff.runs import queries as runs
from signoff.workspaces.access import Caller

router = APIRouter(tags=["events"])
# Proxies close a silent connection, so something is said now and then: a comment that clients never see, or, for one
# that wants to notice when the line is dead, an event.
HEARTBEAT_SECONDS = 15.0
COMMENT = ": still here\n\n"
HEARTBEAT = "event: heartbeat\ndata: {}\n\n"
HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}

After = Annotated[int | None, Query(ge=0, description="Resume after this position.")]
Heartbeat = Annotated[bool, Query(description="Send an event `heartbeat` while nothing happens.")]
LastEventId = Annotated[str | None, Header()]


@router.get("/api/events", response_class=StreamingResponse)
async def follow_workspace(
    caller: Caller,
    request: Request,
    after: After = None,
    heartbeat: Heartbeat = False,
    last_event_id: LastEventId = None,
) -> StreamingResponse:
    """Everything that happens in the workspace."""

    def find(session: Session) -> tuple[str, int]:
        actor = caller.actor(session, Role.VIEWER)
        # Fixed before the first byte goes out: what the client reads after that, it reads from here on.
        return actor.workspace_id, events.position(session, actor.workspace_id)

    workspace_id, now = await caller.db.aread(find)
    position = _position(after, last_event_id)
    start = now if position is None else position
    return _stream(request, workspace_id, start, None, HEARTBEAT if heartbeat else COMMENT)


@router.get("/api/runs/{run_id}/events", response_class=StreamingResponse)
async def follow_run(
    run_id: str, caller: Caller, request: Request, after: After = None, last_event_id: LastEventId = None
) -> StreamingResponse:
    """Everything that happens in one run; from its beginning unless told otherwise."""

    def find(session: Session) -> str:
        return runs.run(session, caller.actor(session, Role.VIEWER), run_id).workspace_id

    workspace_id = await caller.db.aread(find)
    return _stream(request, workspace_id, _position(after, last_event_id) or 0, run_id, COMMENT)


def _position(after: int | None, last_event_id: str | None) -> int | None:
    """The browser's own Last-Event-ID is newer than the address it first opened."""
    if last_event_id and last_event_id.isdigit():
        return int(last_event_id)
    return after


def _stream(
    request: Request, workspace_id: str, position: int, run_id: str | None, when_silent: str
) -> StreamingResponse:
    hub: Hub = request.app.state.hub
    lines = _lines(hub, workspace_id, position, run_id, when_silent)
    return StreamingResponse(lines, media_type="text/event-stream", headers=HEADERS)


async def _lines(
    hub: Hub, workspace_id: str, position: int, run_id: str | None, when_silent: str
) -> AsyncIterator[str]:
    yield ": welcome\n\n"
    async with aclosing(hub.follow(workspace_id, position, run_id)) as stream:
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
