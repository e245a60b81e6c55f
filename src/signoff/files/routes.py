import asyncio
import hashlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from fastapi import Request
from sqlalchemy.orm import Session

from signoff.files import actions
from signoff.files.queries import UnknownUpload, waiting_place
from signoff.files.quota import WorkspaceFull, workspace_bytes
from signoff.files.receive import Received, received
from signoff.files.schemas import FileLimits, UploadList, UploadOut
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Invalid, SignoffError, TooLarge, UnsupportedMedia
from signoff.kit.routing import api_router, errors
from signoff.workspaces.access import MULTIPART, Access, Caller

router = api_router("files", "/api/files")
# After a refusal so much more is read: who is still sending would never see why.
DRAINED = 8 * 1024 * 1024
FILES_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            MULTIPART: {
                "schema": {
                    "type": "object",
                    "properties": {
                        "files": {"type": "array", "items": {"type": "string", "format": "binary"}},
                    },
                }
            }
        },
    }
}


@asynccontextmanager
async def uploaded(
    request: Request, caller: Access, most_files: int | None = None
) -> AsyncGenerator[tuple[Access, list[Received]]]:
    """The files of a request, and the caller with a fingerprint of them. Gone again unless all goes well."""
    kind = request.headers.get("content-type", "")
    if not kind.lower().startswith(MULTIPART):
        raise UnsupportedMedia(f"Send files as {MULTIPART}.")
    stream = request.stream()
    try:
        async with received(stream, kind, caller.settings, most_files or caller.settings.max_files_at_once) as files:
            digests = "\n".join(f"{each.name} {each.sha256}" for each in files)
            sent = hashlib.sha256(f"{request.method} {request.url.path}\n{digests}".encode()).hexdigest()
            yield replace(caller, fingerprint=sent), files
    except (SignoffError, OSError):
        left = DRAINED
        async for chunk in stream:
            left -= len(chunk)
            if left < 0:
                break
        raise


@router.post(
    "", status_code=201, responses=errors(TooLarge, WorkspaceFull, UnsupportedMedia, Invalid), openapi_extra=FILES_BODY
)
async def upload_files(request: Request, caller: Caller) -> UploadList:
    """Upload files for a run that is started within a day: `POST /api/runs` takes their ids as `files`."""
    # Who may not give files should not have to send them first.
    await asyncio.to_thread(caller.read, lambda _session, actor: actor.label, Role.MEMBER)
    async with uploaded(request, caller) as (sender, files):

        def work(session: Session, actor: Actor) -> UploadList:
            kept = actions.keep(session, actor, caller.settings, files)
            return UploadList(items=[UploadOut.model_validate(each) for each in kept])

        return await asyncio.to_thread(sender.write, work)


@router.get("/limits")
def get_file_limits(caller: Caller) -> FileLimits:
    """How large files can be, and how much of the workspace's room is taken."""
    settings = caller.settings
    taken = caller.read(lambda session, actor: workspace_bytes(session, actor.workspace_id))
    return FileLimits(
        max_file_bytes=settings.max_file_bytes,
        max_files_at_once=settings.max_files_at_once,
        max_folder_bytes=settings.max_folder_bytes,
        max_folder_files=settings.max_folder_files,
        max_workspace_bytes=settings.max_workspace_bytes,
        workspace_bytes=taken,
    )


@router.delete("/{file_id}", status_code=204, responses=errors(UnknownUpload))
def discard_file(file_id: str, caller: Caller) -> None:
    """Take back an upload of yours that no run has taken yet."""
    caller.write(lambda session, actor: actions.discard(session, actor, file_id))
    waiting_place(caller.settings, file_id).unlink(missing_ok=True)
