"""Which of many alike things, as rules compare them: `WEB-{digits}`, `cus_{code}`, `{uuid}`. Never guessed."""

import re
from dataclasses import dataclass
from itertools import pairwise

from signoff.kit.jsons import Json

# A number has no other spelling: with noughts before it it is a code, which is letters and digits in any order, with a
# digit among them: `all` is none.
_PLACES = {
    "digits": r"(?:0|[1-9][0-9]{0,29})",
    "code": r"(?=[A-Za-z]*[0-9])[A-Za-z0-9]{1,60}",
    "uuid": r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}",
}
# What tells where a place ends: the next one could share anything else with it in more ways than can be tried.
_ENDS = {"digits": re.compile(r"[A-Za-z_-]"), "code": re.compile(r"[_-]"), "uuid": re.compile(r"[A-Za-z0-9_-]")}
_WRITTEN = re.compile(r"\{(digits|code|uuid)\}|([A-Za-z0-9_-]+)", re.ASCII)
_UUID = re.compile(_PLACES["uuid"], re.ASCII)
_PART = re.compile(r"[A-Za-z0-9]+", re.ASCII)
_COUNTED = re.compile(r"([A-Za-z]*)(?:0|[1-9][0-9]{0,29})", re.ASCII)
LONGEST = 200


@dataclass(frozen=True, slots=True)
class ItemPattern:
    """Letters as they stand, with room for what is counted."""

    _form: re.Pattern[str]

    def holds(self, value: Json) -> bool | None:
        return self._form.fullmatch(value) is not None if isinstance(value, str) else None


def read_item_pattern(text: str) -> ItemPattern | None:
    """A pattern as it is written, with room in at least one place; None when it is none."""
    parts = list(_WRITTEN.finditer(text))
    if "".join(part[0] for part in parts) != text or len(text) > LONGEST or not any(part[1] for part in parts):
        return None
    if any(part[1] and not _ENDS[part[1]].search(after[2] or "") for part, after in pairwise(parts)):
        return None
    form = "".join(_PLACES[part[1]] if part[1] else re.escape(part[2]) for part in parts)
    return ItemPattern(re.compile(form, re.ASCII))


def item_pattern_of(word: str) -> str:
    """What others of its kind look like: `WEB-{digits}` of `WEB-17`. A word without anything counted is itself."""
    if _UUID.fullmatch(word):
        return "{uuid}"
    return _PART.sub(_with_room, word)


def _with_room(part: re.Match[str]) -> str:
    text = part[0]
    if text.isalpha():
        return text
    counted = _COUNTED.fullmatch(text)
    return f"{counted[1]}{{digits}}" if counted else "{code}"
