"""How long something waits for people, as settings say it."""

from typing import Annotated, Literal

from pydantic import Field

LEAST_MINUTES, MOST_MINUTES = 5.0, 30 * 24 * 60.0

# Minutes, or `none`: for as long as it takes.
WaitingMinutes = Annotated[float, Field(ge=LEAST_MINUTES, le=MOST_MINUTES)] | Literal["none"]
