"""The text of a mail, out of whatever parts it has. Linear in its length, whatever somebody made of it. Pure."""

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass

from signoff.channels.email.replies.headers import Headers, Unreadable, split_mail
from signoff.channels.email.replies.html_text import text_of_html

DEEPEST, MOST_PARTS, LONGEST_TYPE = 8, 100, 2_000
_PARAMETER = re.compile(r';\s*([A-Za-z-]+)\s*=\s*("[^"]*"|[^\s;"]+)')
# Those that mail is written in. Python knows others that take minutes, or are no text at all.
_CHARSETS = re.compile(
    r"(us-)?ascii|utf-?8|utf-16([bl]e)?|iso-8859-[0-9]{1,2}|latin-?[0-9]|(windows-|cp)125[0-8]|koi8-[ru]|macintosh"
    r"|gb2312|gbk|gb18030|big5|shift[_-]jis|euc-(jp|kr)|iso-2022-(jp|kr)"
)


@dataclass(frozen=True)
class _Part:
    """One part that holds no other."""

    kind: str
    parameters: dict[str, str]
    content: bytes

    @property
    def text(self) -> str:
        charset = self.parameters.get("charset", "utf-8").lower()
        known = charset if _CHARSETS.fullmatch(charset) else "utf-8"
        text = self.content.decode(known, "replace").replace("\r\n", "\n").replace("\r", "\n")
        if self.kind == "text/html":
            return text_of_html(text)
        if self.parameters.get("format", "").lower() == "flowed":
            return _unwrapped(text, joined=self.parameters.get("delsp", "").lower() == "yes")
        return text


def text_of_mail(headers: Headers, body: bytes) -> str:
    """What it says in plain text; of a mail that has only HTML, what that says."""
    html = ""
    for part in _parts(headers, body):
        text = part.text
        if part.kind == "text/plain" and text.strip():
            return text
        if part.kind == "text/html":
            html = html or text
    return html


def _parts(headers: Headers, body: bytes) -> Iterator[_Part]:
    """In the order in which they stand, as long as there are not too many."""
    waiting, seen = [(headers, body, 0)], 0
    while waiting and seen < MOST_PARTS:
        headers, body, depth = waiting.pop()
        seen += 1
        kind, parameters = _content_type(headers.first("content-type") or "text/plain")
        boundary = parameters.get("boundary", "")
        if kind.startswith("multipart/"):
            if boundary and depth < DEEPEST:
                inner = _split(body, boundary.encode("utf-8", "replace"), MOST_PARTS - seen)
                waiting += [(*each, depth + 1) for each in reversed(list(inner))]
        elif kind in ("text/plain", "text/html") and not _is_attached(headers):
            yield _Part(kind, parameters, _decoded(headers, body))


def _content_type(given: str) -> tuple[str, dict[str, str]]:
    given = given[:LONGEST_TYPE]
    kind = given.partition(";")[0].strip().lower()
    return kind, {name.lower(): value.strip('"') for name, value in _PARAMETER.findall(given)}


def _is_attached(headers: Headers) -> bool:
    return headers.first("content-disposition").lower().startswith("attachment")


def _split(body: bytes, boundary: bytes, most: int) -> Iterator[tuple[Headers, bytes]]:
    start = None
    for line in re.finditer(rb"^--" + re.escape(boundary) + rb"(--)?[ \t]*$", body, re.MULTILINE):
        if start is not None and most > 0:
            most -= 1
            yield from _read(body[start : max(line.start() - 1, start)])
        start = None if line[1] else line.end() + 1
        if start is None or most <= 0:
            return
    if start is not None and most > 0:
        yield from _read(body[start:])


def _read(raw: bytes) -> Iterator[tuple[Headers, bytes]]:
    try:
        yield split_mail(raw)
    except Unreadable:
        # The other parts may be fine.
        return


def _decoded(headers: Headers, content: bytes) -> bytes:
    match headers.first("content-transfer-encoding").strip().lower():
        case "base64":
            # Also of a text that was cut off.
            digits = re.sub(rb"[^A-Za-z0-9+/]", b"", content.partition(b"=")[0])
            digits = digits[:-1] if len(digits) % 4 == 1 else digits
            return binascii.a2b_base64(digits + b"=" * (-len(digits) % 4))
        case "quoted-printable":
            return binascii.a2b_qp(content)
        case _:
            return content


def _unwrapped(text: str, *, joined: bool) -> str:
    """Lines as they were written, where the mail program wrapped them (RFC 3676)."""
    lines, goes_on = list[list[str]](), False
    for each in text.split("\n"):
        line, quoted = each.removeprefix(" "), each.startswith(">")
        if goes_on and not quoted and line != "-- ":
            lines[-1].append(line)
        else:
            lines.append([line])
        goes_on = line.endswith(" ") and not quoted and line != "-- "
        if goes_on and joined:
            lines[-1][-1] = line.removesuffix(" ")
    return "\n".join("".join(pieces) for pieces in lines)
