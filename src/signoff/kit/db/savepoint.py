"""A part of a transaction that may be taken back by itself."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass, replace
from typing import Any, cast

from sqlalchemy.orm import Session

# What is written and announced last, and is only collected until then.
COLLECTED = ("outbox", "audit", "commit")


@contextmanager
def savepoint(session: Session) -> Generator[None]:
    """All of it happens or nothing, also of what the transaction will announce and put on record."""
    before = {name: _copy(session.info[name]) for name in COLLECTED if name in session.info}
    try:
        with session.begin_nested():
            yield
    except BaseException:
        for name in COLLECTED:
            session.info.pop(name, None)
        session.info.update(before)
        raise


def _copy(collected: Any) -> Any:
    """The containers anew, what is in them as it is: nothing changes an entry once it is there."""
    if isinstance(collected, dict):
        return {name: _copy(each) for name, each in cast(dict[Any, Any], collected).items()}
    if isinstance(collected, list | set):
        return cast(list[Any] | set[Any], collected).copy()
    if is_dataclass(collected) and not isinstance(collected, type):
        parts = {each.name: _copy(getattr(collected, each.name)) for each in fields(collected)}
        return replace(collected, **parts)
    return collected
