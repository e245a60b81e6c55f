"""An MCP server that wants people to sign in, with its own page for that, which says yes to everybody."""

import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    ProviderTokenVerifier,
    RefreshToken,
    construct_redirect_uri,
)
from mcp.server.auth.routes import create_auth_routes
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from starlette.applications import Starlette

from tests.house import until
from tests.ports import free_port


class Provider:
    """Everything in memory. A first token is over at once, so that whoever has it must renew it; to renew is possible
    once with each, and whoever tries it twice voids all."""

    def __init__(self) -> None:
        self.clients: dict[str, OAuthClientInformationFull] = {}
        self.codes: dict[str, AuthorizationCode] = {}
        self.tokens: dict[str, AccessToken] = {}
        self.refreshing: dict[str, RefreshToken] = {}
        self.issued: list[str] = []
        self.used: set[str] = set()
        # How long a token lasts that was renewed, as it is told.
        self.lasts = 3600

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        return self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        self.clients[client_info.client_id or ""] = client_info

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        code = secrets.token_hex(16)
        self.codes[code] = AuthorizationCode(
            code=code,
            client_id=client.client_id or "",
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            expires_at=time.time() + 60,
            scopes=params.scopes or [],
            code_challenge=params.code_challenge,
            resource=params.resource,
        )
        return construct_redirect_uri(str(params.redirect_uri), code=code, state=params.state)

    async def load_authorization_code(self, client: Any, authorization_code: str) -> AuthorizationCode | None:
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(self, client: Any, authorization_code: AuthorizationCode) -> OAuthToken:
        del self.codes[authorization_code.code]
        return self._issue(client.client_id, authorization_code.scopes, -1)

    async def load_refresh_token(self, client: Any, refresh_token: str) -> RefreshToken | None:
        if refresh_token in self.used:
            self.refreshing.clear()
            self.tokens.clear()
        return self.refreshing.get(refresh_token)

    async def exchange_refresh_token(self, client: Any, refresh_token: RefreshToken, scopes: list[str]) -> OAuthToken:
        del self.refreshing[refresh_token.token]
        self.used.add(refresh_token.token)
        return self._issue(client.client_id, scopes, self.lasts)

    async def load_access_token(self, token: str) -> AccessToken | None:
        return self.tokens.get(token)

    async def revoke_token(self, token: Any) -> None:
        self.tokens.pop(token.token, None)

    def _issue(self, client_id: str, scopes: list[str], lasts: int) -> OAuthToken:
        access, refresh = f"access-{secrets.token_hex(8)}", f"refresh-{secrets.token_hex(8)}"
        self.issued += [access, refresh]
        self.tokens[access] = AccessToken(token=access, client_id=client_id, scopes=scopes)
        self.refreshing[refresh] = RefreshToken(token=refresh, client_id=client_id, scopes=scopes)
        return OAuthToken(access_token=access, expires_in=lasts, refresh_token=refresh, scope=" ".join(scopes))


@contextmanager
def running() -> Iterator[tuple[str, Provider]]:
    """Its address, while it runs. People sign in at another one."""
    port, port_of_pages, provider = free_port(), free_port(), Provider()
    # Another site for a browser, which then keeps its strict cookies to itself on the way back.
    issuer: Any = f"http://localhost:{port_of_pages}"
    auth = AuthSettings(
        issuer_url=issuer,
        resource_server_url=f"http://127.0.0.1:{port}/mcp",  # type: ignore[arg-type]
        validate_token_resource=False,
    )
    verifier = ProviderTokenVerifier(provider)  # type: ignore[arg-type]
    made: Any = MCPServer("private", token_verifier=verifier, auth=auth)

    @made.tool()
    def whoami() -> str:
        """Says who is signed in."""
        return "somebody who signed in"

    registration = ClientRegistrationOptions(enabled=True)
    pages = create_auth_routes(provider, auth.issuer_url, client_registration_options=registration)  # type: ignore[arg-type]
    with _served(made.streamable_http_app(), port), _served(Starlette(routes=pages), port_of_pages):
        yield f"http://127.0.0.1:{port}/mcp", provider


@contextmanager
def _served(app: Any, port: int) -> Iterator[None]:
    server = uvicorn.Server(uvicorn.Config(app, "127.0.0.1", port, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until(lambda: server.started)
    yield
    server.should_exit = True
    thread.join(10)
