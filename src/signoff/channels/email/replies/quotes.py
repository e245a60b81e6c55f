"""What the sender wrote themselves, without the mail that they answer and without their signature. Pure."""

import re
from collections.abc import Sequence

_ORIGINAL = re.compile(
    r"-{2,} ?(original message|forwarded message|ursprüngliche nachricht|message d'origine|mensaje original) ?-{2,}",
    re.IGNORECASE,
)
# "On Monday, 5 January 2026 at 10:00, Signoff <signoff@example.org> wrote:", in the languages of most mail programs.
_ON = ("on ", "am ", "le ", "el ", "il ", "op ", "em ")
_WROTE = ("wrote", "schrieb", "a écrit", "escribió", "ha scritto", "schreef", "escreveu")
LONGEST_INTRODUCTION, MOST_LINES = 400, 4
# The head of a quoted mail as Outlook writes it: "From: …", then "Sent: …".
_FROM = re.compile(r"\*?(from|von|de|da|van)\s?:\*? ", re.IGNORECASE)
_SENT = re.compile(r"\*?(sent|date|gesendet|datum|envoyé|enviado|inviato|verzonden)\s?:\*? ", re.IGNORECASE)
_BY_PHONE = re.compile(r"(sent from my|sent from outlook|get outlook for) .{1,60}", re.IGNORECASE)


def own_words(text: str) -> str:
    """Above the quoted mail, between its lines or below it."""
    lines = [line.rstrip() for line in text.split("\n")]
    kept, at = list[str](), 0
    while at < len(lines) and not _ends(lines, at):
        length = _introduction(lines, at)
        if length and not _is_quoted_after(lines, at + length):
            # Nothing marks what follows, but it is introduced as somebody else's.
            break
        if not length and not lines[at].startswith(">"):
            kept.append(lines[at])
        at += length or 1
    while kept and (not kept[-1] or _BY_PHONE.fullmatch(kept[-1])):
        kept.pop()
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def _ends(lines: Sequence[str], at: int) -> bool:
    """Whether all that follows is a signature or another mail."""
    line = lines[at]
    if line == "--" or _ORIGINAL.fullmatch(line.strip()):
        return True
    if len(line) >= 20 and not line.strip("_"):
        return any(_FROM.match(each) for each in lines[at + 1 : at + 3])
    return bool(_FROM.match(line)) and any(_SENT.match(each) for each in lines[at + 1 : at + 3])


def _introduction(lines: Sequence[str], at: int) -> int:
    """How many lines say who wrote what follows; mail programs wrap it. It names a time, and us or an address."""
    if not lines[at].lower().startswith(_ON):
        return 0
    said = ""
    for count, line in enumerate(lines[at : at + MOST_LINES], 1):
        if not line or len(said) + len(line) > LONGEST_INTRODUCTION:
            return 0
        said = f"{said} {line.lower()}"
        if line.endswith(":") and any(each in said for each in _WROTE):
            is_ours = "@" in said or "signoff" in said
            return count if is_ours and any(each.isdigit() for each in said) else 0
    return 0


def _is_quoted_after(lines: Sequence[str], at: int) -> bool:
    following = next((line for line in lines[at : at + 3] if line), "")
    return following.startswith(">")
