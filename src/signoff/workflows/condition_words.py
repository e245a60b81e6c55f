"""What the parser of conditions found, in words for people. Pure."""

import re

_STOPPED = re.compile(r"<input>:(?P<line>\d+):(?P<column>\d+): Syntax error: (?P<said>.*)")
_MISSING = re.compile(r"missing '(?P<what>[^']+)'")
_TOKEN = re.compile(r"'(?P<token>.*?)'(?: expecting|$)")
_END = "'<EOF>'"
# An error of another kind: what stands before it is the whole condition, after it a drawing.
_PLACE, _LINE = "<input>:", "\n"
# What other languages write.
_INSTEAD = {"=": "==", "and": "&&", "or": "||", "not": "!"}


def unreadable(error: Exception) -> str:
    """Where a condition stops being one, and what to write there."""
    found = _STOPPED.search(str(error))
    if found is None:
        return f"Its condition cannot be read: {str(error).split(_PLACE)[-1].partition(_LINE)[0]}"
    place = f"at character {found['column']}" + ("" if found["line"] == "1" else f" of line {found['line']}")
    said, missing, token = found["said"], _MISSING.match(found["said"]), _TOKEN.search(found["said"])
    if missing is not None:
        place = "at its end" if said.endswith(_END) else place
        return f"Its condition cannot be read: `{missing['what']}` is missing {place}."
    written = token["token"].strip() if token else ""
    if f"'{written}'" == _END:
        return "Its condition cannot be read: something is missing at its end."
    hint = f" Write `{_INSTEAD[written]}` instead." if written in _INSTEAD else ""
    return f"Its condition cannot be read: `{written}` cannot stand {place}.{hint}"
