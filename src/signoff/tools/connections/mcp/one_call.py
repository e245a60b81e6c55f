"""One call of a server's tool: as it was judged, and how it ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from signoff.kit.jsons import JsonObject
from signoff.kit.text.secret_values import without_secrets_inside
from signoff.tools.connections.mcp import faults, results
from signoff.tools.connections.mcp.faults import CutOff, NotConnected
from signoff.tools.connections.mcp.session import McpSession, Report, wanted_input
from signoff.tools.connections.port import Connected, ListedTool
from signoff.tools.registry import GivenInput, ToolFailed

if TYPE_CHECKING:
    from mcp_types import CallToolResult


class ToolIsAnother(Exception):
    """The server has another tool of this name by now than the one that was judged."""

    def __init__(self, name: str, listed: list[ListedTool]) -> None:
        super().__init__(name)
        # What it has instead.
        self.listed = listed


@dataclass(frozen=True)
class WantedCall:
    """What to call, as it was judged."""

    tool: ListedTool
    arguments: JsonObject
    run_id: str
    # Whether to make it twice is the same as once.
    idempotent: bool
    given: Sequence[GivenInput] = ()
    report: Report | None = None


@dataclass(frozen=True)
class Made:
    """How a call ended, and what the server has, if that is another list than was known."""

    value: Any
    news: list[ListedTool] | None = None


def require_same(session: McpSession, wanted: WantedCall) -> None:
    """The tool is the one that was judged, as far as the server has said."""
    now = next((each for each in session.listed if each.name == wanted.tool.name), None)
    if now is None or now.fingerprint != wanted.tool.fingerprint:
        raise ToolIsAnother(wanted.tool.name, session.listed)


async def make(
    session: McpSession, wanted: WantedCall, seconds: float, *, last: bool = True
) -> "CallToolResult | None":
    """Make it. None: the server is gone, and there is another try."""
    from mcp import MCPError

    try:
        return await session.call(wanted.tool.remote_name, wanted.arguments, seconds, wanted.given, wanted.report)
    except NotConnected:
        # It was never sent.
        if not last:
            return None
        raise
    except MCPError as error:
        code, said = error.code, session.without_secrets(str(error))
        if code in (faults.CLOSED, faults.BROKE):
            session.broken = True
            if not last:
                return None
            raise CutOff(f"The server closed the connection: {said}") from None
        if code == faults.TOO_LATE:
            raise CutOff(f"The server did not answer within {seconds:g} seconds") from None
        if code == faults.VISIT_FIRST:
            raise _visit(session, wanted, error) from None
        raise ToolFailed(f"The server refused the call: {said}") from None


def taken(session: McpSession, connection: Connected, result: "CallToolResult") -> Made:
    """What came of it. A tool that failed says why."""
    if result.is_error:
        raise ToolFailed(session.without_secrets(results.text_of(result)) or "The tool failed and did not say why.")
    value = without_secrets_inside(session.hidden, results.value_of(result))
    # Some servers list the same tools in another order each time.
    is_new = _fingerprints(session.listed) != _fingerprints(connection.listed)
    return Made(value, session.listed if is_new else None)


def _fingerprints(listed: Sequence[ListedTool]) -> dict[str, str]:
    return {each.name: each.fingerprint for each in listed}


def _visit(session: McpSession, call: WantedCall, error: Any) -> Exception:
    """A server that wants a page visited before it does anything; once is enough."""
    from mcp_types import ElicitationRequiredErrorData

    try:
        wanted = ElicitationRequiredErrorData.model_validate(error.data).elicitations[0]
    except (ValueError, IndexError):
        return ToolFailed(session.without_secrets(f"The server wants a page visited first: {error}"))
    asked = wanted_input(session.connection.slug, wanted, session.hidden)
    if any(each.url == asked.url for each in call.given):
        return ToolFailed(f"The server still wants a page visited that was visited: {asked.url}")
    return asked
