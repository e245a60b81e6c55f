"""The conversation about an ask as text. Pure."""

from collections.abc import Sequence

from signoff.cli.terminal.screen import plain, visible
from signoff.kit.jsons import JsonObject


def conversation_text(comments: Sequence[JsonObject]) -> list[str]:
    """Who said what, as lines of markup; none where nobody said anything."""
    return [line for comment in comments for line in _lines(comment)]


def _lines(comment: JsonObject) -> list[str]:
    first, *rest = visible(_words(comment)).splitlines() or [""]
    return [f"  {_who(comment)} {plain(first)}", *(f"    {plain(line)}" for line in rest)]


def _who(comment: JsonObject) -> str:
    name = plain(comment.get("author_name") or comment["author"])
    if comment["kind"] == "agent":
        return f"[cyan]{name} (agent):[/]"
    return f"[dim]{name}{' to the agent' if comment.get('to_agent') else ''}:[/]"


def _words(comment: JsonObject) -> str:
    match comment.get("state"):
        case "pending":
            return "… is reading its transcript"
        case "failed":
            return f"No answer. {comment['text']} Ask again with `signoff comment --to-agent`."
        case _:
            return str(comment["text"])
