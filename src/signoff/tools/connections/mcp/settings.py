"""How an MCP server is reached, as an admin wrote it down: `${name}` stands for a secret."""

from collections.abc import Mapping
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator

from signoff.kit.errors import FieldError
from signoff.kit.jsons import JsonObject
from signoff.kit.text.field_words import field_words
from signoff.tools.connections.secret_places import filled

Text = Annotated[str, Field(max_length=4_000)]
EnvName = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=200)]
HeaderName = Annotated[str, Field(pattern=r"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$", max_length=100)]
Seconds = Annotated[float, Field(ge=1, le=600)]


class Stdio(BaseModel):
    """A command on this machine, which speaks on its standard input and output."""

    model_config = ConfigDict(extra="forbid")

    transport: Literal["stdio"]
    command: Annotated[str, Field(min_length=1, max_length=1_000)]
    args: list[Text] = Field(default=[], max_length=100)
    env: dict[EnvName, Text] = Field(default={}, max_length=100)
    cwd: Annotated[str, Field(max_length=1_000)] | None = None
    timeout_seconds: Seconds = 60.0

    def filled(self, secrets: Mapping[str, str]) -> "Stdio":
        args = [filled(each, secrets) for each in self.args]
        return self.model_copy(update={"args": args, "env": _filled_all(self.env, secrets)})


class Http(BaseModel):
    """An address that speaks streamable HTTP."""

    model_config = ConfigDict(extra="forbid")

    transport: Literal["http"]
    url: Annotated[str, Field(max_length=4_000)]
    headers: dict[HeaderName, Text] = Field(default={}, max_length=50)
    # Its tokens come from an admin who signs in at the server's own page.
    auth: Literal["oauth"] | None = None
    scope: Annotated[str, Field(max_length=1_000)] | None = None
    timeout_seconds: Seconds = 60.0

    @field_validator("url")
    @classmethod
    def _is_of_the_web(cls, url: str) -> str:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("it has to begin with http:// or https:// and name a host")
        if "@" in parts.netloc:
            raise ValueError("credentials belong in a header: Authorization: Bearer ${token}")
        return url

    def filled(self, secrets: Mapping[str, str]) -> "Http":
        return self.model_copy(update={"url": filled(self.url, secrets), "headers": _filled_all(self.headers, secrets)})


McpSettings = Stdio | Http
_READ: TypeAdapter[McpSettings] = TypeAdapter(Annotated[McpSettings, Field(discriminator="transport")])


def read(settings: JsonObject) -> McpSettings:
    return _READ.validate_python(settings)


def problems(settings: JsonObject) -> list[FieldError]:
    try:
        read(settings)
    except ValidationError as error:
        return [
            FieldError(".".join(str(part) for part in each["loc"] if part not in ("stdio", "http")), field_words(each))
            for each in error.errors(include_input=False, include_url=False)
        ]
    return []


def _filled_all(values: Mapping[str, str], secrets: Mapping[str, str]) -> dict[str, str]:
    return {name: filled(value, secrets) for name, value in values.items()}
