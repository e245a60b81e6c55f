"""Errors without the token that a service may have repeated, or that stood in an address. Pure."""

from urllib.parse import quote

from signoff.channels.port import ChannelError

HIDDEN = "•••"


def without(error: ChannelError, *secrets: str) -> ChannelError:
    """The same error, with none of these in any form."""
    detail = error.detail
    for secret in secrets:
        for form in (secret, quote(secret, safe=":"), quote(secret, safe="")):
            if form:
                detail = detail.replace(form, HIDDEN)
    return ChannelError(detail, permanent=error.permanent, retry_after=error.retry_after)
