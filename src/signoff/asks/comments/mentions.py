"""Whom a comment names. Pure."""

import re
from collections.abc import Iterable

# What belongs to a name or an address: after one of these an `@` is the middle of an email.
_INSIDE = re.compile(r"[\w.+-]")
# An address that stands after its `@`; a full stop behind it ends the sentence.
_ADDRESS = re.compile(r"(?<![\w.+-])@([\w.+-]{1,100}@[\w.-]{0,200}\w)")
MOST_MENTIONS = 50
LONGEST_BEGINNING = 200


def mentioned(text: str, members: Iterable[tuple[str, str]]) -> list[str]:
    """The emails of these members (email and name each) whom a text names by `@email` or `@name`, in its order.

    The beginning of an email counts as a name. A name that two members share is nobody's: they go by their emails.
    """
    handles = _handles(members)
    longest_first = sorted(handles, key=len, reverse=True)
    lowered, found = text.lower(), dict[str, None]()
    for at in (match.start() for match in re.finditer("@", lowered)):
        if at and _INSIDE.match(lowered[at - 1]):
            continue
        handle = next((each for each in longest_first if _stands(lowered, each, at + 1)), None)
        if handle is not None:
            found[handles[handle]] = None
    return list(found)[:MOST_MENTIONS]


def by_name(text: str, members: Iterable[tuple[str, str]]) -> str:
    """The same text for reading: whom it names by `@e-mail` goes by name."""
    names = {email.lower(): name for email, name in members if name}
    return _ADDRESS.sub(lambda found: f"@{names[key]}" if (key := found[1].lower()) in names else found[0], text)


def beginning(text: str) -> str:
    """As much of it as a notice has room for, in one line."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_BEGINNING else f"{line[:LONGEST_BEGINNING].rstrip()}…"


def _handles(members: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Every name and address in small letters, with the email whose it is alone."""
    known = list(members)
    owners = dict[str, set[str]]()
    for email, name in known:
        for handle in {" ".join(name.lower().split()), email.partition("@")[0].lower()} - {""}:
            owners.setdefault(handle, set()).add(email)
    alone = {handle: next(iter(emails)) for handle, emails in owners.items() if len(emails) == 1}
    # Last: nobody takes another's address by calling themselves so.
    return alone | {email.lower(): email for email, _ in known}


def _stands(text: str, handle: str, at: int) -> bool:
    """Whether a handle stands there whole: `@ann` is not in `@anna`, nor in `@ann@elsewhere.org`."""
    end = at + len(handle)
    if not text.startswith(handle, at):
        return False
    # A full stop or a hyphen that ends the sentence ends the name, too.
    return re.match(r"[.+-]*[\w@]", text[end : end + 8]) is None
