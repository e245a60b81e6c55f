"""What routes share: how they are named, the page that is wanted, and the errors that OpenAPI shows."""

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request

from signoff.kit.errors import SignoffError
from signoff.kit.paging import DEFAULT_LIMIT, MAX_LIMIT, Window


def api_router(tag: str, prefix: str = "") -> APIRouter:
    """Routes in their final shape: the application takes them as they are, without building each of them again."""
    return APIRouter(
        prefix=prefix,
        tags=[tag],
        generate_unique_id_function=lambda route: route.name,
        # Whatever is no JSON was refused before.
        strict_content_type=False,
    )


def _window(
    limit: Annotated[int, Query(ge=1, le=MAX_LIMIT)] = DEFAULT_LIMIT, cursor: Annotated[str | None, Query()] = None
) -> Window:
    return Window(limit, cursor)


def _counted_window(
    window: Annotated[Window, Depends(_window)],
    offset: Annotated[int, Query(ge=0, le=1_000_000, description="How many to skip; `cursor` is better.")] = 0,
) -> Window:
    return replace(window, offset=offset)


Paging = Annotated[Window, Depends(_window)]
# Where a seed's client counts on `offset`.
CountedPaging = Annotated[Window, Depends(_counted_window)]


def _project(
    project_id: Annotated[str | None, Query(description="Only what belongs to runs of this project.")] = None,
    projectId: Annotated[str | None, Query(description="The same as `project_id`.")] = None,
) -> str | None:
    return project_id or projectId


# The label that runs may bear, by either of its names.
OfProject = Annotated[str | None, Depends(_project)]


async def _raw_body(request: Request) -> bytes:
    return await request.body()


# As it came in, for whoever has to verify it before believing a word.
RawBody = Annotated[bytes, Depends(_raw_body)]


def errors(*kinds: type[SignoffError]) -> dict[int | str, dict[str, Any]]:
    """The problems that a route may answer with, for its OpenAPI page."""
    found: dict[int | str, dict[str, Any]] = {}
    for kind in kinds:
        known = found.setdefault(kind.status, {"description": kind.title, "content": {"application/problem+json": {}}})
        known["description"] = f"{kind.title} ({kind.code})"
    return found
