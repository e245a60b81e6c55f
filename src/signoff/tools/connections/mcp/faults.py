"""What goes wrong between us and a server, in words."""

from collections.abc import Iterator
from typing import Any, cast

from signoff.kit.network.addresses import AddressRefused
from signoff.tools.connections.addresses import refused

# As the client library numbers them: nobody is there, no answer in time, something broke, it wants a page visited.
CLOSED, TOO_LATE, BROKE, VISIT_FIRST = -32000, -32001, -32603, -32042
# Ours: a question that nobody has answered yet.
NOT_YET = -32050
UNKNOWN_CALLER = (
    "The server answered {status}: it wants to know who you are. Add a secret, and a header such as "
    "Authorization: Bearer ${{token}}; or set auth to oauth and sign in."
)


class NotConnected(Exception):
    """The server could not be reached, so nothing happened."""


class CutOff(Exception):
    """The call was sent, and how it ended is not known."""


def words(error: BaseException, status: int | None = None, stderr: str = "") -> str:
    """The most telling line of an error that may hold others."""
    leaves = list(_leaves(error))
    own = next((each for each in leaves if isinstance(each, NotConnected)), None)
    if own is not None:
        return str(own)
    if status in (401, 403):
        return UNKNOWN_CALLER.format(status=status)
    told = next((each for each in leaves if str(each)), leaves[0])
    said = _one(told)
    if status is not None and status >= 400:
        said = f"The server answered {status}. {said}"
    return f"{said}\n{stderr}".strip() if stderr else said


def _one(error: BaseException) -> str:
    match error:
        case FileNotFoundError():
            return f"The command was not found: {error.filename or error}."
        case AddressRefused():
            return refused(error, error.host)
        case TimeoutError():
            return str(error) or "It took too long to connect."
        case _:
            return f"{type(error).__name__}: {error}"


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for each in cast("BaseExceptionGroup[Any]", error).exceptions:
            yield from _leaves(each)
    else:
        yield error
