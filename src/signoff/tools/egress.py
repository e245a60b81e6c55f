"""Which hosts may be reached, and which requests carry something out: decided by the address alone."""

import re
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

import idna

# What a reader needs is short; what is longer may be text that is carried out.
LONGEST_PATH = 120
LONGEST_LABEL = 30
LONGEST_HOST = 80
# The tools that read from hosts.
FETCHING = frozenset({"web_fetch", "browse_page"})
# What resolvers look up as a name. Anything else may mean something else to whoever connects.
_NAME = re.compile(r"[a-z0-9_.-]+")
# The signs that mean a dot in names of other scripts.
_DOTS = ".\u3002\uff0e\uff61"


@dataclass(frozen=True)
class Reach:
    """What a run may reach: every list has to allow a host; none at all allows every public one."""

    lists: tuple[tuple[str, ...], ...] = ()
    # Hosts that the run has read from.
    known: frozenset[str] = frozenset()
    # Where people decide: no agent has any business there, whatever link it has come by.
    ours: str = ""

    @classmethod
    def within(cls, *lists: list[str] | None, known: frozenset[str] = frozenset(), ours: str = "") -> "Reach":
        return cls(tuple(tuple(each) for each in lists if each is not None), known, ours)

    def allows(self, host: str) -> bool:
        if self.ours and host == self.ours:
            return False
        return self.lists_allow(host)

    def lists_allow(self, host: str) -> bool:
        """As far as it was listed by people; for where an admin lets a connection lead."""
        return all(any(_matches(host, pattern) for pattern in each) for each in self.lists)

    def sends(self, url: str) -> str | None:
        """Why a request for this address counts as sending; None: it only reads."""
        host = host_of(url)
        if self.lists or (host and host in self.known) or not carries(url):
            return None
        return f"The address carries text to {host or 'a host'}, which this run has not read from before"


ANYWHERE = Reach()


def host_of(url: str) -> str:
    """The host of an address, in one spelling; empty where there is none."""
    try:
        return _plain(urlsplit(url.strip()).hostname or "")
    except ValueError:
        return ""


def carries(url: str) -> bool:
    """Whether an address has room for more than the name of a page. What cannot be read is taken to have."""
    try:
        parts = urlsplit(url.strip())
        host = parts.hostname or ""
    except ValueError:
        return True
    long_name = len(host) > LONGEST_HOST or any(len(label) > LONGEST_LABEL for label in host.split("."))
    long_path = len(parts.path.encode("utf-8", "replace")) > LONGEST_PATH
    return bool(not host or "?" in url or ";" in parts.path or "@" in parts.netloc or long_path or long_name)


def same_site(one: str, other: str) -> bool:
    return one.removeprefix("www.") == other.removeprefix("www.")


def _matches(host: str, pattern: str) -> bool:
    wanted = _plain(pattern.removeprefix("*."))
    if pattern.startswith("*."):
        # `[::1%.example.org]` ends like a name, and is reached like an address.
        return bool(_NAME.fullmatch(host)) and host.endswith(f".{wanted}")
    return host == wanted


def _plain(host: str) -> str:
    name = host.rstrip(_DOTS).lower()
    # As whoever connects spells it: by the rules before these `faß.de` was `fass.de`, which is somebody else's.
    for spelled in (_spelled_today, _spelled_before):
        with suppress(UnicodeError):
            return spelled(name).rstrip(".").lower()
    return name


def _spelled_today(name: str) -> str:
    return name if name.isascii() else idna.encode(name, uts46=True).decode()


def _spelled_before(name: str) -> str:
    """What the rules of today do not know, such as pictures: nothing but a browser connects to it."""
    return name.encode("idna").decode()
