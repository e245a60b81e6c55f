"""Tokens that several sessions share are renewed by one: where each is good once, a second try would void them all."""

import asyncio
import time
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from mcp.client.auth import OAuthClientProvider

from signoff.tools.connections.mcp.oauth import SealedTokens

if TYPE_CHECKING:
    import httpx2

# Another process that came first has its answer by then, and has kept it.
LOOK_AGAIN = 0.5
_TURNS: "WeakValueDictionary[str, asyncio.Lock]" = WeakValueDictionary()


class Renewing(OAuthClientProvider):
    """The library's, which knows of no other session."""

    tokens: SealedTokens

    def use(self, tokens: SealedTokens) -> None:
        self.tokens, tokens.context = tokens, self.context
        self._turn = _TURNS.setdefault(tokens.connection.id, asyncio.Lock())

    async def _initialize(self) -> None:
        await super()._initialize()
        self._take_kept_place()

    async def _auth_flow(self, request: "httpx2.Request") -> "AsyncGenerator[httpx2.Request, httpx2.Response]":
        if not self._initialized:
            await self._initialize()
        if self._is_over():
            async with self._turn:
                await self._take_newer()
                if self._is_over():
                    response = yield await self._refresh_token()
                    if not await self._handle_refresh_response(response):
                        await asyncio.sleep(LOOK_AGAIN)
                        await self._take_newer()
        # It would renew by itself, in nobody's turn.
        self.context.token_expiry_time = None
        flow = super()._auth_flow(request)
        try:
            wanted = await anext(flow)
            while True:
                response = yield wanted
                wanted = await flow.asend(response)
        except StopAsyncIteration:
            return
        finally:
            await flow.aclose()

    def _is_over(self) -> bool:
        until = self.tokens.expires_at
        return until is not None and time.time() > until and self.context.can_refresh_token()

    async def _take_newer(self) -> None:
        """Those that another session has got since."""
        tried = self.tokens.last
        await self.tokens.read_again()
        if self.tokens.last != tried:
            self.context.current_tokens = await self.tokens.get_tokens()
            self._take_kept_place()

    def _take_kept_place(self) -> None:
        """Where to renew is asked of a server only with its first token."""
        self.context.oauth_metadata = self.tokens.metadata or self.context.oauth_metadata
