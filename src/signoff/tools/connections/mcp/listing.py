"""What a server says that it can do, within bounds and in names that every model takes."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

from signoff.kit import jsons
from signoff.kit.jsons import JsonObject, clean_text, digest
from signoff.kit.text.secret_values import without_secrets_inside
from signoff.tools.connections.port import ListedTool

if TYPE_CHECKING:
    from mcp_types import Tool as RemoteTool

MOST_TOOLS = 2_000
MOST_PAGES = 100
LONGEST_DESCRIPTION = 4_000
MOST_SCHEMA_BYTES = 64 * 1024
# A model takes 64 letters; the slug and what separates it need 32.
LONGEST_NAME = 64
# Nobody can judge a tool whose name cannot be shown, and not every database could keep it.
LONGEST_REMOTE_NAME = 200
HINTS = ("read_only_hint", "destructive_hint", "idempotent_hint", "open_world_hint")
ANY_ARGUMENTS: JsonObject = {"type": "object", "properties": {}}


def described(slug: str, remote: Iterable["RemoteTool"], secrets: Sequence[str]) -> list[ListedTool]:
    """Every tool, with none of our secrets in what it says of itself."""
    found = dict[str, ListedTool]()
    for each in list(remote)[:MOST_TOOLS]:
        if not each.name.isprintable() or not 0 < len(each.name) <= LONGEST_REMOTE_NAME:
            continue
        name = _name(slug, each.name, found)
        said: JsonObject = {
            "description": clean_text(each.description or each.title or "")[:LONGEST_DESCRIPTION],
            "schema": _schema(each.input_schema),
            "annotations": _annotations(each),
        }
        said = without_secrets_inside(secrets, said)
        found[name] = ListedTool(name, each.name, **said, fingerprint=digest(said))
    return list(found.values())


def _name(slug: str, remote: str, taken: Iterable[str]) -> str:
    """Letters, digits, dashes; a number behind it where two would be called alike."""
    most = LONGEST_NAME - len(slug) - 2
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", remote)
    if plain != remote or len(plain) > most:
        mark = digest(remote)[:6]
        plain = f"{plain[: most - 7]}_{mark}"
    return plain if plain not in taken else f"{plain[: most - 7]}_{digest([remote, len(list(taken))])[:6]}"


def _schema(given: Any) -> JsonObject:
    """An object's schema, or one that takes anything: what the server refuses, it refuses itself."""
    whole = jsons.whole(given)
    if not isinstance(whole, dict) or len(jsons.dumps(whole)) > MOST_SCHEMA_BYTES:
        return ANY_ARGUMENTS
    schema = cast("JsonObject", whole)
    if schema.get("type", "object") != "object" or not isinstance(schema.get("properties", {}), dict):
        return ANY_ARGUMENTS
    return {"type": "object", **schema, "properties": schema.get("properties", {})}


def _annotations(tool: "RemoteTool") -> JsonObject:
    """Only what is said; the rest is not known."""
    hints = tool.annotations
    said = {name: getattr(hints, name, None) for name in HINTS}
    found: JsonObject = {name.removesuffix("_hint"): value for name, value in said.items() if value is not None}
    title = tool.title or getattr(hints, "title", None)
    return found | ({"title": clean_text(title)[:200]} if title else {})
