"""What the seeds send to their paths."""

from typing import Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from signoff.gate.run_questions import OutsideQuestion, QuestionType, ResponseType
from signoff.kit.jsons import JsonObject
from signoff.kit.text.fields import Line, LongText


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Seen(Body):
    digest: str | None = Field(
        default=None, description="The digest of what was shown. Required if the ask was edited."
    )


class Noted(Seen):
    note: LongText | None = None


class ApprovalBatch(Body):
    approval_ids: list[Line] = Field(min_length=1, max_length=200)
    decision: Literal["approved", "denied", "approve", "deny"]
    digests: dict[str, str] = Field(
        default={}, max_length=200, description="Digests of what was shown, by id. Required for edited asks."
    )
    note: LongText | None = None


class CheckpointApproval(Seen):
    approved_by: Line | None = Field(default=None, description="Ignored: the caller approves.")
    modified_params: JsonObject | None = Field(default=None, description="Merged over what the agent proposed.")
    feedback: LongText | None = None


class CheckpointRejection(Seen):
    rejected_by: Line | None = Field(default=None, description="Ignored: the caller rejects.")
    reason: LongText = Field(pattern=r"\S")


class QuestionResponse(Body):
    type: Literal["text", "choice", "boolean", "approval", "number", "form"] | None = None
    value: Any
    text: LongText | None = Field(default=None, description="An explanation, kept as the note.")


class QuestionOption(Body):
    id: Line | None = None
    label: Line = Field(min_length=1)
    value: str | bool
    description: LongText | None = None


class JobQuestion(Body):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    question: LongText = Field(pattern=r"\S", max_length=20_000)
    type: QuestionType
    response_type: ResponseType = Field(alias="responseType")
    options: list[QuestionOption] = Field(default=[], max_length=200)
    context: JsonObject | None = None
    timeout_minutes: float | None = Field(default=None, alias="timeoutMinutes", gt=0, le=1_000_000)
    default_response: QuestionResponse | None = Field(default=None, alias="defaultResponse")

    def asked(self) -> OutsideQuestion:
        options = [each.model_dump() | {"id": each.id or str(at)} for at, each in enumerate(self.options, 1)]
        default = self.default_response.value if self.default_response else None
        minutes = self.timeout_minutes
        return OutsideQuestion(self.question, self.type, self.response_type, options, self.context, minutes, default)


class QuestionAnswer(Seen):
    response: QuestionResponse


class PlanApproval(Seen):
    approved_steps: list[Any] | None = Field(default=None, max_length=200, description="Step ids; default: all steps.")


class PlanRejection(Seen):
    reason: LongText = Field(default="The plan was rejected.", validation_alias=AliasChoices("reason", "note"))
