"""Lists: `{items, next_cursor, total}`, by keyset, so a page costs the same wherever it is."""

import base64
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar, cast

from pydantic import BaseModel
from sqlalchemy import BigInteger, Select, func, literal, select, tuple_
from sqlalchemy.orm import Session
from sqlalchemy.types import TypeEngine

from signoff.kit import jsons
from signoff.kit.errors import Invalid, SignoffError

log = logging.getLogger(__name__)
T = TypeVar("T")
R = TypeVar("R")

DEFAULT_LIMIT = 20
MAX_LIMIT = 200
# Counting stops here: "10,000+" is all that a person needs to know.
COUNT_CAP = 10_000


class Unreadable(SignoffError):
    """Somebody spoilt what is stored: no fault of the caller's."""

    code = "unreadable"
    title = "Stored data cannot be read"


class Page(BaseModel, Generic[T]):
    """One page of a list. `total` counts up to 10,000."""

    items: list[T]
    next_cursor: str | None = None
    total: int

    def of(self, items: list[R]) -> "Page[R]":
        """The same page with its items as they are shown."""
        return Page(items=items, next_cursor=self.next_cursor, total=self.total)


@dataclass(frozen=True)
class Window:
    """Which page is wanted."""

    limit: int = DEFAULT_LIMIT
    cursor: str | None = None
    # How many to leave out of the first page, for clients that count; what follows has its cursor.
    offset: int = 0


def page(
    session: Session,
    query: Select[R],
    keys: Sequence[Any],
    window: Window,
    show: Callable[[R], T],
    *,
    descending: bool = False,
) -> Page[T]:
    """Fetch one page ordered by `keys` (the last must be unique) and say where the next begins."""
    ordered = query.order_by(*(key.desc() if descending else key.asc() for key in keys))
    if window.cursor:
        place = tuple_(*keys)
        values = _decode(window.cursor, [key.type for key in keys])
        ordered = ordered.where(place < values if descending else place > values)
    elif window.offset:
        ordered = ordered.offset(window.offset)
    rows = session.execute(ordered.add_columns(*keys).limit(window.limit + 1)).all()
    more = len(rows) > window.limit
    rows = rows[: window.limit]
    return Page(
        items=readable([row[0] for row in rows], show),
        next_cursor=_encode(list(rows[-1][1:])) if more else None,
        total=count(session, query),
    )


def readable(rows: Sequence[R], show: Callable[[R], T]) -> list[T]:
    """Rows as they are shown. One that cannot be is left out and logged: it must not hide all others."""
    shown = list[T]()
    for row in rows:
        try:
            shown.append(show(row))
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            # The message would quote what is stored.
            log.error("%s %s cannot be read: %s", type(row).__name__, getattr(row, "id", "?"), type(error).__name__)
    return shown


def the_one(shown: list[T]) -> T:
    """The only one of a list, when it can be read."""
    if not shown:
        raise Unreadable("The stored data cannot be read. The server log has the details.")
    return shown[0]


def count(session: Session, query: Select[Any]) -> int:
    """How many rows, up to the cap."""
    capped = query.with_only_columns(literal(1), maintain_column_froms=True).order_by(None).limit(COUNT_CAP)
    return session.scalar(select(func.count()).select_from(capped.subquery())) or 0


def _encode(values: list[Any]) -> str:
    plain = [{"at": value.isoformat()} if isinstance(value, datetime) else value for value in values]
    return base64.urlsafe_b64encode(jsons.dumps(plain).encode()).decode().rstrip("=")


def _decode(cursor: str, kinds: Sequence[TypeEngine[Any]]) -> tuple[Any, ...]:
    try:
        values = cast("list[Any]", jsons.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))))
        place = tuple(datetime.fromisoformat(value["at"]) if hasattr(value, "keys") else value for value in values)
    except (ValueError, TypeError, KeyError):
        place = ()
    # A cursor of another order would compare what cannot be compared.
    if len(place) != len(kinds) or not all(_fits(value, kind) for value, kind in zip(place, kinds, strict=True)):
        raise Invalid("This cursor is not valid for this list. Start again from the first page.")
    return place


def _fits(value: Any, kind: TypeEngine[Any]) -> bool:
    """Whether a database could have given out this value for a key of this kind."""
    if type(value) is not kind.python_type:
        return False
    bits = 63 if isinstance(kind, BigInteger) else 31
    return not isinstance(value, int) or -(2**bits) <= value < 2**bits
