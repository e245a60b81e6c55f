from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from signoff.kit.jsons import JsonObject
from signoff.kit.text.fields import LongText
from signoff.lessons.models import Lesson, Scope
from signoff.lessons.relevance import excerpt, text_of

# Every agent that it reaches reads it each time.
LessonText = Annotated[LongText, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_000)]


class LessonBrief(BaseModel):
    """A lesson beside an ask: in one line, and the first fields of what was proposed and what became of it."""

    id: str
    kind: str
    text: str
    own_text: str | None
    reason: str | None
    original: JsonObject | None
    changed: JsonObject | None
    ask_id: str
    created_by: str
    created_at: datetime

    @classmethod
    def of(cls, lesson: Lesson) -> "LessonBrief":
        made = {"text", "original", "changed"}
        kept = {name: getattr(lesson, name) for name in cls.model_fields if name not in made}
        original, changed = excerpt(lesson)
        return cls(**kept, text=text_of(lesson), original=original, changed=changed)


class LessonOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: str
    kind: str
    agent: str
    tool: str
    scope: Scope = Field(description="How far it reaches: as far as it was learnt, unless a person widened it.")
    active: bool
    scenario: str
    original: JsonObject | None
    changed: JsonObject | None
    reason: str | None
    own_text: str | None = Field(description="What a person wrote in place of the sentence in `text`.")
    ask_id: str
    run_id: str | None
    created_by: str
    created_at: datetime
    text: str

    @classmethod
    def of(cls, lesson: Lesson) -> "LessonOut":
        names = [name for name in cls.model_fields if name != "text"]
        return cls(**{name: getattr(lesson, name) for name in names}, text=text_of(lesson))


class LessonChange(BaseModel):
    """What is given replaces what was there."""

    model_config = ConfigDict(extra="forbid")

    text: LessonText | None = Field(default=None, description="Null brings back the sentence made of the correction.")
    active: bool = True
    scope: Scope = Scope.AGENT_AND_TOOL


class MergeIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    ids: list[str] = Field(min_length=2, max_length=50)
    text: LessonText


class ToldLessonOut(BaseModel):
    """What an agent read in a run, in the words of that moment."""

    model_config = ConfigDict(from_attributes=True)

    lesson_id: str
    tool: str
    text: str
    told_at: datetime
