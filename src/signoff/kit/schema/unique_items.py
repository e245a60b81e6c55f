"""Whether a list repeats itself, found in linear time.

The validator's own way compares each entry with each other one where large numbers are alike to it: ten thousand of
them stop everything for minutes.
"""

import json
from typing import Any, cast

from signoff.kit.jsons import Json, JsonObject


class UniqueItems:
    """The JSON Schema keyword `uniqueItems`."""

    def __init__(self, parent_schema: JsonObject, value: Any, schema_path: list[str | int]) -> None:
        self.is_on = value is True

    def validate(self, instance: Json) -> None:
        if self.is_on and isinstance(instance, list) and has_repetitions(cast("list[Json]", instance)):
            raise ValueError("has duplicates; each entry may appear only once")


def has_repetitions(items: list[Json]) -> bool:
    """By what values are worth in JSON: 1 and 1.0 are the same, true is another, and the order of keys is nothing."""
    # As texts: whoever chooses the numbers can choose them such that their own hashes collide.
    return len({json.dumps(_plain(each), sort_keys=True) for each in items}) < len(items)


def _plain(value: Json) -> Json:
    """Without two ways to write a number."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, list):
        return [_plain(each) for each in cast("list[Json]", value)]
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in cast("JsonObject", value).items()}
    return value
