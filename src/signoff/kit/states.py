"""State machines: the legal moves are one table, and a move is a compare-and-set."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, update
from sqlalchemy.orm import InstrumentedAttribute, Session

S = TypeVar("S", bound=StrEnum)


@dataclass(frozen=True)
class Machine(Generic[S]):
    """Which states may follow which."""

    moves: Mapping[S, frozenset[S]]

    def sources(self, to: S) -> list[S]:
        return [state for state, targets in self.moves.items() if to in targets]

    def allows(self, state: S, to: S) -> bool:
        return to in self.moves[state]


def move(
    session: Session,
    machine: Machine[S],
    status: InstrumentedAttribute[str],
    to: S,
    *where: ColumnElement[bool],
    **values: Any,
) -> bool:
    """Move the one row that `where` names, if the machine allows it. Legality and the race are one WHERE."""
    legal = status.in_([source.value for source in machine.sources(to)])
    change = update(status.class_.__table__).where(legal, *where).values({status.key: to.value, **values})
    moved = session.execute(change)
    return bool(getattr(moved, "rowcount", 0))
