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
    RefreshToken,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken

from tests.house import until
from tests.ports import free_port


class Provider:
    """Everything in memory. A first token is over at once, so that whoever has it must renew it."""

    def __init__(self) -> None:
        self.clients: dict[str, OAuthClientInformationFull] = {}
        self.codes: dict[str, AuthorizationCode] = {}
        self.tokens: dict[str, AccessToken] = {}
        self.refreshing: dict[str, RefreshToken] = {}
        self.issued: list[str] = []

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
        return self.refreshing.get(refresh_token)

    async def exchange_refresh_token(self, client: Any, refresh_token: RefreshToken, scopes: list[str]) -> OAuthToken:
        return self._issue(client.client_id, scopes, 3600)

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
    """Its address, while it runs."""
    port, provider = free_port(), Provider()
    issuer: Any = f"http://127.0.0.1:{port}"
    auth = AuthSettings(
        issuer_url=issuer,
        resource_server_url=f"{issuer}/mcp",  # type: ignore[arg-type]
        client_registration_options=ClientRegistrationOptions(enabled=True),
        validate_token_resource=False,
    )
    made: Any = MCPServer("private", auth_server_provider=provider, auth=auth)  # type: ignore[arg-type]

    @made.tool()
    def whoami() -> str:
        """Says who is signed in."""
        return "somebody who signed in"

    config = uvicorn.Config(made.streamable_http_app(), "127.0.0.1", port, log_level="warning")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until(lambda: server.started)
    yield f"{issuer}/mcp", provider
    server.should_exit = True
    thread.join(10)
