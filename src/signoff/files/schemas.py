from datetime import datetime

from pydantic import BaseModel, ConfigDict


class UploadOut(BaseModel):
    """A file that waits for a run, or that a run has."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    name: str
    size_bytes: int
    created_by: str
    created_at: datetime
    run_id: str | None
    path: str | None


class UploadList(BaseModel):
    items: list[UploadOut]


class FileLimits(BaseModel):
    """How much can be given."""

    max_file_bytes: int
    max_files_at_once: int
    max_folder_bytes: int
    max_folder_files: int
    max_workspace_bytes: int
    workspace_bytes: int
