"""What is shown once: marked where it leaves, so that nothing on its way keeps it."""

from functools import lru_cache
from typing import Annotated, Any

from pydantic import BaseModel, Field

from signoff.kit import jsons

MARK = "x-secret"
# For a field of an answer. Whatever stores or logs answers leaves out those that have one.
Secret = Annotated[str, Field(description="Shown once, and kept nowhere.", json_schema_extra={MARK: True})]


def holds_secret(answer: Any) -> bool:
    """Whether an answer has a secret in it, however deep."""
    return isinstance(answer, BaseModel) and _marked(type(answer))


@lru_cache(maxsize=256)
def _marked(model: type[BaseModel]) -> bool:
    return f'"{MARK}":true' in jsons.dumps(model.model_json_schema())
