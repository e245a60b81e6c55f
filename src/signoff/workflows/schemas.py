from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from signoff.kit.jsons import JsonObject
from signoff.workflows.models import Workflow, WorkflowRevision


class WorkflowOut(BaseModel):
    slug: str
    name: str
    description: str
    steps: int = Field(description="How many.")
    version: int = Field(description="The newest one.")
    deployed_version: int | None = Field(description="The one that runs; null: there are only drafts.")
    draft: bool = Field(description="Whether the newest version is not deployed.")
    shown_version: int
    definition: JsonObject
    yaml: str
    created_by: str
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, found: Workflow, revision: WorkflowRevision) -> "WorkflowOut":
        return cls(
            slug=found.slug,
            name=revision.definition["name"],
            description=revision.definition.get("description") or "",
            steps=len(revision.definition["steps"]),
            version=found.version,
            deployed_version=found.deployed_version,
            draft=found.version != found.deployed_version,
            shown_version=revision.number,
            definition=revision.definition,
            yaml=revision.source,
            created_by=found.created_by,
            created_at=found.created_at,
            updated_at=found.updated_at,
        )


class VersionOut(BaseModel):
    version: int
    saved_by: str
    created_at: datetime
    deployed: bool


class VersionIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    version: int


class DeployIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    version: int | None = None


class ProblemOut(BaseModel):
    step: str | None
    path: str
    message: str
    line: int | None = None
    column: int | None = None


class Validated(BaseModel):
    ok: bool
    errors: list[ProblemOut]
    warnings: list[ProblemOut]


class DiffOut(BaseModel):
    yaml_a: str
    yaml_b: str


class PreviewIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    input: JsonObject = {}
    version: int | None = None
    run: str | None = Field(
        default=None,
        description="`last`, or the id of a run of this workflow: what its steps made stands in for samples, and its "
        "input for `input`, where that is not given.",
    )
    yaml: str | None = Field(default=None, description="What is not saved yet, in place of a version.")


class StepPreview(BaseModel):
    id: str
    input: Any
    from_: Literal["sample", "schema", "run"] = Field(
        alias="from",
        description="Whether it is all from the given input, or from a run, or made up from schemas in part.",
    )
    error: str | None = None


class Preview(BaseModel):
    steps: list[StepPreview]


class ExecuteIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    input: JsonObject = {}
    test: bool = Field(default=False, description="Only try it out. A test takes the newest version, a draft too.")
