"""A run's own folder, for people to look into and to put files in."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from fastapi import Request
from fastapi.responses import FileResponse, PlainTextResponse, StreamingResponse
from pydantic import BaseModel
from sqlalchemy.orm import Session

from signoff.files.media import HEAD, by_name, kind_of, media_type
from signoff.files.placement import placement
from signoff.files.queries import given_to
from signoff.files.quota import FolderFull, WorkspaceFull, used
from signoff.files.routes import FILES_BODY, uploaded
from signoff.files.schemas import UploadList, UploadOut
from signoff.files.untrusted import headers_for
from signoff.files.zips import Entry, zipped
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Invalid, NotFound, TooLarge, UnsupportedMedia
from signoff.kit.routing import api_router, errors
from signoff.runs import queries
from signoff.runs.folder.given_files import add_files
from signoff.runs.queries import UnknownRun
from signoff.runs.states import IllegalMove
from signoff.tools.builtin.files import MAX_LISTED, MAX_READ
from signoff.tools.builtin.run_folder import inside
from signoff.tools.registry import ToolFailed
from signoff.workspaces.access import Access, Caller

router = api_router("runs", "/api/runs")
CHUNK = 256 * 1024


class FileOut(BaseModel):
    path: str
    size_bytes: int
    modified_at: datetime
    # By its name; its content is looked at when it is opened.
    media_type: str
    kind: str
    # Who gave it to the run, if somebody did.
    given_by: str | None = None


class FileList(BaseModel):
    items: list[FileOut]
    next_cursor: str | None = None
    total: int
    used_bytes: int
    used_files: int
    max_bytes: int
    max_files: int
    max_file_bytes: int


@router.get("/{run_id}/files", responses=errors(UnknownRun))
def list_run_files(run_id: str, caller: Caller) -> FileList:
    """The files in a run's folder, and how much room there is."""

    def look(session: Session, actor: Actor) -> dict[str | None, str]:
        run = queries.run(session, actor, run_id)
        return {each.path: each.created_by for each in given_to(session, run.id)}

    givers, settings = caller.read(look), caller.settings
    root = settings.runs_folder / run_id
    items, taken = list[FileOut](), used(root)
    for each in _files(root)[:MAX_LISTED]:
        # A file may go while we look.
        with suppress(OSError):
            path, found = each.relative_to(root).as_posix(), each.stat()
            media, changed = by_name(path), datetime.fromtimestamp(found.st_mtime, UTC)
            about = {"media_type": media, "kind": kind_of(media, path)}
            giver = givers.get(path)
            items.append(FileOut(path=path, size_bytes=found.st_size, modified_at=changed, given_by=giver, **about))
    return FileList(
        items=items,
        total=taken.files,
        used_bytes=taken.size_bytes,
        used_files=taken.files,
        max_bytes=settings.max_folder_bytes,
        max_files=settings.max_folder_files,
        max_file_bytes=settings.max_file_bytes,
    )


@router.post(
    "/{run_id}/files",
    status_code=201,
    responses=errors(UnknownRun, IllegalMove, TooLarge, FolderFull, WorkspaceFull, UnsupportedMedia, Invalid),
    openapi_extra=FILES_BODY,
)
async def add_run_files(run_id: str, request: Request, caller: Caller) -> UploadList:
    """Give a run at work more files; its agent reads of them at its next iteration."""
    await asyncio.to_thread(caller.read, lambda session, actor: queries.run(session, actor, run_id), Role.MEMBER)
    settings = caller.settings
    async with uploaded(request, caller) as (sender, files):
        with placement(settings.runs_folder) as placed:

            def work(session: Session, actor: Actor) -> UploadList:
                run = queries.run(session, actor, run_id)
                given = add_files(session, actor, settings, run, files, placed)
                return UploadList(items=[UploadOut.model_validate(each) for each in given])

            added = await asyncio.to_thread(sender.write, work)
    for each in files:
        # The run's folder has it now: this was its first name.
        each.path.unlink(missing_ok=True)
    return added


@router.get("/{run_id}/files/content", response_class=PlainTextResponse, responses=errors(UnknownRun, NotFound))
def read_run_file(run_id: str, caller: Caller, path: str = "") -> PlainTextResponse:
    """A text file of a run's folder, as it is now; at most 512 KB."""
    place = _place(caller, run_id, path)
    try:
        with place.open("rb") as file:
            return PlainTextResponse(file.read(MAX_READ).decode("utf-8", "replace"))
    except OSError as error:
        raise _no_file(path) from error


@router.get("/{run_id}/files/raw", response_class=FileResponse, responses=errors(UnknownRun, NotFound))
def get_run_file(run_id: str, caller: Caller, path: str = "", download: bool = False) -> FileResponse:
    """A file of a run's folder as it is, whole or a range of it; with `download`, as an attachment."""
    place = _place(caller, run_id, path)
    try:
        if not place.is_file():
            raise _no_file(path)
        with place.open("rb") as file:
            media = media_type(file.read(HEAD), place.name)
    except OSError as error:
        raise _no_file(path) from error
    return FileResponse(place, media_type=media, headers=headers_for(media, place.name, download=download))


@router.get("/{run_id}/files/download", response_class=StreamingResponse, responses=errors(UnknownRun, NotFound))
def download_run_files(run_id: str, caller: Caller) -> StreamingResponse:
    """The whole folder as one ZIP."""
    root = _place(caller, run_id, "")
    found = _files(root)
    if not found:
        raise NotFound("The run's folder is empty.")
    entries: Iterator[Entry] = ((each.relative_to(root).as_posix(), _chunks(each)) for each in found)
    return StreamingResponse(
        zipped(entries), media_type="application/zip", headers=headers_for("", f"{run_id}.zip", download=True)
    )


def _place(caller: Access, run_id: str, path: str) -> Path:
    run = caller.read(lambda session, actor: queries.run(session, actor, run_id))
    try:
        return inside(caller.settings.runs_folder / run.id, path)
    except ToolFailed as error:
        raise Invalid(str(error)) from error
    except OSError as error:
        raise _no_file(path) from error


def _no_file(path: str) -> NotFound:
    return NotFound(f"File {path[:200]!r} not found.")


def _files(root: Path) -> list[Path]:
    """Everything in the folder, sorted; no links, and nothing that is being written."""
    found = (each for each in root.rglob("*") if not each.is_symlink() and each.is_file())
    return sorted(each for each in found if not (each.name.startswith(".") and each.name.endswith(".part")))


def _chunks(place: Path) -> Iterator[bytes]:
    # A file may go while others are sent.
    with suppress(OSError), place.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk
