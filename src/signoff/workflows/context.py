"""What the steps of a run know: the workflow's input, with what each step made laid over it.

Values are slices of the JSON as it was written. None is parsed and made anew, so every number keeps its digits."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
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


class _Opened:
    """Values that a path led into, each read once: hundreds of paths may lead into one large list."""

    def __init__(self) -> None:
        # By the text itself, which is kept so that no other one gets its place.
        self._fields = dict[int, tuple[str, dict[str, str] | None]]()
        self._parts = dict[
            int, tuple[str, dict[str, msgspec.Raw] | list[msgspec.Raw] | None, dict[str, str | Missing]]
        ]()

    def fields(self, text: str) -> dict[str, str] | None:
        """As `fields_of`."""
        if id(text) not in self._fields:
            self._fields[id(text)] = text, fields_of(text)
        return self._fields[id(text)][1]

    def inside(self, text: str, part: str) -> str | Missing:
        """A field or an item of it."""
        if id(text) not in self._parts:
            self._parts[id(text)] = text, _parts_of(text), {}
        _, parts, found = self._parts[id(text)]
        if part not in found:
            raw = _part(parts, part)
            found[part] = MISSING if raw is None else str(raw, "utf-8")
        return found[part]


@dataclass(frozen=True)
class Context:
    """The merged fields, and what they come from."""

    merged: Mapping[str, str]
    given: str
    outputs: Mapping[str, str] = field(default_factory=dict[str, str])
    # What all templates may do from here on, so that many cannot do together what one may not.
    work: Work = field(default_factory=Work, compare=False, repr=False)
    _opened: _Opened = field(default_factory=_Opened, compare=False, repr=False)

    @classmethod
    def start(cls, given: str, work: Work | None = None) -> "Context":
        """Before any step: the workflow's input alone."""
        return cls(fields_of(given) or {}, given, work=work or Work())

    def with_output(self, step: str, output: str) -> "Context":
        """After a step: an object lies over what was there, anything else stands under the step's name."""
        made = self._opened.fields(output)
        return replace(
            self,
            merged={**self.merged, **(made if made is not None else {step: output})},
            outputs={**self.outputs, step: output},
        )

    def with_item(self, name: str, item: str, index: int, work: Work) -> "Context":
        """For one item of a list: beside all else that is known, it and its place."""
        return replace(self, merged={**self.merged, name: item, "index": str(index)}, work=work)

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
            found = self._opened.inside(found, part)
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


def _parts_of(text: str) -> dict[str, msgspec.Raw] | list[msgspec.Raw] | None:
    for decoder in (_OBJECT, _LIST):
        with suppress(msgspec.ValidationError):
            return decoder.decode(_bytes(text))
    return None


def _part(parts: dict[str, msgspec.Raw] | list[msgspec.Raw] | None, part: str) -> msgspec.Raw | None:
    if isinstance(parts, dict):
        return parts.get(part)
    is_index = parts is not None and part.isascii() and part.isdigit()
    # No list is as long as a number of many digits.
    return parts[int(part)] if parts is not None and is_index and len(part) < 10 and int(part) < len(parts) else None


def _bytes(text: str | msgspec.Raw) -> bytes:
    return text.encode() if isinstance(text, str) else bytes(text)
