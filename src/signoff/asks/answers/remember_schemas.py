from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from signoff.asks.answers.outcome import Remember, Scope
from signoff.asks.answers.remember import DEFAULT_HOURS, MOST_HOURS
from signoff.kit.errors import FieldError, Invalid
from signoff.policy.patterns.pattern import BadPattern, thresholds


class Where(BaseModel):
    """A condition on an argument, as rules write it."""

    model_config = ConfigDict(extra="forbid")

    field: str = Field(max_length=200)
    operator: str = Field(max_length=20)
    value: Any = None


class RememberIn(BaseModel):
    """Allow what satisfies these conditions, until then. An argument that none of them names stays what it was."""

    model_config = ConfigDict(extra="forbid")

    scope: Scope
    where: list[Where] | None = Field(
        default=None, max_length=50, description="Without it, the narrow ones that the ask suggests."
    )
    expires_in_hours: float | None = Field(
        default=None,
        gt=0,
        le=MOST_HOURS,
        description=f"At most {MOST_HOURS}. Without it {DEFAULT_HOURS} for an agent, and the run's end for a run.",
    )

    def to_remember(self) -> Remember:
        try:
            where = None if self.where is None else thresholds([each.model_dump() for each in self.where])
        except BadPattern as error:
            raise Invalid("These conditions cannot be kept.", errors=[FieldError("remember", str(error))]) from None
        return Remember(self.scope, where, self.expires_in_hours)


class PastCall(BaseModel):
    """A call that somebody refused or changed, and that would have been let through."""

    ask_id: str
    title: str
    by: str | None
    fate: str


class RememberChoice(BaseModel):
    name: str = Field(description="exact, alike or below.")
    label: str
    sentence: str
    where: list[Where]
    is_default: bool
    approved: int = Field(description="Past calls that it would have let through and people approved as they were.")
    edited: int
    refused: int
    let_through: list[PastCall] = Field(description="Those that people denied or changed, the newest first.")


class RememberOut(BaseModel):
    """Ways to remember an approval, each with what it would have meant before."""

    why_not: str | None = Field(description="Why only a rule can be proposed.")
    scopes: list[Scope]
    hours: list[int]
    default_hours: int
    choices: list[RememberChoice]
    looked_at: int = Field(description="How many past decisions the figures are from.")
