"""The settings of an HTTP API, and how its secrets go into its headers."""

from base64 import b64encode
from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator

from signoff.channels.addresses import WebAddress
from signoff.tools.builtin.web.request import checked
from signoff.tools.connections.http.base_address import is_below
from signoff.tools.connections.secret_places import SecretMissing, filled
from signoff.tools.registry import ToolFailed

TOKEN, PASSWORD = "token", "password"
HeaderName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]


def _plain_address(given: str) -> str:
    if any(sign in given for sign in "?#$@") or not is_below(given, given):
        raise ValueError("must be an address such as https://api.example.org/v1, without secrets or a query in it")
    return given


class HttpSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    base_url: Annotated[WebAddress, AfterValidator(_plain_address)] = Field(
        description="Everything that is requested lies below it."
    )
    headers: dict[HeaderName, Annotated[str, StringConstraints(max_length=2_000)]] = Field(
        default_factory=dict[str, str],
        max_length=20,
        description="Sent with every request; ${name} stands for the secret of that name.",
    )
    auth: Literal["none", "bearer", "header", "basic"] = Field(
        default="none", description="bearer and header send the secret `token`, basic the secret `password`."
    )
    header: HeaderName = Field(default="X-API-Key", description="The header of `auth: header`.")
    username: str | None = Field(default=None, max_length=200, description="The user of `auth: basic`.")

    @model_validator(mode="after")
    def _can_be_sent(self) -> Self:
        if self.auth == "basic" and (not self.username or ":" in self.username):
            raise ValueError("auth basic needs a username without a colon")
        try:
            checked({"method": "GET", "url": self.base_url, "headers": self.shown()})
        except ToolFailed as error:
            raise ValueError(str(error)) from None
        return self

    def shown(self) -> dict[str, str]:
        """The headers as people see them: a name stands for each secret."""
        own = {name.lower(): value for name, value in self.headers.items()}
        match self.auth:
            case "bearer":
                return own | {"authorization": f"Bearer ${{{TOKEN}}}"}
            case "header":
                return own | {self.header.lower(): f"${{{TOKEN}}}"}
            case "basic":
                return own | {"authorization": f"Basic {self.username}:${{{PASSWORD}}}"}
            case "none":
                return own

    def sent(self, secrets: Mapping[str, str]) -> dict[str, str]:
        """The headers as they go out. Raises ToolFailed where a secret is missing."""
        try:
            sent = {name: filled(value, secrets) for name, value in self.shown().items()}
        except SecretMissing as error:
            raise ToolFailed(f"{error} An admin enters it there.") from None
        if self.auth == "basic":
            sent["authorization"] = f"Basic {basic(self.username or '', secrets)}"
        return sent


def basic(username: str, secrets: Mapping[str, str]) -> str:
    """User and password as they are sent."""
    return b64encode(f"{username}:{secrets.get(PASSWORD, '')}".encode()).decode()
