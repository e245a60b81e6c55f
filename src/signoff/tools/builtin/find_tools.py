"""Where connections give more tools than a model can be shown: it looks them up."""

from collections.abc import Iterable, Sequence

from signoff.kit.jsons import JsonObject
from signoff.kit.text.words import fits, folded, wanted
from signoff.tools.registry import Tool, tool

# So many tools of connections are shown as they are.
MOST_SHOWN = 40
MOST_FOUND = 12


def _find_tools(query: str) -> str:
    """Find tools of your connections by what they do, such as "create an issue". You have many more tools than are
    listed; what this finds you can call from then on."""
    raise NotImplementedError(f"the engine itself looks for {query}")


FIND_TOOLS = tool(name="find_tools", operation_type="own_means", is_control=True, idempotent=True, source="builtin")(
    _find_tools
)


def found(tools: Iterable[Tool], query: str) -> list[Tool]:
    """Those that fit best: by words in their names, then in their descriptions."""
    looked_for = wanted(query)
    scored = [(_score(each, looked_for), each) for each in tools]
    return [each for score, each in sorted(scored, key=lambda pair: -pair[0]) if score > 0][:MOST_FOUND]


def shown(tool: Tool) -> JsonObject:
    return {"name": tool.name, "description": tool.description[:1_000], "schema": tool.schema}


def _score(each: Tool, looked_for: Sequence[str]) -> int:
    named = folded(each.name.replace("_", " ").replace("-", " ")).split()
    about = folded(each.description).split()
    return sum(3 * _has(named, word) + _has(about, word) for word in looked_for)


def _has(words: Iterable[str], looked_for: str) -> bool:
    return any(fits(word, looked_for) for word in words)
