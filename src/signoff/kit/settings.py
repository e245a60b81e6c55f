"""Settings: defaults, then `signoff.toml`, then `SIGNOFF_*`, then what the command line says."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

MEGABYTE = 1024 * 1024
LEAST_TOKEN = 16


class Settings(BaseSettings):
    """Everything that a deployment may change."""

    model_config = SettingsConfigDict(env_prefix="SIGNOFF_", toml_file="signoff.toml", extra="ignore")

    host: str = "127.0.0.1"
    port: int = 8400
    data: Path = Path(".signoff")
    database_url: str = Field(default="", description="Empty: SQLite in the data folder. Else postgresql://…")
    token: str = Field(
        default="",
        description=f"Accepted as an admin API token: for containers and scripts. At least {LEAST_TOKEN} characters.",
    )
    public_url: str = Field(default="", description="The address people use, for links.")
    secure_cookies: bool = Field(default=False, description="On when people reach the server by https.")
    agents: Path | None = Field(default=None, description="A folder of agent files (*.yaml) to load at start.")
    tools: Path | None = Field(
        default=None,
        description="A folder of your own tools (*.py), followed while running. Empty: in the data folder.",
    )
    rules: Path | None = Field(default=None, description="A rules file to use; changes are picked up while running.")
    demo: bool = Field(default=True, description="Create the demo agents and one demo run at first start.")
    workers: bool = Field(default=True, description="Run agents in this process. Off: `signoff worker` does.")
    max_live_runs: int = Field(default=500, ge=1, description="How many runs one process works on at the same time.")
    lease_seconds: float = Field(
        default=15.0, gt=0, description="How long a worker that stopped responding keeps its runs."
    )
    retry_seconds: float = Field(default=2.0, ge=0, description="Wait after a failed model call; doubles each time.")
    retry_attempts: int = Field(default=6, ge=0, description="How often a failed model call is tried again.")
    model_timeout_seconds: float = Field(default=300.0, gt=0)
    tool_timeout_seconds: float = Field(default=120.0, gt=0)
    connect_timeout_seconds: float = Field(
        default=30.0, gt=0, description="How long the server of a connection has to answer for the first time."
    )
    idle_session_seconds: float = Field(
        default=120.0, gt=0, description="How long a session with the server of a connection is kept unused."
    )
    context_tokens: int | None = Field(
        default=None,
        ge=1000,
        description="How many tokens of a conversation a model is sent; older results and turns then give way to "
        "references and a summary. Not set: what the model's window allows, at most 150,000.",
    )
    usd_per_credit: float = Field(default=0.01, gt=0, description="1 credit is 1 US cent unless configured.")
    max_body_bytes: int = 12 * MEGABYTE
    max_arguments_bytes: int = 1 * MEGABYTE
    max_message_bytes: int = 4 * MEGABYTE
    inline_deliverable_bytes: int = 1 * MEGABYTE
    max_document_bytes: int = Field(
        default=10 * MEGABYTE, ge=1, description="How large one document of the knowledge base can be."
    )
    max_documents: int = Field(default=10_000, ge=1, description="How many documents one workspace may keep.")
    files: str = Field(
        default="",
        description="Where large deliverables are kept. Empty: a folder of the data; s3://bucket/prefix: there, with "
        "the usual AWS_* variables.",
    )
    max_file_bytes: int = Field(default=100 * MEGABYTE, ge=1, description="How large one uploaded file can be.")
    max_files_at_once: int = Field(default=50, ge=1, description="How many files one upload can have.")
    max_folder_bytes: int = Field(default=1024 * MEGABYTE, ge=1, description="How much a run's folder can hold.")
    max_folder_files: int = Field(default=10_000, ge=1, description="How many files a run's folder can have.")
    max_workspace_bytes: int = Field(
        default=20 * 1024 * MEGABYTE, ge=1, description="How much a workspace's uploads and deliverables can take."
    )
    max_open_asks: int = Field(default=20, ge=1, description="How many open asks one run may have.")
    max_asks_per_hour: int = Field(default=60, ge=1, description="How many asks one run may open per hour.")
    audit_key: str = Field(
        default="",
        repr=False,
        description="Seals the audit record: 32 bytes in base64. Empty: audit.key in the data folder.",
    )
    audit_retired_keys: str = Field(default="", description="Public keys that sealed it before, oldest first: a,b.")
    audit_anchor: str = Field(
        default="",
        description="Where the record is anchored: a file, a URL, or both (a,b). Empty: audit.anchor in the "
        "data; `none`: nowhere.",
    )
    secret_key: str = Field(
        default="",
        repr=False,
        description="Seals the secrets of channels and connections: 32 bytes in base64. Empty: secret.key in the "
        "data folder.",
    )
    secret_retired_keys: str = Field(
        default="", repr=False, description="Keys that sealed secrets before, until `signoff secrets rotate`: a,b."
    )
    sign_in_tries_per_minute: int = Field(
        default=20, ge=1, description="Per address and minute; ten times that per email."
    )
    wrong_tokens_per_minute: int = Field(default=60, ge=1, description="Unknown bearer tokens from one address.")
    hook_starts_per_minute: int = Field(
        default=60, ge=1, description="Runs that the webhook of one workflow starts within a minute."
    )
    trusted_proxies: str = Field(
        default="",
        description="Proxies whose X-Forwarded-For and X-Forwarded-Proto count: addresses or networks, with commas.",
    )
    egress: Annotated[list[str] | None, NoDecode] = Field(
        default=None, description="Hosts that tools may reach: example.org,*.example.org. Not set: any public host."
    )
    allow_private_addresses: bool = Field(
        default=False, description="Let tools that read from the web reach private addresses."
    )

    connection_hosts: Annotated[list[str], NoDecode] = Field(
        default_factory=list[str],
        description="Hosts of your own network that connections may reach: db.internal,*.corp.example.",
    )
    connection_files: Path | None = Field(
        default=None, description="A folder whose SQLite databases connections may open. Not set: none."
    )

    search_provider: Literal["", "brave", "tavily", "exa", "searxng"] = Field(
        default="", description="Who is asked by web_search. Empty: the SearXNG, if there is one."
    )
    search_key: str = Field(default="", repr=False, description="The key of the search provider.")
    searxng_url: str = Field(default="", description="The address of a SearXNG that answers in JSON.")

    chromium: Path | None = Field(
        default=None, description="Where Chromium is, for tools that browse. Empty: on the path."
    )

    @field_validator("token")
    @classmethod
    def _refuse_a_guessable_token(cls, token: str) -> str:
        if token and len(token) < LEAST_TOKEN:
            raise ValueError(
                f"SIGNOFF_TOKEN needs at least {LEAST_TOKEN} characters: anyone who guesses it is an admin"
            )
        return token

    @field_validator("egress", "connection_hosts", mode="before")
    @classmethod
    def _listed(cls, given: Any) -> Any:
        return [each.strip() for each in given.split(",") if each.strip()] if isinstance(given, str) else given

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)

    @property
    def url(self) -> str:
        """The database: PostgreSQL when given, else SQLite in the data folder."""
        if not self.database_url:
            return f"sqlite:///{(self.data / 'signoff.db').absolute()}"
        for plain in ("postgresql://", "postgres://"):
            if self.database_url.startswith(plain):
                return "postgresql+psycopg://" + self.database_url.removeprefix(plain)
        return self.database_url

    @property
    def base_url(self) -> str:
        return self.public_url.rstrip("/") or f"http://{self.host}:{self.port}"

    @property
    def by_https(self) -> bool:
        """Whether cookies may travel by https only."""
        return self.secure_cookies or self.public_url.lower().startswith("https://")

    @property
    def tools_folder(self) -> Path:
        """The user's own tools. No agent writes there."""
        return self.tools or self.data / "tools"

    @property
    def runs_folder(self) -> Path:
        """Each run's own files."""
        return self.data / "runs"

    @property
    def undo_folder(self) -> Path:
        """What calls changed in the folders of runs, as it was before."""
        return self.data / "undo"

    @property
    def files_folder(self) -> Path:
        """Large deliverables."""
        return self.data / "files"

    @property
    def uploads_folder(self) -> Path:
        """Files that wait for a run."""
        return self.data / "uploads"


def load(**given: Any) -> Settings:
    """Settings with what the command line gave (None means: not given)."""
    return Settings(**{name: value for name, value in given.items() if value is not None})
