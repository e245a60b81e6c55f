"""What people see and change of the data of a step. Pure."""

import hashlib
from collections.abc import Sequence
from typing import Any, cast

from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.workflows.context import fields_of, items_of, object_of
from signoff.workflows.definition import Step

# More than this nobody reads on one screen, and nobody edits.
MOST_SHOWN = 200_000
BEGINNING = 20_000
# Marks what is shown in part; the fingerprint binds an approval to all of it.
CUT = "sha256"


def shown_to_people(text: str) -> JsonObject:
    """A step's data as an object; of what is too long, how it begins."""
    if len(text) > MOST_SHOWN:
        fingerprint = hashlib.sha256(text.encode()).hexdigest()
        said = f"{len(text):,} characters are too many to be shown here. The whole is on the run's page."
        return {"too_long": said, "begins": jsons.whole_text(text[:BEGINNING]), CUT: fingerprint}
    value = jsons.loads(text)
    return cast(JsonObject, value) if isinstance(value, dict) else {"output": value}


def items_field(step: Step, text: str) -> str | None:
    """Under which name people see what an `each` goes through, beside what all of its runs get."""
    if step.each is None:
        return None
    name = f"each {step.each.as_}"
    while name in (fields_of(text) or {}):
        name += "_"
    return name


def with_items(step: Step, text: str, items: Sequence[str]) -> str:
    """A step's input with the list that its runs share out among them."""
    name = items_field(step, text)
    return text if name is None else object_of({**(fields_of(text) or {}), name: f"[{','.join(items)}]"})


def is_cut(shown: JsonObject) -> bool:
    return shown.keys() == {"too_long", "begins", CUT}


def is_object(text: str) -> bool:
    return text.lstrip().startswith("{")


def with_edits(written: str, changed: Any) -> str:
    """What a person made of a value; what they left as it was keeps its digits."""
    if jsons.same(jsons.loads(written), changed):
        return written
    if isinstance(changed, dict) and (fields := fields_of(written)) is not None:
        given = cast(JsonObject, changed)
        return object_of({name: _part(fields.get(name), value) for name, value in given.items()})
    if isinstance(changed, list) and (items := items_of(written)) is not None:
        values = cast(list[Any], changed)
        return (
            "[" + ",".join(_part(items[at] if at < len(items) else None, each) for at, each in enumerate(values)) + "]"
        )
    return jsons.exact(changed)


def _part(written: str | None, value: Any) -> str:
    return jsons.exact(value) if written is None else with_edits(written, value)
