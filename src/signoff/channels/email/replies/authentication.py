"""Whether our own mail server says that a mail comes from the domain that stands in its From. Pure.

Only the topmost `Authentication-Results` with our server's name counts (RFC 8601): a mail server puts its own on top of
whatever came with the mail. What could be read in two ways is no proof.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from signoff.channels.email.replies.headers import Headers

_WORD = r'(?:"[^"]*"|[^\s;"=])'
_SERVER = re.compile(rf"\s*({_WORD}+)(?:\s+[0-9]+)?\s*")
_ITEM = re.compile(rf'\s*({_WORD}+)\s*=\s*((?:"[^"]*"|[^\s;"])*)\s*')
# Name, then the property that tells the domain.
_PROVEN_BY = (("dkim", "header.d"), ("dkim", "header.i"), ("spf", "smtp.mailfrom"))


class _Ambiguous(Exception):
    """Somebody may have written into our server's own words."""


@dataclass(frozen=True)
class _Result:
    """What one method found: `dkim=pass header.d=example.org`."""

    method: str
    verdict: str
    properties: tuple[tuple[str, str], ...]

    def domains(self, name: str) -> Iterator[str]:
        return (value.rpartition("@")[2].strip("<>").lower() for each, value in self.properties if each == name)


def why_not_authenticated(headers: Headers, server: str, domain: str) -> str | None:
    """What is missing for believing that the mail comes from this domain; None: nothing."""
    try:
        results = _own_results(headers.all("authentication-results"), server.lower())
    except _Ambiguous:
        return "what our mail server says about its sender is not clear"
    if results is None:
        return "our mail server says nothing about its sender"
    return None if _is_proven(results, domain) else "our mail server does not vouch for its sender"


def is_aligned(proven: str, domain: str) -> bool:
    """The same domain, or one above it that is no top-level domain."""
    return proven == domain or ("." in proven.strip(".") and domain.endswith(f".{proven}"))


def _is_proven(results: list[_Result], domain: str) -> bool:
    dmarc = [each for each in results if each.method == "dmarc"]
    if len(dmarc) > 1 or any(each.verdict == "fail" for each in dmarc):
        return False
    if any(each.verdict == "pass" and list(each.domains("header.from")) == [domain] for each in dmarc):
        return True
    passed = [each for each in results if each.verdict == "pass"]
    return any(
        is_aligned(proven, domain)
        for method, name in _PROVEN_BY
        for each in passed
        if each.method == method
        for proven in each.domains(name)
    )


def _own_results(values: Iterable[str], server: str) -> list[_Result] | None:
    """What the first header of our server says; None: there is none."""
    for value in values:
        parts = _parts(value)
        found = _SERVER.fullmatch(next(parts))
        if found and found[1].strip('"').lower() == server:
            return [_result(part) for part in parts if part.strip() and part.strip().lower() != "none"]
    return None


def _parts(value: str) -> Iterator[str]:
    """What stands between semicolons, without comments; the server's name is the first.

    A backslash or a quote inside a comment comes only from a sender's strange address: then nothing is believed."""
    start = at = 0
    kept = list[str]()
    while at < len(value):
        match value[at]:
            case '"':
                at = _after_quotes(value, at)
            case "(":
                kept.append(value[start:at] + " ")
                at = start = _after_comment(value, at)
            case ";":
                yield "".join([*kept, value[start:at]])
                kept, at = [], at + 1
                start = at
            case "\\" | ")":
                raise _Ambiguous
            case _:
                at += 1
    yield "".join([*kept, value[start:]])


def _after_quotes(value: str, at: int) -> int:
    end = value.find('"', at + 1)
    if end < 0 or "\\" in value[at:end]:
        raise _Ambiguous
    return end + 1


def _after_comment(value: str, at: int) -> int:
    depth = 0
    for place in range(at, len(value)):
        match value[place]:
            case "(":
                depth += 1
            case ")":
                depth -= 1
            case '"' | "\\":
                raise _Ambiguous
            case _:
                pass
        if depth == 0:
            # Else a value would end where the comment begins, and it goes on after it.
            if value[place + 1 : place + 2] not in ("", " ", "\t", ";", "("):
                raise _Ambiguous
            return place + 1
    raise _Ambiguous


def _result(part: str) -> _Result:
    items, at = list[tuple[str, str]](), 0
    while at < len(part):
        found = _ITEM.match(part, at)
        if found is None:
            raise _Ambiguous
        items.append((found[1].lower(), found[2]))
        at = found.end()
    (method, verdict), *properties = items
    return _Result(method.partition("/")[0], verdict.lower(), tuple(properties))
