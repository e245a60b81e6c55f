"""How much of a model's window a text takes: an estimate that errs on the large side. Pure."""

from collections.abc import Sequence

# English has four or more to a token, code and other scripts about three.
BYTES_PER_TOKEN = 3


def tokens(text: str) -> int:
    return (len(text) if text.isascii() else len(text.encode("utf-8", "replace"))) // BYTES_PER_TOKEN + 1


def head(text: str, most: int) -> str:
    """The beginning of a text, of at most so many tokens."""
    size = most * BYTES_PER_TOKEN
    if len(text) * 4 <= size or text.isascii():
        return text[:size]
    return text.encode("utf-8", "replace")[:size].decode("utf-8", "ignore")


def bounded(texts: Sequence[str], most: int) -> list[str]:
    """The first text and the newest of the others, within so many tokens; what is left out is said."""
    if not texts or sum(map(tokens, texts)) <= most:
        return list(texts)
    first = _cut(texts[0], most // 2)
    room, newest = most - tokens(first), list[str]()
    for text in reversed(texts[1:]):
        short = _cut(text, most // 4)
        if tokens(short) > room:
            break
        room -= tokens(short)
        newest.append(short)
    left_out = len(texts) - 1 - len(newest)
    between = [f"[{left_out} messages in between are left out]"] if left_out else []
    return [first, *between, *reversed(newest)]


def _cut(text: str, most: int) -> str:
    short = head(text, most)
    return text if len(short) == len(text) else f"{short} [… cut: {len(text):,} characters in all]"
