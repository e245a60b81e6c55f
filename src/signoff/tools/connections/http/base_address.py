"""Addresses below a base: nothing that an agent writes leads out of it, however it is spelt."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote, urlencode, urlsplit

from signoff.tools.egress import host_of
from signoff.tools.registry import ToolFailed

LONGEST_PATH = 2_000
# Servers and proxies decode more than once, and each of them may read dots only then.
MOST_DECODINGS = 5
_HALF_ENCODED = re.compile(r"%(?![0-9A-Fa-f]{2})")
_SAFE = "/%:@!$&'()*+,;=-._~"


def below(base_url: str, path: str, query: Mapping[str, Any] | None = None) -> str:
    """The address of a path below the base. Raises ToolFailed for one that leads elsewhere."""
    if "?" in path or "#" in path:
        raise ToolFailed("Give what follows the question mark as `query`, not in the path.")
    if len(path) > LONGEST_PATH or _HALF_ENCODED.search(path) or leads_out(path):
        raise ToolFailed(f"{path[:200]!r} is no path below {base_url}.")
    url = f"{base_url.rstrip('/')}/{quote(path.lstrip('/'), safe=_SAFE)}"
    if query:
        url = f"{url}?{urlencode(query, doseq=True)}"
    if not is_below(base_url, url):
        raise ToolFailed(f"{path[:200]!r} is no path below {base_url}.")
    return url


def is_below(base_url: str, url: str) -> bool:
    """Whether a request for this address stays where the credentials belong."""
    try:
        base, found = urlsplit(base_url), urlsplit(url)
        ports = (base.port, found.port)
    except ValueError:
        return False
    same = (base.scheme, host_of(base_url), ports[0]) == (found.scheme, host_of(url), ports[1])
    within = found.path.startswith(base.path.rstrip("/") + "/") or found.path == base.path
    return same and "@" not in found.netloc and within and not leads_out(found.path)


def leads_out(path: str) -> bool:
    """Whether some server on the way may take a part of it for this folder or the one above."""
    plain = path
    for _ in range(MOST_DECODINGS):
        if plain == (plain := unquote(plain)):
            break
    else:
        return True
    parts = re.split(r"[/\\]", plain)
    # Some leave out what follows a semicolon, some blanks.
    return not plain.isprintable() or any(part.partition(";")[0].strip() in (".", "..") for part in parts)
