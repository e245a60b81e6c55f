"""What a step may make: how much, and of which shape."""

import logging
from collections.abc import Sequence
from typing import Any

from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.kit.schema.check import problems

MOST_BYTES, WARN_BYTES = 10_000_000, 5_000_000
MOST_SHOWN = 2_000
TOO_LARGE = f"The output is too large: at most {MOST_BYTES:,} bytes of JSON go from a step to the next."
log = logging.getLogger(__name__)


def problem_of_output(schema: JsonObject | None, value: Any) -> JsonObject | None:
    """Why a step's output is not taken: with the schema, the data and the exact place."""
    errors = problems(schema, value, "output") if schema is not None else []
    if not errors:
        return None
    listed = "; ".join(f"{error.path}: {error.message}" for error in errors)
    return {
        "message": f"The output does not fit its schema: {listed}.",
        "schema": schema,
        "data": jsons.dumps(value)[:MOST_SHOWN],
        "errors": [{"path": error.path, "message": error.message} for error in errors],
    }


def size_problem(run_id: str, texts: Sequence[str]) -> str | None:
    """Why outputs are together too large for what comes after them."""
    size = sum(map(_bytes, texts))
    if size > WARN_BYTES:
        log.warning("the output of a step of run %s has %s bytes", run_id, size)
    return TOO_LARGE if size > MOST_BYTES else None


def size_warning(text: str) -> str | None:
    """What people are told of an output that may go on, but slows everything down."""
    size = _bytes(text)
    return f"This output has {size / 1_000_000:.1f} MB. Above 5 MB runs get slow." if size > WARN_BYTES else None


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())
