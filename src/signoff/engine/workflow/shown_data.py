"""What people see and change of the data of a step. Pure."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, cast

from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.workflows.context import Context, fields_of, items_of, object_of
from signoff.workflows.definition import Step
from signoff.workflows.mapping import MissingInput, item_input

# More than this nobody reads on one screen, and nobody edits.
MOST_SHOWN = 200_000
BEGINNING = 20_000
# Of so many items people see what is made for each.
MOST_MADE = 20
IS_GIVEN = "What the steps before made. It is only looked at here."
IS_MADE = (
    "What each run gets that is made of its item in the list above. It follows that list and is only looked at here."
)
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
    taken = fields_of(text) or {}
    while name in taken or f"made of {name}" in taken:
        name += "_"
    return name


def with_items(step: Step, text: str, items: Sequence[str], made: Sequence[str] = ()) -> str:
    """A step's input with the list that its runs share out among them, and with what is made for each of these."""
    name = items_field(step, text)
    if name is None:
        return text
    beside = {name: f"[{','.join(items)}]"} | ({f"made of {name}": f"[{','.join(made)}]"} if made else {})
    return object_of({**(fields_of(text) or {}), **beside})


def fixed_fields(step: Step, text: str, shown: Iterable[str]) -> dict[str, str]:
    """What is shown beside a step's input, and cannot be changed: by name, with why."""
    name = items_field(step, text)
    why = {name: IS_GIVEN, f"made of {name}": IS_MADE} if name is not None else {}
    return {each: words for each, words in why.items() if each in shown}


def made_for_items(step: Step, context: Context, items: Sequence[str]) -> list[str]:
    """The fields of its input that are made for each item, as each run will get them: of the first items."""
    made = [_made_for(step, context, at, items) for at in range(min(len(items), MOST_MADE))]
    if not any(made):
        return []
    more = len(items) - len(made)
    return [each or "{}" for each in made] + ([jsons.dumps(f"and {more:,} more")] if more else [])


def _made_for(step: Step, context: Context, index: int, items: Sequence[str]) -> str | None:
    try:
        fields = fields_of(item_input(step, "{}", context, index, items)) or {}
    except MissingInput as error:
        return jsons.dumps(f"Cannot be made: {error}")
    made = {name: value for name, value in fields.items() if name in (step.input or {})}
    return object_of(made) if made else None


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
