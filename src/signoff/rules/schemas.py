from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from signoff.kit.text.fields import Line
from signoff.policy.yaml.read import RuleProblem
from signoff.rules.models import PolicyRow

MOST_YAML = 1_000_000
Yaml = Annotated[str, StringConstraints(max_length=MOST_YAML)]


class RuleProblemOut(BaseModel):
    line: int
    column: int
    message: str

    @classmethod
    def of(cls, problem: RuleProblem) -> "RuleProblemOut":
        return cls(line=problem.line, column=problem.column, message=problem.message)


class RulesOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    yaml: str
    version: int
    stopped: bool = Field(description="The emergency stop is on: nothing is auto-approved.")
    stopped_by: str | None
    stopped_at: datetime | None
    file: str | None = Field(description="The file that the rules are read from, when there is one.")
    file_problems: list[RuleProblemOut] | None = Field(description="Why what the file says is not in use.")
    updated_by: str | None
    updated_at: datetime | None

    @classmethod
    def of(cls, row: PolicyRow) -> "RulesOut":
        return cls.model_validate(row)


class SavedRulesOut(RulesOut):
    warnings: list[RuleProblemOut] = Field(description="What is in use but cannot work, such as too few signers.")


class RulesIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    yaml: Yaml
    version: int | None = Field(default=None, description="The version that was edited; a newer one gives 409.")
    note: Line | None = None


class RulesText(BaseModel):
    model_config = ConfigDict(extra="forbid")

    yaml: Yaml


class CheckOut(BaseModel):
    ok: bool
    errors: list[RuleProblemOut]
    warnings: list[RuleProblemOut] = Field(description="What may be saved but cannot work, such as too few signers.")


class StopIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    enabled: bool


class VersionOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    version: int
    yaml: str
    note: str | None
    created_by: str
    created_at: datetime
