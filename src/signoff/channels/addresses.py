"""Addresses that channels reach: what people enter, and where mail can go."""

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, StringConstraints


def _web_address(given: str) -> str:
    try:
        parts = urlsplit(given)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        is_web, parts = False, None
    if not is_web or parts is None:
        raise ValueError("must be a whole address, such as https://hooks.example.org/signoff")
    if "@" in parts.netloc:
        raise ValueError("must not have a user or a password in it: they would be shown")
    return given


WebAddress = Annotated[str, StringConstraints(strip_whitespace=True, max_length=2_000), AfterValidator(_web_address)]


def gets_mail(email: str) -> bool:
    """Whether mail can reach it: who is called somebody@localhost has a name here, and no mailbox."""
    return not email.lower().endswith("@localhost")
