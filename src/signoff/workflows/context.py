"""What the steps of a run know: the workflow's input, with what each step made laid over it.

Values are slices of the JSON as it was written. None is parsed and made anew, so every number keeps its digits."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any, Final

import msgspec

from signoff.kit import jsons
from signoff.workflows.templates import Work

# To parse so many costs as much as a step of a template.
CHARACTERS_PARSED = 64
_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
_LIST = msgspec.json.Decoder(list[msgspec.Raw])


class Missing(Enum):
    MISSING = "missing"


MISSING: Final = Missing.MISSING


def fields_of(text: str | msgspec.Raw) -> dict[str, str] | None:
    """The fields of an object, each as it was written; None where it is no object."""
    try:
        return {name: str(raw, "utf-8") for name, raw in _OBJECT.decode(_bytes(text)).items()}
    except msgspec.ValidationError:
        return None


def items_of(text: str) -> list[str] | None:
    """The items of a list, each as it was written; None where it is no list."""
    try:
        return [str(raw, "utf-8") for raw in _LIST.decode(_bytes(text))]
    except msgspec.ValidationError:
        return None


def object_of(fields: Mapping[str, str]) -> str:
    """An object of values as they were written."""
    parts = ["{"]
    for name, value in fields.items():
        # Each by itself: a large value is copied once.
        parts += [jsons.dumps(name), ":", value, ","]
    return "".join([*parts[: -1 if fields else None], "}"])


@dataclass(frozen=True)
class Context:
    """The merged fields, and what they come from."""

    merged: Mapping[str, str]
    given: str
    outputs: Mapping[str, str] = field(default_factory=dict[str, str])
    # What all templates may do from here on, so that many cannot do together what one may not.
    work: Work = field(default_factory=Work, compare=False, repr=False)

    @classmethod
    def start(cls, given: str) -> "Context":
        """Before any step: the workflow's input alone."""
        return cls(fields_of(given) or {}, given)

    def with_output(self, step: str, output: str) -> "Context":
        """After a step: an object lies over what was there, anything else stands under the step's name."""
        made = fields_of(output)
        return Context(
            {**self.merged, **(made if made is not None else {step: output})},
            self.given,
            {**self.outputs, step: output},
            self.work,
        )

    def raw(self, path: str) -> str | Missing:
        """What stands at a path, as it was written."""
        first, *rest = path.split(".")
        if first == "input":
            found: str | Missing = self.given
        elif first == "steps" and rest:
            found = self.outputs.get(rest.pop(0), MISSING)
        else:
            found = self.merged.get(first, MISSING)
        for part in rest:
            if found is MISSING:
                return MISSING
            found = _inside(found, part)
        return found

    def value(self, path: str) -> Any:
        """The same as a value, or MISSING."""
        found = self.raw(path)
        return found if found is MISSING else jsons.loads(found)

    def names(self) -> dict[str, str]:
        """All that a path may begin with. What a step made never hides the two roots."""
        return {**self.merged, "input": self.given, "steps": object_of(self.outputs)}

    @cached_property
    def values(self) -> Any:
        """All of it, for templates: parsed once for as many as there are."""
        text = object_of(self.names())
        self.work.count(len(text) // CHARACTERS_PARSED)
        return jsons.loads(text)

    def text(self) -> str:
        return object_of(self.merged)


def _inside(text: str, part: str) -> str | Missing:
    fields = fields_of(text)
    if fields is not None:
        return fields.get(part, MISSING)
    items = items_of(text) if part.isascii() and part.isdigit() else None
    return items[int(part)] if items is not None and int(part) < len(items) else MISSING


def _bytes(text: str | msgspec.Raw) -> bytes:
    return text.encode() if isinstance(text, str) else bytes(text)
