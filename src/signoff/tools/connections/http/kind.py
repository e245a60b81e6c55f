"""An HTTP API as a connection: one tool that reads, one that sends."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import urljoin

from pydantic import Field

from signoff.kit.errors import FieldError
from signoff.kit.jsons import JsonObject
from signoff.kit.network.addresses import AddressRefused
from signoff.kit.network.http import CUT, RequestFailed, exchange
from signoff.kit.settings import Settings
from signoff.kit.text.secret_values import without_secrets_inside
from signoff.policy.impact import Impact, ImpactKind
from signoff.tools.builtin.web.answer import MOST_READ, as_text, shown_headers, unpacked
from signoff.tools.builtin.web.http_request import AGENT, MAX_HOPS
from signoff.tools.builtin.web.request import HttpRequest, checked, shown
from signoff.tools.connections.addresses import reaches_private, refused, require_allowed
from signoff.tools.connections.http.base_address import below, is_below
from signoff.tools.connections.http.credentials import HttpSettings, basic
from signoff.tools.connections.own_tools import own_tool
from signoff.tools.connections.port import Connected
from signoff.tools.connections.settings_check import problems_of
from signoff.tools.effects import NoPreview, Preview
from signoff.tools.egress import host_of
from signoff.tools.registry import Tool, ToolContext, ToolFailed

if TYPE_CHECKING:
    import httpx

Path_ = Annotated[str, Field(max_length=2_000, description="Below the address of the connection, such as /orders/7.")]
Query = dict[str, str | int | float | bool | list[str]]
Method = Literal["POST", "PUT", "PATCH", "DELETE"]
MUST_SIGN_IN = (401, 403)


class HttpKind:
    kind = "http"
    # Whatever its headers name.
    secret_names: frozenset[str] | None = None

    def check(self, settings: JsonObject) -> list[FieldError]:
        return problems_of(HttpSettings, settings)

    def test(self, connection: Connected, settings: Settings) -> str | None:
        """Read the base address: any answer will do but one that wants other credentials, or a server's trouble."""
        api = HttpTools(connection)
        try:
            status = api.answered(
                settings, api.request({"method": "GET", "path": ""}), connection.secrets()
            ).status_code
        except (ToolFailed, RequestFailed) as error:
            return str(error)
        if status in MUST_SIGN_IN:
            return f"The other side answered {status}: it does not take these credentials."
        return f"The other side answered {status}." if status >= 500 else None

    def host(self, settings: JsonObject) -> str | None:
        return host_of(HttpSettings.model_validate(settings).base_url)

    def tools(self, connection: Connected) -> list[Tool]:
        return HttpTools(connection).all()


class HttpTools:
    """What can be requested of one API."""

    def __init__(self, connection: Connected) -> None:
        self._connection = connection
        self._settings = HttpSettings.model_validate(connection.settings)

    def all(self) -> list[Tool]:
        return [
            # Reading carries text to the other side, so it is no less than medium.
            own_tool(
                self._connection,
                "get",
                operation_type="read",
                risk="medium",
                idempotent=True,
                title=f"Read {{path}} of {self._connection.name}",
            )(self.get),
            own_tool(
                self._connection,
                "send",
                operation_type="external_api_call",
                risk="high",
                title=f"{{method}} {{path}} to {self._connection.name}",
                impact=self.impact,
                preview=self.preview,
            )(self.send),
        ]

    def get(self, context: ToolContext, path: Path_, query: Query | None = None) -> JsonObject:
        """Read from the API of this connection. The address and the credentials are put in for you."""
        return self._asked(context, self.request({"method": "GET", "path": path, "query": query}))

    def send(
        self,
        context: ToolContext,
        method: Method,
        path: Path_,
        query: Query | None = None,
        body: str | None = None,
        json: Any = None,
    ) -> JsonObject:
        """Send a request that changes something: `body` goes out as it is, `json` as JSON. Credentials are put in."""
        given: JsonObject = {"method": method, "path": path, "query": query, "body": body, "json": json}
        return self._asked(context, self.request(given, context.idempotency_key))

    def impact(self, arguments: JsonObject, _folder: Path) -> Impact:
        request = self.request(arguments)
        kinds = (ImpactKind.LEAVES_HOUSE, ImpactKind.CANNOT_BE_UNDONE)
        return Impact(kinds, f"Sends a {request.method} request to {request.host}, cannot be undone")

    def preview(self, _context: ToolContext, arguments: JsonObject) -> Preview:
        try:
            return shown(self.request(arguments))
        except ToolFailed as error:
            raise NoPreview(str(error)) from None

    def request(self, arguments: JsonObject, idempotency_key: str = "") -> HttpRequest:
        """As it goes out, but with names in place of secrets. Raises ToolFailed for one that cannot be sent."""
        url = below(self._settings.base_url, str(arguments["path"]), arguments.get("query"))
        return checked({**arguments, "url": url, "headers": self._settings.shown()}, idempotency_key)

    def answered(self, settings: Settings, request: HttpRequest, secrets: Mapping[str, str]) -> "httpx.Response":
        """What the other side says. A redirect is followed while it stays below the address, and reads."""
        require_allowed(settings, request.host)
        url = request.url
        for _ in range(MAX_HOPS):
            response = self._exchanged(settings, request, url, secrets)
            to = urljoin(url, response.headers.get("location", ""))
            if not (request.reads and response.is_redirect and is_below(self._settings.base_url, to)):
                return response
            url = to
        raise ToolFailed(f"{request.path} leads in circles.")

    def _asked(self, context: ToolContext, request: HttpRequest) -> JsonObject:
        if not context.reach.allows(request.host):
            raise ToolFailed(f"{request.host} is not among the hosts that this agent may reach.")
        # Once: what is taken out of the answer is what was sent, whatever an admin enters meanwhile.
        secrets = self._connection.secrets()
        response = self.answered(context.settings, request, secrets)
        content, is_cut = unpacked(response), bool(response.extensions[CUT])
        found: JsonObject = {"status": response.status_code, "size_bytes": len(content)}
        if response.is_redirect:
            found["note"] = "This leads away from the API and was not followed."
        told = found | {"headers": shown_headers(response)} | as_text(response, content, is_cut)
        # Some repeat what they were sent.
        return without_secrets_inside(self._secret_texts(secrets), told)

    def _exchanged(
        self, settings: Settings, request: HttpRequest, url: str, secrets: Mapping[str, str]
    ) -> "httpx.Response":
        # The key of the call, which is no setting, stays as it is.
        headers = AGENT | dict(request.headers) | self._settings.sent(secrets)
        checked({"method": "GET", "url": url, "headers": headers})
        try:
            return exchange(
                url,
                method=request.method,
                content=request.content,
                headers=headers,
                reaches_private=reaches_private(settings, request.host),
                most_read=MOST_READ,
            )
        except RequestFailed as error:
            # Whether a request took effect that broke off on its way, a person finds out.
            if error.sent and not request.reads:
                raise
            cause = error.__cause__
            detail = refused(cause, request.host) if isinstance(cause, AddressRefused) else str(error)
            raise ToolFailed(f"{request.method} {request.path} failed: {detail}") from None

    def _secret_texts(self, secrets: Mapping[str, str]) -> list[str]:
        username = self._settings.username
        return [*secrets.values(), *([basic(username, secrets)] if username else [])]
