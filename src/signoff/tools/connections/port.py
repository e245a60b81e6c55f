"""What a kind of connection is: it checks settings and gives tools, and most test whether they work."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from signoff.kit.errors import FieldError
from signoff.kit.jsons import JsonObject
from signoff.kit.settings import Settings
from signoff.policy.risk import Risk
from signoff.tools.registry import Tool


@dataclass(frozen=True)
class ListedTool:
    """A tool as its server describes it, with what a person said to that."""

    # Behind the slug; of letters that every model takes.
    name: str
    remote_name: str
    description: str
    schema: JsonObject
    annotations: JsonObject
    fingerprint: str
    reviewed_fingerprint: str | None = None
    reviewed_by: str | None = None
    risk: Risk | None = None
    # The argument that makes a call a dry run, by the review.
    dry_run: str | None = None


def _nowhere(_secrets: Mapping[str, str]) -> bool:
    """Where nothing is stored."""
    return True


@dataclass(frozen=True)
class Connected:
    """A connection as its tools see it: its settings, and its secrets when they are needed."""

    id: str
    workspace_id: str
    slug: str
    name: str
    settings: JsonObject
    secrets: Callable[[], dict[str, str]]
    version: int = 0
    # What its server has, where the tools are not ours.
    listed: tuple[ListedTool, ...] = ()
    # Seals what a server gave us, such as tokens; blocks. False: it is reached in another way by now, which must not
    # get them.
    keep: Callable[[Mapping[str, str]], bool] = _nowhere
    # The addresses of the workspace's members, in small letters: whoever else is reached is outside.
    members: Callable[[], frozenset[str]] = frozenset

    @property
    def place(self) -> tuple[str, int]:
        """Where and as whom it acts: another one as soon as its settings or secrets are, but not by a renewed token."""
        return self.id, self.version


class ConnectionKind(Protocol):
    """One kind; its tools are named `{slug}__{tool}` and have the source `connection:{slug}`."""

    @property
    def kind(self) -> str: ...

    @property
    def secret_names(self) -> frozenset[str] | None:
        """Which secrets it takes; None: of any names."""
        ...

    def check(self, settings: JsonObject) -> list[FieldError]:
        """What is wrong with the settings."""
        ...

    def host(self, settings: JsonObject) -> str | None:
        """Where its tools go; None: no further than this machine."""
        ...

    def tools(self, connection: Connected) -> list[Tool]: ...


@runtime_checkable
class TestedKind(Protocol):
    """A kind whose tools are ours, so that reaching it is all that there is to try."""

    def test(self, connection: Connected, settings: Settings) -> str | None:
        """The exact error, without a secret; None: it works. Blocks."""
        ...
