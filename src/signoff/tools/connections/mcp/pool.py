"""The live sessions of this process: one for each run and connection, in a loop and thread of their own.

A session belongs to one run, as it would to one conversation: what a server remembers of it no other run sees.
"""

import asyncio
import contextlib
import threading
import time
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from typing import Any, TypeVar

from signoff.kit.actor import Actor
from signoff.kit.settings import Settings
from signoff.tools.connections.mcp import results
from signoff.tools.connections.mcp.faults import NotConnected
from signoff.tools.connections.mcp.oauth import SignIn
from signoff.tools.connections.mcp.one_call import Made, WantedCall, make, require_same, taken
from signoff.tools.connections.mcp.session import McpSession
from signoff.tools.connections.mcp.settings import read
from signoff.tools.connections.mcp.turns import Turns
from signoff.tools.connections.port import Connected, ListedTool
from signoff.tools.connections.secret_places import SecretMissing
from signoff.tools.registry import ToolFailed

T = TypeVar("T")
# A command per session: a machine has only so many to give away.
MOST_SESSIONS = 64
LOOK_EVERY = 15.0
WAIT_FOR_PLACE = 0.05
# Who looks at a connection without a run.
NO_RUN = ""


class Pool:
    """Sessions are opened when they are first needed, and closed when nobody used them for a while."""

    def __init__(self) -> None:
        self._sessions: dict[tuple[str, str], McpSession] = {}
        self._turns = Turns()
        # How many places are taken: by sessions that begin, are open, or come to their end.
        self._places = 0
        # Admins who are at a server's page, by the state that they bring back.
        self._signing_in: dict[str, tuple[McpSession, asyncio.Task[None]]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._starting = threading.Lock()

    async def call(self, connection: Connected, settings: Settings, wanted: WantedCall) -> Made:
        """Make a call from any loop."""
        return await asyncio.wrap_future(self._submit(self._call(connection, settings, wanted)))

    async def dry_run(self, connection: Connected, settings: Settings, wanted: WantedCall, seconds: float) -> str:
        """What the server says to a call that only tries, from any loop. Later than that nothing is sent any more."""
        return await asyncio.wrap_future(self._submit(self._dry_run(connection, settings, wanted, seconds)))

    def tools(self, connection: Connected, settings: Settings) -> list[ListedTool]:
        """What the server has, asked anew; for threads. Raises NotConnected with the reason."""
        return self._submit(self._tools(connection, settings)).result()

    def sign_in(self, connection: Connected, settings: Settings, by: Actor) -> str | None:
        """The page that this admin has to visit; None: the server lets us in as it is. For threads."""
        return self._submit(self._sign_in(connection, settings, by)).result()

    def signed_in(self, actor: Actor, state: str, code: str, iss: str | None) -> McpSession:
        """An admin came back from there: what the server has now. Raises NotConnected. For threads."""
        return self._submit(self._signed_in(actor, state, code, iss)).result()

    def close(self) -> None:
        """End all sessions; for threads."""
        if self._loop is not None:
            with contextlib.suppress(TimeoutError):
                self._submit(self._close(list(self._sessions))).result(20)

    def kill(self, connection_id: str) -> None:
        """End what is open of a connection that is no more, or is reached in another way now."""
        if self._loop is not None:
            self._submit(self._close([key for key in list(self._sessions) if key[0] == connection_id]))

    async def _call(self, connection: Connected, settings: Settings, wanted: WantedCall) -> Made:
        seconds = read(connection.settings).timeout_seconds
        with ExitStack() as in_use:
            session = await self._session(connection, settings, wanted.run_id, in_use)
            if wanted.idempotent:
                require_same(session, wanted)
                result = await make(session, wanted, seconds, last=False)
                if result is None:
                    # It is gone, and to ask again does no harm.
                    session = await self._session(connection, settings, wanted.run_id, in_use)
                    require_same(session, wanted)
                    result = await make(session, wanted, seconds)
            else:
                session = await self._checked(session, connection, settings, wanted, in_use)
                result = await make(session, wanted, seconds)
            assert result is not None, "the last try says why it failed"
            return taken(session, connection, result)

    async def _dry_run(self, connection: Connected, settings: Settings, wanted: WantedCall, seconds: float) -> str:
        end, in_use = time.monotonic() + seconds, ExitStack()
        opening = asyncio.create_task(self._opened_and_checked(connection, settings, wanted, in_use))
        # Whoever gives up leaves it alone: the call itself will need the session.
        opening.add_done_callback(lambda task: task.cancelled() or task.exception())
        try:
            async with asyncio.timeout(seconds):
                session = await asyncio.shield(opening)
            result = await make(session, wanted, round(max(end - time.monotonic(), 0.1), 1))
        finally:
            opening.add_done_callback(lambda _: in_use.close())
        assert result is not None, "the last try says why it failed"
        said = session.without_secrets(results.words_of(result))
        if result.is_error:
            raise ToolFailed(said or "It failed and did not say why.")
        return said

    async def _opened_and_checked(
        self, connection: Connected, settings: Settings, wanted: WantedCall, in_use: ExitStack
    ) -> McpSession:
        session = await self._session(connection, settings, wanted.run_id, in_use)
        return await self._checked(session, connection, settings, wanted, in_use)

    async def _checked(
        self, session: McpSession, connection: Connected, settings: Settings, wanted: WantedCall, in_use: ExitStack
    ) -> McpSession:
        """Before anything that acts: the server is there, and its tool is the one that was judged."""
        try:
            await session.list_again()
        except Exception:  # noqa: BLE001 - whatever is wrong with this session, a new one says it
            session.broken = True
            session = await self._session(connection, settings, wanted.run_id, in_use)
        require_same(session, wanted)
        return session

    async def _tools(self, connection: Connected, settings: Settings) -> list[ListedTool]:
        with ExitStack() as in_use:
            session = await self._session(connection, settings, NO_RUN, in_use)
            with contextlib.suppress(Exception):
                return await session.list_again()
            session.broken = True
            return (await self._session(connection, settings, NO_RUN, in_use)).listed

    async def _sign_in(self, connection: Connected, settings: Settings, by: Actor) -> str | None:
        sign_in = SignIn.begun(by)
        session = McpSession(connection, await _secrets(connection), settings, sign_in)
        opening = asyncio.create_task(session.open())
        async with asyncio.timeout(settings.connect_timeout_seconds):
            await asyncio.wait({opening, sign_in.url}, return_when=asyncio.FIRST_COMPLETED)
        if opening.done():
            await opening
            await session.close()
            return None
        self._signing_in[sign_in.state] = (session, opening)
        opening.add_done_callback(lambda _: self._signing_in.pop(sign_in.state, None))
        return sign_in.url.result()

    async def _signed_in(self, actor: Actor, state: str, code: str, iss: str | None) -> McpSession:
        from mcp.shared.auth import AuthorizationCodeResult

        session, opening = self._signing_in.get(state, (None, None))
        if session is None or opening is None or session.sign_in is None or session.sign_in.code.done():
            raise NotConnected("This sign-in is not known here, or took too long. Start it again.")
        if not session.sign_in.is_of(actor):
            raise NotConnected(f"{session.sign_in.by.label} began this sign-in, and nobody else can end it.")
        del self._signing_in[state]
        session.sign_in.code.set_result(AuthorizationCodeResult(code=code, state=state, iss=iss))
        await opening
        await session.close()
        return session

    async def _session(self, connection: Connected, settings: Settings, run_id: str, in_use: ExitStack) -> McpSession:
        """One that nobody else closes for its place until its user is done."""
        key = (connection.id, run_id)
        async with self._turns.of(key):
            known = self._sessions.get(key)
            if known is not None and not known.broken and known.connection.version == connection.version:
                in_use.enter_context(known.in_use())
                if known.is_stale:
                    with contextlib.suppress(Exception):
                        await known.list_again()
                return known
            if known is not None:
                await self._close([key])
            await self._take_place(settings.connect_timeout_seconds)
            try:
                session = await self._opened(key, connection, settings)
            except BaseException:
                self._places -= 1
                raise
            in_use.enter_context(session.in_use())
            return session

    async def _opened(self, key: tuple[str, str], connection: Connected, settings: Settings) -> McpSession:
        session = McpSession(connection, await _secrets(connection), settings)
        try:
            await session.open()
        except SecretMissing as error:
            raise NotConnected(str(error)) from None
        self._sessions[key] = session
        return session

    async def _take_place(self, seconds: float) -> None:
        """Before a session is begun: those that begin at once count as well, and wait until others are done."""
        end = time.monotonic() + seconds
        while self._places >= MOST_SESSIONS:
            idle = [key for key, each in self._sessions.items() if not each.users]
            if idle:
                await self._close([min(idle, key=lambda key: self._sessions[key].used_at)])
            elif time.monotonic() < end:
                await asyncio.sleep(WAIT_FOR_PLACE)
            else:
                raise NotConnected(
                    f"{MOST_SESSIONS} sessions with servers are busy on this worker, as many as it can have."
                )
        self._places += 1

    async def _close(self, keys: Sequence[tuple[str, str]]) -> None:
        gone = [self._sessions.pop(key) for key in keys if key in self._sessions]
        try:
            await asyncio.gather(*(each.close() for each in gone), return_exceptions=True)
        finally:
            # A place is free once its command has ended.
            self._places -= len(gone)

    async def _close_idle(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            at = time.monotonic()
            for each in self._sessions.values():
                each.tidy()
            await self._close([key for key, each in self._sessions.items() if _is_idle(each, at)])

    def _submit(self, work: Coroutine[Any, Any, T]) -> "Future[T]":
        return asyncio.run_coroutine_threadsafe(work, self._running_loop())

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._starting:
            if self._loop is None:
                loop, started = asyncio.new_event_loop(), threading.Event()
                thread = threading.Thread(target=_run, args=(loop, started), name="signoff-mcp", daemon=True)
                thread.start()
                started.wait()
                asyncio.run_coroutine_threadsafe(self._close_idle(), loop)
                self._loop = loop
            return self._loop


def _run(loop: asyncio.AbstractEventLoop, started: threading.Event) -> None:
    asyncio.set_event_loop(loop)
    loop.call_soon(started.set)
    loop.run_forever()


async def _secrets(connection: Connected) -> dict[str, str]:
    try:
        return await asyncio.to_thread(connection.secrets)
    except ToolFailed as error:
        raise NotConnected(str(error)) from None


def _is_idle(session: McpSession, at: float) -> bool:
    return session.broken or (not session.users and at - session.used_at > session.settings.idle_session_seconds)


POOL = Pool()
