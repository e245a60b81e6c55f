"""The workflow that a rule starts about a call that it decides."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from signoff.kit.text.fields import Line, Slug
from signoff.policy.format.shapes import Part


class ConstSource(Part):
    const: Any


class PathSource(Part):
    """What stands at a path, or else the default."""

    path: Annotated[Line, Field(min_length=1)]
    default: Any = None


class StartSpec(Part):
    """Without `input`, the workflow gets all that is known of the call."""

    workflow: Slug = Field(examples=["refund-review"])
    input: dict[Line, Annotated[Line, Field(min_length=1)] | ConstSource | PathSource] | None = Field(
        default=None, max_length=50
    )


def _short(value: Any) -> Any:
    return {"workflow": value} if isinstance(value, str) else value


Start = Annotated[StartSpec, BeforeValidator(_short)]
