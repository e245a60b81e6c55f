"""What a call would change, shown before it happens; and the call that takes it back afterwards."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from signoff.kit.jsons import JsonObject

if TYPE_CHECKING:
    from signoff.tools.registry import ToolContext

# How the parts of a preview are shown: a file's diff; how many rows a statement touches; a mail as its reader sees it;
# a request; fields with their labels; or only words.
PreviewKind: TypeAlias = Literal["diff", "rows", "mail", "request", "fields", "text"]


@dataclass(frozen=True)
class Preview:
    """What would change, in one line and in detail. Made by reading only: a preview has no effect of its own."""

    kind: PreviewKind
    summary: str
    detail: JsonObject = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class UndoCall:
    """The call that takes another one back, judged and recorded as any other."""

    tool: str
    arguments: JsonObject


class NoPreview(Exception):
    """Nothing can be said before it happens; the message tells the approver why."""


class CannotUndo(Exception):
    """The world has moved on; the message tells whoever wanted it why."""


# Given the context that the call would have, and its arguments. Raises NoPreview.
PreviewFunction: TypeAlias = Callable[["ToolContext", JsonObject], Preview]
# Given the same, and how many seconds there are: what the other side says that the call would do. Raises ToolFailed.
DryRunFunction: TypeAlias = Callable[["ToolContext", JsonObject, float], Awaitable[str]]
# Given the context, the arguments and the result of the call. Raises CannotUndo.
UndoFunction: TypeAlias = Callable[["ToolContext", JsonObject, Any], UndoCall]
