"""What stands where a result was: which call it is of, how large it is, and how to read it again. Pure."""

import re

READ = "read_result"
# What is shorter stays: its reference would be as long.
WORTH_CLEARING = 600
NUMBER = re.compile(r"([1-9]\d{0,8})\.([1-9]\d{0,5})")


def call_number(turn: int, position: int) -> str:
    """How the model names a call of its run: by the turn, and its place among the calls of it."""
    return f"{turn}.{position + 1}"


def call_place(number: str) -> tuple[int, int] | None:
    """Turn and position of a call by its number. None: it is no such number."""
    found = NUMBER.fullmatch(number.strip())
    return (int(found[1]), int(found[2]) - 1) if found else None


def cleared(tool: str, number: str, size: int) -> str:
    return (
        f"[The result of call {number} ({tool}, {size:,} characters) was cleared to save room. "
        f'To read it again: {READ} {{"call": "{number}"}}]'
    )


def cut(tool: str, number: str, size: int, shown: int) -> str:
    return (
        f"\n[Cut: the result of call {number} ({tool}) has {size:,} characters, and these were the first {shown:,}. "
        f'To read on: {READ} {{"call": "{number}", "offset": {shown}}}]'
    )


def page(text: str, number: str, offset: int, most: int) -> str:
    """A piece of a result, and where the next begins."""
    piece = text[offset : offset + most]
    end = offset + len(piece)
    where = f"[Characters {offset:,} to {end:,} of {len(text):,} of the result of call {number}."
    following = f' To read on: {READ} {{"call": "{number}", "offset": {end}}}]' if end < len(text) else " That is all.]"
    return f"{where}{following}\n{piece}"
