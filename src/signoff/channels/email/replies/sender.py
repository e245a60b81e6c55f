"""Whose mail it is, as it says, and whether a person wrote it. Pure."""

import re

from signoff.channels.email.replies.headers import Headers

LONGEST_FROM = 1_000
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})+"
# A name in quotes may hold anything; without them, nothing that could be read as one more address or as a comment.
_NAME = r'(?:"(?:[^"\\]|\\.)*"|[^"<>@,;:()\[\]\\])*'
_ONE_SENDER = re.compile(rf"(?:(?P<bare>{_ADDRESS})|{_NAME}<(?P<named>{_ADDRESS})>)")
_BULK = frozenset({"bulk", "junk", "list", "auto_reply"})
_AUTOMATIC = ("x-autoreply", "x-autorespond", "x-auto-reply")


def sender_of(headers: Headers) -> str | None:
    """The one address that it is from, in small letters; None: it has none, several, or one that is not plain."""
    given = headers.all("from")
    if len(given) != 1 or len(given[0]) > LONGEST_FROM:
        return None
    found = _ONE_SENDER.fullmatch(given[0])
    return (found["bare"] or found["named"]).lower() if found else None


def domain_of(address: str) -> str:
    return address.rpartition("@")[2]


def is_automatic(headers: Headers) -> bool:
    """Whether a program answered: somebody is away, a mail could not be delivered, a list passes on."""
    said = headers.all("auto-submitted")
    return (
        any(each.partition(";")[0].strip().lower() != "no" for each in said)
        or bool(headers.all(*_AUTOMATIC))
        or any(each.strip().lower() in _BULK for each in headers.all("precedence"))
        or any(each.replace(" ", "") in ("<>", "") for each in headers.all("return-path"))
        or headers.first("content-type").lower().startswith("multipart/report")
    )
