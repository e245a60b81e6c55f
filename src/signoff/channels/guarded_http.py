"""Requests to addresses that people entered: to public ones only, unless whoever runs the server entered them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from signoff.channels.port import ChannelError
from signoff.kit.network import addresses, http
from signoff.kit.network.http import LONGEST_SECONDS, SECONDS

if TYPE_CHECKING:
    import httpx

__all__ = ["LONGEST_SECONDS", "MOST_TOLD", "SECONDS", "allowed_address", "exchange", "failure", "post"]
MOST_TOLD = 300
WHO_MAY = "Only an installation admin can set up a channel that goes there."


def allowed_address(host: str, port: int, *, reaches_private: bool) -> str:
    """The address to connect to, if a channel may."""
    try:
        return addresses.allowed_address(host, port, reaches_private=reaches_private)
    except addresses.AddressRefused as error:
        raise ChannelError(f"{error} {WHO_MAY}", permanent=True) from None
    except addresses.HostNotFound as error:
        raise ChannelError(str(error)) from None


def exchange(
    url: str, *, content: bytes, headers: Mapping[str, str], reaches_private: bool, method: str = "POST"
) -> "httpx.Response":
    """One request and its answer, whatever that says: for services that explain a refusal in their own way."""
    try:
        response = http.exchange(url, content=content, headers=headers, reaches_private=reaches_private, method=method)
    except http.RequestFailed as error:
        refused = isinstance(error.__cause__, addresses.AddressRefused)
        detail = f"{error} {WHO_MAY}" if refused else str(error)
        raise ChannelError(detail, permanent=error.permanent, sent=error.sent) from None
    if response.extensions[http.CUT]:
        raise ChannelError("The other side's answer was too long.")
    return response


def post(
    url: str, *, content: bytes, headers: Mapping[str, str], reaches_private: bool, method: str = "POST"
) -> "httpx.Response":
    """One request, answered with success. Anything else is an error in the words of the other side."""
    response = exchange(url, content=content, headers=headers, reaches_private=reaches_private, method=method)
    if response.is_success:
        return response
    raise failure(response)


def failure(response: "httpx.Response") -> ChannelError:
    """What an answer without success means: 429 and 5xx pass, everything else stays as it is."""
    said = " ".join(response.text.split())[:MOST_TOLD]
    passes = response.status_code in (408, 425, 429) or response.status_code >= 500
    detail = f"The other side answered {response.status_code} {response.reason_phrase}".rstrip()
    return ChannelError(
        f"{detail}: {said}" if said else f"{detail}.",
        permanent=not passes,
        retry_after=_retry_after(response),
        status=response.status_code,
    )


def _retry_after(response: "httpx.Response") -> float | None:
    given = response.headers.get("retry-after", "")
    return min(float(given), 3600.0) if given.isascii() and given.isdigit() else None
