"""A run's own folder, for people to look into."""

from contextlib import suppress

from fastapi import Request
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel

from signoff.kit.errors import Invalid, NotFound
from signoff.kit.routing import api_router, errors
from signoff.kit.settings import Settings
from signoff.runs import queries
from signoff.runs.queries import UnknownRun
from signoff.tools.builtin.files import MAX_LISTED, MAX_READ, inside
from signoff.tools.registry import ToolFailed
from signoff.workspaces.access import Caller

router = api_router("runs", "/api/runs")


class FileOut(BaseModel):
    path: str
    size_bytes: int


class FileList(BaseModel):
    items: list[FileOut]
    next_cursor: str | None = None
    total: int


@router.get("/{run_id}/files", responses=errors(UnknownRun))
def list_run_files(run_id: str, caller: Caller, request: Request) -> FileList:
    """The files in a run's folder."""
    run = caller.read(lambda session, actor: queries.run(session, actor, run_id))
    settings: Settings = request.app.state.settings
    root = settings.runs_folder / run.id
    found = sorted(each for each in root.rglob("*") if each.is_file() and not each.is_symlink())[:MAX_LISTED]
    items = list[FileOut]()
    for each in found:
        # A file may go while we look.
        with suppress(OSError):
            items.append(FileOut(path=str(each.relative_to(root)), size_bytes=each.stat().st_size))
    return FileList(items=items, total=len(items))


@router.get("/{run_id}/files/content", response_class=PlainTextResponse, responses=errors(UnknownRun, NotFound))
def read_run_file(run_id: str, caller: Caller, request: Request, path: str = "") -> PlainTextResponse:
    """A text file of a run's folder, as it is now; at most 512 KB."""
    run = caller.read(lambda session, actor: queries.run(session, actor, run_id))
    settings: Settings = request.app.state.settings
    try:
        with inside(settings.runs_folder / run.id, path).open("rb") as file:
            return PlainTextResponse(file.read(MAX_READ).decode("utf-8", "replace"))
    except ToolFailed as error:
        raise Invalid(str(error)) from error
    except OSError as error:
        raise NotFound(f"File {path[:200]!r} not found.") from error
