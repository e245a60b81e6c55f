"""One live session with a server: a task of its own opens and closes it, others only call through it."""

import asyncio
import contextlib
import os
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO, TypeAlias, cast
from urllib.parse import urlsplit

from signoff.kit.jsons import JsonObject, same
from signoff.kit.network.async_http import guarded_async_client
from signoff.kit.settings import Settings
from signoff.kit.text.secret_values import without_secrets, without_secrets_inside
from signoff.tools.connections.addresses import reaches_private
from signoff.tools.connections.mcp import settings as mcp_settings
from signoff.tools.connections.mcp.faults import CLOSED, NOT_YET, TOO_LATE, NotConnected, words
from signoff.tools.connections.mcp.listing import MOST_PAGES, MOST_TOOLS, described
from signoff.tools.connections.mcp.oauth import MOST_SECONDS, SignIn, hidden_values, signer
from signoff.tools.connections.port import Connected, ListedTool
from signoff.tools.egress import Reach
from signoff.tools.registry import GivenInput, NeedsInput

if TYPE_CHECKING:
    import httpx2
    import mcp
    from mcp.shared.dispatcher import ProgressFnT
    from mcp_types import CallToolResult

MOST_STDERR = 2_000
# How far a call has come, of how much, in which words.
Report: TypeAlias = Callable[[float, float | None, str | None], None]


@dataclass(eq=False)
class CallUnderWay:
    """What a server may ask for while it works on a call, and what people have answered before."""

    given: Sequence[GivenInput] = ()
    asks: NeedsInput | None = None

    def answer_to(self, wanted: NeedsInput) -> GivenInput | None:
        return next((each for each in self.given if each.message == wanted.message and _alike(each, wanted)), None)


@dataclass(eq=False)
class McpSession:
    """Opened by `open`, closed by `close`; broken as soon as the server is seen to be gone."""

    connection: Connected
    # Opened secrets, to fill in and to take out of what the server says.
    secrets: dict[str, str] = field(repr=False)
    settings: Settings
    # An admin who signs in meanwhile.
    sign_in: SignIn | None = None
    listed: list[ListedTool] = field(default_factory=list[ListedTool])
    broken: bool = False
    # The server has said that its tools are other ones now.
    is_stale: bool = False
    used_at: float = field(default_factory=time.monotonic)
    under_way: list[CallUnderWay] = field(default_factory=list[CallUnderWay])
    # How many hold it right now, between their calls as well.
    users: int = 0
    _client: "mcp.Client | None" = None
    _owner: asyncio.Task[None] | None = None
    _stop: asyncio.Event = field(default_factory=asyncio.Event)
    _status: int | None = None
    _stderr: TextIO | None = None

    async def open(self) -> None:
        """Connect and see what the server has. Raises NotConnected with the reason."""
        seconds = MOST_SECONDS if self.sign_in else self.settings.connect_timeout_seconds
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._owner = asyncio.create_task(self._own(ready), name=f"mcp-{self.connection.slug}")
        try:
            async with asyncio.timeout(seconds):
                await asyncio.shield(ready)
        except TimeoutError:
            why = self._words(TimeoutError(f"It did not answer within {seconds:g} seconds."))
            await self.close()
            raise NotConnected(why) from None
        except asyncio.CancelledError:
            await self.close()
            raise

    async def close(self) -> None:
        self.broken = True
        self._stop.set()
        owner = self._owner
        if owner is not None and not owner.done():
            _, left = await asyncio.wait({owner}, timeout=10)
            for each in left:
                each.cancel()
                await asyncio.wait({each}, timeout=5)

    @contextlib.contextmanager
    def in_use(self) -> Generator[None]:
        self.users += 1
        try:
            yield
        finally:
            self.users -= 1
            self.used_at = time.monotonic()

    def tidy(self) -> None:
        """Keep little of what a command writes on the side: it may do so for hours."""
        if self._stderr is not None and not self._stderr.closed:
            os.ftruncate(self._stderr.fileno(), 0)

    async def list_again(self) -> list[ListedTool]:
        """What the server has now."""
        client, found, cursor = self._alive(), list[Any](), None
        for _ in range(MOST_PAGES):
            page = await client.list_tools(cursor=cursor, cache_mode="bypass")
            found += page.tools
            cursor = page.next_cursor
            if cursor is None or len(found) >= MOST_TOOLS:
                break
        self.listed, self.is_stale = described(self.connection.slug, found, self.hidden), False
        return self.listed

    async def call(
        self,
        remote_name: str,
        arguments: JsonObject,
        seconds: float,
        given: Sequence[GivenInput] = (),
        report: Report | None = None,
    ) -> "CallToolResult":
        """Make a call. Raises NeedsInput when the server asks people for something that they have not answered yet."""
        from mcp import MCPError

        call = CallUnderWay(given)
        self.under_way.append(call)
        try:
            told = self._telling(report) if report is not None else None
            client = self._alive()
            result = await client.call_tool(
                remote_name, arguments, read_timeout_seconds=seconds, progress_callback=told
            )
        except MCPError as error:
            # A server that is gone after it asked may have done something all the same.
            if call.asks is not None and error.code not in (CLOSED, TOO_LATE):
                raise call.asks from None
            raise
        finally:
            self.under_way.remove(call)
        if call.asks is not None:
            # What it answered to a question that nobody has seen is no result.
            raise call.asks
        return result

    def _telling(self, report: Report) -> "ProgressFnT":
        async def tell(progress: float, total: float | None, message: str | None) -> None:
            report(progress, total, self.without_secrets(message) if message else None)

        return tell

    def without_secrets(self, text: str) -> str:
        return without_secrets(self.hidden, text)

    @property
    def hidden(self) -> list[str]:
        """What must not be told."""
        return list(hidden_values(self.secrets))

    def _alive(self) -> "mcp.Client":
        if self.broken or self._client is None:
            raise NotConnected("The server is not connected any more.")
        return self._client

    async def _own(self, ready: "asyncio.Future[None]") -> None:
        """The whole life of the session: it must be left by whoever entered it."""
        try:
            async with AsyncExitStack() as stack:
                self._client = await stack.enter_async_context(await self._made_client(stack))
                await self.list_again()
                if not ready.done():
                    ready.set_result(None)
                await self._stop.wait()
        except BaseException as error:
            if not ready.done():
                ready.set_exception(NotConnected(self._words(error)))
                # Nobody may be waiting any more.
                ready.exception()
            if not isinstance(error, Exception | asyncio.CancelledError | BaseExceptionGroup):
                raise
        finally:
            self.broken, self._client = True, None
            if self._stderr is not None:
                self._stderr.close()

    async def _made_client(self, stack: AsyncExitStack) -> "mcp.Client":
        from mcp import Client

        target = mcp_settings.read(self.connection.settings).filled(self.secrets)
        transport = self._command(target) if isinstance(target, mcp_settings.Stdio) else await self._web(target, stack)
        return Client(
            transport,
            cache=None,
            read_timeout_seconds=target.timeout_seconds,
            elicitation_callback=self._elicited,
            message_handler=self._heard,
        )

    def _command(self, target: mcp_settings.Stdio) -> Any:
        """The child gets the variables of the settings and what every program needs, none of ours."""
        from mcp import StdioServerParameters
        from mcp.client.stdio import stdio_client

        # Kept for the error, if it cannot be reached: it is no part of our log.
        self._stderr = cast("TextIO", tempfile.TemporaryFile("w+", errors="replace"))  # noqa: SIM115
        start = StdioServerParameters(command=target.command, args=target.args, env=target.env, cwd=target.cwd)
        return stdio_client(start, errlog=self._stderr)

    async def _web(self, target: mcp_settings.Http, stack: AsyncExitStack) -> Any:
        from mcp.client.streamable_http import streamable_http_client

        host, reach = urlsplit(target.url).hostname or "", Reach.within(self.settings.egress)
        if not reach.allows(host):
            raise NotConnected(f"{host} is none of the hosts that tools may reach here (SIGNOFF_EGRESS).")
        auth = signer(self.connection, self.secrets, target, self.settings, self.sign_in) if target.auth else None
        # A server that wants to be signed in to names other hosts for that.
        client = guarded_async_client(
            partial(reaches_private, self.settings),
            reach.allows,
            target.headers,
            target.timeout_seconds,
            self._saw,
            auth,
        )
        await stack.enter_async_context(client)
        return streamable_http_client(target.url, http_client=client)

    async def _saw(self, response: "httpx2.Response") -> None:
        self._status = response.status_code if response.status_code >= 400 else None

    async def _heard(self, message: Any) -> None:
        if type(message).__name__ == "ToolListChangedNotification":
            self.is_stale = True

    async def _elicited(self, context: Any, params: Any) -> Any:
        """What people answered before, else a cancellation: they are asked, and then the call is made again."""
        from mcp_types import ElicitResult, ErrorData
        from mcp_types.version import MODERN_PROTOCOL_VERSIONS

        if len(self.under_way) != 1:
            # Which of several calls asks is not said, so nobody can be asked about it.
            return ElicitResult(action="cancel")
        call, wanted = self.under_way[0], wanted_input(self.connection.slug, params, self.hidden)
        answer = call.answer_to(wanted)
        if answer is not None:
            return ElicitResult(action="accept", content=answer.value if wanted.url is None else None)
        call.asks = call.asks or wanted
        if self._alive().protocol_version in MODERN_PROTOCOL_VERSIONS:
            # Here a question is how the call ended: it is not made again before there is an answer.
            return ErrorData(code=NOT_YET, message="Nobody has answered yet.")
        return ElicitResult(action="cancel")

    def _words(self, error: BaseException) -> str:
        return self.without_secrets(words(error, self._status, self._said()))

    def _said(self) -> str:
        """The end of what a command wrote before it failed."""
        if self._stderr is None or self._stderr.closed:
            return ""
        with contextlib.suppress(OSError, ValueError):
            self._stderr.flush()
            self._stderr.seek(0)
            # Cut first, it could begin in the middle of a secret.
            return self.without_secrets(self._stderr.read())[-MOST_STDERR:].strip()
        return ""


def wanted_input(slug: str, params: Any, secrets: Sequence[str]) -> NeedsInput:
    """A server's question, as it is put before people: with none of our secrets in it."""
    url = getattr(params, "url", None)
    schema = None if url is not None else without_secrets_inside(secrets, _as_json(params.requested_schema))
    return NeedsInput(
        slug,
        without_secrets(secrets, str(params.message)),
        schema,
        None if url is None else without_secrets(secrets, str(url)),
    )


def _as_json(schema: Any) -> JsonObject:
    if isinstance(schema, dict):
        return cast("JsonObject", schema)
    dumped: JsonObject = schema.model_dump(by_alias=True, exclude_none=True)
    return dumped


def _alike(given: GivenInput, wanted: NeedsInput) -> bool:
    return given.url == wanted.url and same(given.schema, wanted.schema)
