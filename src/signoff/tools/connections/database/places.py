"""Where a database is: read off its address, which names a secret and never holds one."""

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from signoff.kit.settings import Settings
from signoff.tools.registry import ToolFailed

PASSWORD = "${password}"  # noqa: S105
SSL_MODES = frozenset({"disable", "allow", "prefer", "require", "verify-full"})
_POSTGRES = frozenset({"postgresql", "postgres", "postgresql+psycopg"})
_HOST = re.compile(r"[A-Za-z0-9_.:-]+")


@dataclass(frozen=True)
class PostgresPlace:
    host: str
    port: int
    user: str
    database: str
    ssl_mode: str


@dataclass(frozen=True)
class SqlitePlace:
    # Below the folder that whoever runs the server named.
    path: str

    def file(self, settings: Settings) -> Path:
        """The file itself. Raises ToolFailed for one that connections may not open."""
        folder = settings.connection_files
        if folder is None:
            raise ToolFailed(
                "SQLite files can be opened from one folder only, which whoever runs the server names: "
                "SIGNOFF_CONNECTION_FILES."
            )
        root, data = folder.resolve(), settings.data.resolve()
        found = (root / self.path).resolve()
        if not found.is_relative_to(root) or found.is_relative_to(data) or not found.is_file():
            raise ToolFailed(f"There is no database {self.path} among those that connections may open.")
        return found


Place = PostgresPlace | SqlitePlace


def place_of(given: str) -> Place:
    """Raises ValueError with what is wrong about it."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        url: Any = make_url(given)
    except (ArgumentError, ValueError):
        raise ValueError(f"must be an address such as postgresql://user:{PASSWORD}@host/database") from None
    if url.drivername == "sqlite":
        return _sqlite(url)
    if url.drivername not in _POSTGRES:
        raise ValueError(f"cannot use {url.drivername}: PostgreSQL (postgresql://…) and SQLite (sqlite:///file) can be")
    return _postgres(url)


def _postgres(url: Any) -> PostgresPlace:
    if url.password not in (None, PASSWORD):
        raise ValueError(f"must not hold the password: write {PASSWORD} in its place and give it as a secret")
    if not url.host or not _HOST.fullmatch(url.host) or not url.username or not url.database:
        raise ValueError("must name a user, one host and a database")
    ssl_mode = url.query.get("sslmode", "prefer")
    if {*url.query} - {"sslmode"} or ssl_mode not in SSL_MODES:
        raise ValueError(f"takes only sslmode behind the question mark: {', '.join(sorted(SSL_MODES))}")
    return PostgresPlace(url.host, url.port or 5432, url.username, url.database, ssl_mode)


def _sqlite(url: Any) -> SqlitePlace:
    path = url.database or ""
    parts = PurePosixPath(path).parts
    if url.query or url.host or not parts or path.startswith(("/", "file:", ":")) or ".." in parts or "\x00" in path:
        raise ValueError("must be sqlite:/// and the name of a file in the folder that SIGNOFF_CONNECTION_FILES names")
    return SqlitePlace(path)


def _checked(given: str) -> str:
    place_of(given)
    return given


class DatabaseSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    url: Annotated[str, StringConstraints(strip_whitespace=True, max_length=1_000), AfterValidator(_checked)] = Field(
        description=f"postgresql://user:{PASSWORD}@host:5432/database, or sqlite:///file."
    )

    @property
    def place(self) -> Place:
        return place_of(self.url)
