"""What of a conversation gives way when it is too long: old results first, then whole turns. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from signoff.kit.jsons import JsonObject


@dataclass(frozen=True)
class Compaction:
    """Results of turns before `cleared` are references, turns before `summarized` a summary: all within `budget`."""

    cleared: int
    summarized: int
    budget: int

    def as_json(self) -> JsonObject:
        return {"cleared": self.cleared, "summarized": self.summarized, "budget": self.budget}

    @classmethod
    def of(cls, stored: JsonObject) -> "Compaction":
        return cls(stored["cleared"], stored["summarized"], stored["budget"])


class Sized(Protocol):
    """A turn, by its size and what clearing its results saves."""

    @property
    def number(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def clearable(self) -> int: ...


def plan(turns: Sequence[Sized], size: int, room: int, now: Compaction) -> Compaction | None:
    """The next compaction of a conversation of this size that has this room. None: nothing gives way any more.

    Far more than needed goes at once, so that the beginning of a conversation stays the same for many turns: that is
    what providers keep in their caches. The last turn always stays whole, so no call is parted from its result.
    """
    cleared, left = now.cleared, size
    for turn in turns[:-1]:
        if left <= room // 2:
            break
        if turn.clearable:
            left -= turn.clearable
            cleared = turn.number + 1
    if left > room * 7 // 10 and (first := _first_kept(turns, room // 4)) is not None:
        return Compaction(max(now.cleared, first), first, now.budget)
    return Compaction(cleared, now.summarized, now.budget) if cleared > now.cleared else None


def _first_kept(turns: Sequence[Sized], room: int) -> int | None:
    """The turn that a summary goes up to: those from it on have room, and the last one stays in any case."""
    if len(turns) < 2:
        return None
    index, kept = len(turns) - 1, turns[-1].size
    while index > 1 and kept + turns[index - 1].size <= room:
        index -= 1
        kept += turns[index].size
    return turns[index].number
