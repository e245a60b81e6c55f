from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from signoff.insights.figures import RuleFigures
from signoff.insights.replay import MOST_CHANGES, Replay
from signoff.kit.jsons import JsonObject
from signoff.kit.text.fields import Line
from signoff.rules.schemas import Yaml


class SimulateIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    yaml: Yaml
    since: datetime | None = None


class ReplayedOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    call_id: str
    run_id: str
    run_title: str
    agent: str
    tool: str
    arguments: JsonObject
    at: datetime
    before: str
    after: str
    rule: str | None
    reasons: list[str]
    refused_by: str | None
    note: str | None


class SimulateOut(BaseModel):
    evaluated: int
    asks_before: int
    asks_after: int
    would_allow_denied: list[ReplayedOut] = Field(description="Every denied call that the draft would let through.")
    changed: list[ReplayedOut] = Field(description=f"Decisions that come out differently, the newest {MOST_CHANGES}.")
    changed_count: int

    @classmethod
    def of(cls, replay: Replay) -> "SimulateOut":
        return cls(
            evaluated=replay.evaluated,
            asks_before=replay.asks_before,
            asks_after=replay.asks_after,
            would_allow_denied=[ReplayedOut.model_validate(each) for each in replay.would_allow_denied],
            changed=[ReplayedOut.model_validate(each) for each in replay.changed],
            changed_count=replay.changed_count,
        )


class PassingOut(BaseModel):
    """An open ask that the rules in force would not open."""

    id: str
    title: str
    agent: str
    tool: str | None
    digest: str | None = Field(description="Of what is shown; send it back to let exactly this through.")
    rule: str | None
    why: str


class PassingList(BaseModel):
    items: list[PassingOut]
    total: int


class ApplyIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    ids: list[Line] = Field(min_length=1, max_length=200)
    digests: dict[str, str] = Field(max_length=200, description="What was shown of each, by id.")


class SuggestionOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: str
    name: str
    agent: str
    tool: str
    approved: int
    decided: int
    edited: int
    saved: int = Field(description="Asks that the rule would have saved, of the decisions that were looked at.")
    let_through: int = Field(description="Of those, the ones that people denied.")
    looked_at: int
    conditions: list[str] = Field(description="What the rule asks of the arguments, in words.")
    proposed_by: str | None
    text: str
    rule: JsonObject
    yaml: str = Field(description="The rules with the suggestion in them, ready to save.")
    diff: str


class SuggestionList(BaseModel):
    items: list[SuggestionOut]
    next_cursor: str | None = None
    total: int


class DismissIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    agent: Line
    tool: Line


class RuleFiguresOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    rule: str | None
    auto_approved: int
    failed: int
    asked: int
    approved: int
    edited: int
    refused: int
    expired: int
    denied: int
    accuracy: float | None


class StatsOut(BaseModel):
    since: datetime
    decisions: int
    auto_approved: int = Field(description="Let through by a rule.")
    asked: int
    auto_approval_rate: float | None = Field(
        description="Of what would have been asked, the share that a rule let through."
    )
    overrides: int = Field(description="Asks that people changed or denied.")
    accuracy: float | None = Field(description="Of what rules let through, the share that did not fail.")
    by_rule: list[RuleFiguresOut]

    @classmethod
    def of(cls, since: datetime, figures: list[RuleFigures]) -> "StatsOut":
        by_rule = [each for each in figures if each.rule is not None]
        auto, asked = sum(each.auto_approved for each in by_rule), sum(each.asked for each in figures)
        failed = sum(each.failed for each in by_rule)
        return cls(
            since=since,
            decisions=sum(each.auto_approved + each.asked + each.denied for each in figures),
            auto_approved=auto,
            asked=asked,
            auto_approval_rate=auto / (auto + asked) if auto + asked else None,
            overrides=sum(each.edited + each.refused for each in figures),
            accuracy=1 - failed / auto if auto else None,
            by_rule=[RuleFiguresOut.model_validate(each) for each in by_rule],
        )
