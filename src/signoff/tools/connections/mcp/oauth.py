"""Signing in to a server that asks for it: an admin visits its page once, and the tokens stay in the sealed store."""

import asyncio
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from signoff.connections.actions import SIGNED_IN_CLIENT, SIGNED_IN_TOKENS
from signoff.kit.actor import Actor, Standing
from signoff.kit.errors import Forbidden
from signoff.kit.jsons import JsonObject
from signoff.kit.settings import Settings
from signoff.tools.connections.mcp.faults import NotConnected
from signoff.tools.connections.mcp.settings import Http
from signoff.tools.connections.port import Connected
from signoff.tools.registry import ToolFailed

if TYPE_CHECKING:
    from mcp.client.auth import OAuthClientProvider
    from mcp.client.auth.oauth2 import OAuthContext
    from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthMetadata, OAuthToken

# Where a server sends people back to, once they have said yes.
CALLBACK = "/oauth/connections"
# How long an admin has for it.
MOST_SECONDS = 600.0
SIGN_IN_FIRST = "An admin has to sign in to this server first (`POST /api/connections/{slug}/sign-in`)."
CHANGED_MEANWHILE = "The connection was changed or removed meanwhile. Start again."
# Under which name the tokens keep where they are renewed.
PLACE = "renewed_at"
_TELLING = ("access_token", "refresh_token", "client_secret")


class NotAPerson(Forbidden):
    """A server's page is visited by a person, who has to be the one who comes back."""

    code = "not_a_person"


@dataclass(eq=False)
class SignIn:
    """An admin on the way to a server's page and back."""

    by: Actor
    url: "asyncio.Future[str]"
    code: "asyncio.Future[AuthorizationCodeResult]"

    @classmethod
    def begun(cls, by: Actor) -> "SignIn":
        if by.standing not in (Standing.PERSON, Standing.ROOT):
            raise NotAPerson("A service token is no person, so it cannot sign in. Start it in your own session.")
        loop = asyncio.get_running_loop()
        return cls(by, loop.create_future(), loop.create_future())

    def is_of(self, actor: Actor) -> bool:
        """Whether who comes back is who went: else an admin could have a colleague lend an account unawares."""
        is_same = self.by.user_id == actor.user_id and actor.standing is self.by.standing
        return is_same and self.by.workspace_id == actor.workspace_id

    @property
    def state(self) -> str:
        """By which the way back is known: nobody else has seen it."""
        return parse_qs(urlsplit(self.url.result()).query)["state"][0]

    async def go(self, url: str) -> None:
        self.url.set_result(url)

    async def come_back(self) -> "AuthorizationCodeResult":
        async with asyncio.timeout(MOST_SECONDS):
            return await self.code


@dataclass(eq=False)
class SealedTokens:
    """What a server gave us, in the store of secrets."""

    connection: Connected
    secrets: dict[str, str] = field(repr=False)
    # What whoever signs requests knows of the server.
    context: "OAuthContext | None" = field(default=None, repr=False)

    @property
    def last(self) -> JsonObject | None:
        """The tokens that are kept, with when they are over and where they are renewed."""
        kept = self.secrets.get(SIGNED_IN_TOKENS)
        return json.loads(kept) if kept else None

    @property
    def expires_at(self) -> float | None:
        return (self.last or {}).get("expires_at")

    @property
    def metadata(self) -> "OAuthMetadata | None":
        """Where the server has its tokens renewed: not always at its own address."""
        from mcp.shared.auth import OAuthMetadata

        said = (self.last or {}).get(PLACE)
        return OAuthMetadata.model_validate(said) if said else None

    async def read_again(self) -> None:
        """What other sessions have kept since."""
        try:
            self.secrets.update(await asyncio.to_thread(self.connection.secrets))
        except ToolFailed as error:
            raise NotConnected(str(error)) from None

    async def get_tokens(self) -> "OAuthToken | None":
        from mcp.shared.auth import OAuthToken

        return OAuthToken.model_validate(self.last) if self.last else None

    async def set_tokens(self, tokens: "OAuthToken") -> None:
        expires_at = time.time() + tokens.expires_in if tokens.expires_in else None
        known = self.context.oauth_metadata if self.context else None
        more = {"expires_at": expires_at, PLACE: known.model_dump(mode="json") if known else None}
        await self._keep(SIGNED_IN_TOKENS, tokens.model_dump(mode="json") | more)

    async def get_client_info(self) -> "OAuthClientInformationFull | None":
        from mcp.shared.auth import OAuthClientInformationFull

        kept = self.secrets.get(SIGNED_IN_CLIENT)
        return OAuthClientInformationFull.model_validate_json(kept) if kept else None

    async def set_client_info(self, client_info: "OAuthClientInformationFull") -> None:
        await self._keep(SIGNED_IN_CLIENT, client_info.model_dump(mode="json"))

    async def _keep(self, name: str, value: Any) -> None:
        self.secrets[name] = json.dumps(value)
        if not await asyncio.to_thread(self.connection.keep, {name: self.secrets[name]}):
            raise NotConnected(CHANGED_MEANWHILE)


def signer(
    connection: Connected, secrets: dict[str, str], target: Http, settings: Settings, sign_in: SignIn | None
) -> "OAuthClientProvider":
    """Puts the token on every request and renews it; without one it needs an admin who signs in."""
    from mcp.shared.auth import OAuthClientMetadata

    from signoff.tools.connections.mcp.renewing import Renewing

    async def refuse(_url: str) -> None:
        raise NotConnected(SIGN_IN_FIRST.format(slug=connection.slug))

    tokens = SealedTokens(connection, secrets)
    about = OAuthClientMetadata.model_validate(
        {"client_name": "Signoff", "redirect_uris": [settings.base_url + CALLBACK], "scope": target.scope}
    )
    back = sign_in.come_back if sign_in else _never
    made = Renewing(target.url, about, tokens, sign_in.go if sign_in else refuse, back)
    made.use(tokens)
    return made


def hidden_values(secrets: Mapping[str, str]) -> Iterator[str]:
    """What must not be told: each secret, and of tokens every part that would do."""
    for name, value in secrets.items():
        yield value
        if name in (SIGNED_IN_TOKENS, SIGNED_IN_CLIENT):
            parts: dict[str, Any] = json.loads(value)
            yield from (parts[each] for each in _TELLING if parts.get(each))


async def _never() -> "AuthorizationCodeResult":
    raise AssertionError("whoever is refused does not come back")
