"""How much a run's folder and a workspace may hold. Whoever writes into a folder asks here first."""

import os
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import column, func, select, table
from sqlalchemy.orm import Session

from signoff.files.models import Upload
from signoff.kit.errors import TooLarge
from signoff.kit.settings import Settings
from signoff.workspaces.models import Workspace

# What runs handed over, known by its table: its package is above this one.
_handed_over = table("deliverables", column("workspace_id"), column("size_bytes"), column("storage"))


class FolderFull(TooLarge):
    """The run's folder has no room for it."""

    code = "folder_full"
    title = "The run's folder is full"


class WorkspaceFull(TooLarge):
    """The workspace has no room for it."""

    code = "workspace_full"
    title = "The workspace is full"


@dataclass(frozen=True)
class Use:
    """What a folder holds."""

    files: int = 0
    size_bytes: int = 0


def used(folder: Path) -> Use:
    """What lies in a folder and below; links count as nothing and are not followed."""
    files, size, places = 0, 0, [str(folder)]
    while places:
        try:
            with os.scandir(places.pop()) as found:
                for each in found:
                    if each.is_dir(follow_symlinks=False):
                        places.append(each.path)
                    elif each.is_file(follow_symlinks=False):
                        files, size = files + 1, size + each.stat(follow_symlinks=False).st_size
        except FileNotFoundError:
            # Gone while we look, or not there yet.
            continue
    return Use(files, size)


def require_room(folder: Path, settings: Settings, size: int, *, files: int = 1, replaces: Path | None = None) -> None:
    """Refuse what does not fit into a run's folder, before anything is written."""
    now = used(folder)
    if replaces is not None and replaces.is_file():
        now = Use(now.files - 1, now.size_bytes - replaces.stat().st_size)
    if now.files + files > settings.max_folder_files:
        raise FolderFull(f"A run's folder can have at most {settings.max_folder_files} files. Delete some first.")
    if now.size_bytes + size > settings.max_folder_bytes:
        left = max(0, settings.max_folder_bytes - now.size_bytes)
        raise FolderFull(
            f"A run's folder can hold at most {shown_size(settings.max_folder_bytes)}, and {shown_size(left)} are "
            f"left: {shown_size(size)} do not fit. Delete something first."
        )


def workspace_bytes(session: Session, workspace_id: str) -> int:
    """What people gave to runs of the workspace, and what its runs handed over."""
    uploads = select(func.coalesce(func.sum(Upload.size_bytes), 0)).where(Upload.workspace_id == workspace_id)
    made = _handed_over.c
    kept = select(func.coalesce(func.sum(made.size_bytes), 0)).where(
        made.workspace_id == workspace_id, made.storage != "external"
    )
    return int(session.scalar(uploads) or 0) + int(session.scalar(kept) or 0)


def require_workspace_room(session: Session, workspace_id: str, settings: Settings, size: int) -> None:
    """Refuse what the workspace has no room for. Until the commit nobody else adds to it."""
    # Of two who come at once, the second sees what the first brought.
    session.execute(select(Workspace.id).where(Workspace.id == workspace_id).with_for_update(key_share=True))
    most = settings.max_workspace_bytes
    left = most - workspace_bytes(session, workspace_id)
    if size > left:
        raise WorkspaceFull(
            f"Files of this workspace can have {shown_size(most)} in all, and {shown_size(max(0, left))} are left. "
            "Delete runs or deliverables that are no longer needed."
        )


def shown_size(size: int) -> str:
    """A size as people write it."""
    for unit, step in (("GB", 1024**3), ("MB", 1024**2), ("KB", 1024)):
        if size >= step:
            return f"{f'{size / step:.1f}'.removesuffix('.0')} {unit}"
    return f"{size} bytes"
