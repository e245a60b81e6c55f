"""What routes share: the page that is wanted, and the errors that OpenAPI shows."""

from typing import Annotated, Any

from fastapi import Depends, Query

from signoff.kit.errors import SignoffError
from signoff.kit.paging import DEFAULT_LIMIT, MAX_LIMIT, Window


def _window(
    limit: Annotated[int, Query(ge=1, le=MAX_LIMIT)] = DEFAULT_LIMIT, cursor: Annotated[str | None, Query()] = None
) -> Window:
    return Window(limit, cursor)


Paging = Annotated[Window, Depends(_window)]


def errors(*kinds: type[SignoffError]) -> dict[int | str, dict[str, Any]]:
    """The problems that a route may answer with, for its OpenAPI page."""
    found: dict[int | str, dict[str, Any]] = {}
    for kind in kinds:
        known = found.setdefault(kind.status, {"description": kind.title, "content": {"application/problem+json": {}}})
        known["description"] = f"{kind.title} ({kind.code})"
    return found
