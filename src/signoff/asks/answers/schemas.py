from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from signoff.asks.answers.argument_diff import Change
from signoff.asks.answers.outcome import Answer, Decision, Remember, Scope
from signoff.asks.answers.remember_schemas import RememberIn
from signoff.asks.effects.previews import PreviewOf
from signoff.asks.schemas import EffectPreview, ImpactOut
from signoff.kit.jsons import JsonObject
from signoff.kit.text.fields import Line, LongText
from signoff.policy.impact import ImpactOf


class AnswerIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    decision: Decision
    arguments: JsonObject | None = Field(default=None, description="Complete; they replace what the agent proposed.")
    value: Any = Field(default=None, description="The response to a question or a recovery, or the budget to add.")
    steps: list[Any] | None = Field(default=None, max_length=200, description="Of a plan: ids, or edited steps.")
    note: LongText | None = None
    end_run: bool = False
    remember: Scope | RememberIn | None = Field(
        default=None,
        description="Allow what is like this for the rest of the run or for the agent, or propose it as a rule.",
    )
    digest: str | None = Field(default=None, description="The digest that was shown; a changed ask then gives 409.")

    def to_answer(self, impact_of: ImpactOf, preview_of: PreviewOf) -> Answer:
        kept = self.remember
        remember = Remember(kept) if isinstance(kept, str) else kept.to_remember() if kept else None
        return Answer(
            **self.model_dump(exclude={"remember"}), remember=remember, impact_of=impact_of, preview_of=preview_of
        )


class PreviewIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    arguments: JsonObject


class Problem(BaseModel):
    path: str
    message: str


class PreviewOut(BaseModel):
    diff: list[Change]
    errors: list[Problem]
    impact: ImpactOut | None = Field(default=None, description="Of the changed arguments, where they fit the tool.")
    preview: EffectPreview | None = Field(default=None, description="What they would change, made now.")


class BatchIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    ids: list[Line] = Field(min_length=1, max_length=200)
    decision: Decision
    value: Any = Field(default=None, description="The one response to alike questions.")
    digests: dict[str, str] = Field(
        default={},
        max_length=200,
        description="What was shown of each, by id. Once one is given, what has none or changed since is left alone.",
    )
    note: LongText | None = None


class BatchResult(BaseModel):
    id: str
    status: str | None
    error: str | None = None


class BatchOut(BaseModel):
    results: list[BatchResult]
