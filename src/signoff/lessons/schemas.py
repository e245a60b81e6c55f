from datetime import datetime

from pydantic import BaseModel, ConfigDict

from signoff.kit.jsons import JsonObject
from signoff.lessons.models import Lesson
from signoff.lessons.relevance import sentence


class LessonBrief(BaseModel):
    """A lesson beside an ask, in one line."""

    id: str
    kind: str
    text: str
    reason: str | None
    ask_id: str
    created_by: str
    created_at: datetime

    @classmethod
    def of(cls, lesson: Lesson) -> "LessonBrief":
        names = [name for name in cls.model_fields if name != "text"]
        return cls(**{name: getattr(lesson, name) for name in names}, text=sentence(lesson))


class LessonOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: str
    kind: str
    agent: str
    tool: str
    scenario: str
    original: JsonObject | None
    changed: JsonObject | None
    reason: str | None
    ask_id: str
    run_id: str | None
    created_by: str
    created_at: datetime
    text: str

    @classmethod
    def of(cls, lesson: Lesson) -> "LessonOut":
        names = [name for name in cls.model_fields if name != "text"]
        return cls(**{name: getattr(lesson, name) for name in names}, text=sentence(lesson))
