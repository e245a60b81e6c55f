from datetime import datetime

from pydantic import BaseModel, Field

from signoff.asks.schemas import AskOut, RiskOut
from signoff.asks.states import AskKind
from signoff.kit.jsons import JsonObject


class Difference(BaseModel):
    """One argument that is not the same in all of them."""

    path: str
    distinct: int
    sample: list[str] = Field(description="Some of its values, shortened.")


class AskGroup(BaseModel):
    """Open asks that are alike: same agent, tool and target, or the same question."""

    likeness: str | None = Field(description="Lists the members: `GET /api/asks?likeness=`. None: it stands alone.")
    count: int
    kind: AskKind
    agents: list[str] = Field(description="As people know them; questions of one wording may come from several.")
    tool: str | None
    target: JsonObject = Field(description="Where all of them go and whom they reach, by argument.")
    differs: list[Difference]
    looked_at: int = Field(description="How many were compared for `agents` and `differs`, the oldest.")
    oldest: datetime
    risk: RiskOut | None
    deadline: datetime | None = Field(description="The first of theirs.")
    together: bool = Field(description="Whether you can decide them together.")
    why_not: str | None
    first: AskOut = Field(description="The oldest of them.")
