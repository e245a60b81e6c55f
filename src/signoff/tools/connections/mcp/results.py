"""What a server answered to a call, as the model and people read it."""

from typing import TYPE_CHECKING, Any

from signoff.kit import jsons

if TYPE_CHECKING:
    from mcp_types import CallToolResult


def value_of(result: "CallToolResult") -> Any:
    """Its structured content, else its text, else its parts; what is no text is only named."""
    if result.structured_content is not None:
        return jsons.whole(result.structured_content)
    parts = [_part(each) for each in result.content]
    if all(isinstance(each, str) for each in parts):
        return "\n".join(parts)
    return {"content": parts}


def text_of(result: "CallToolResult") -> str:
    value = value_of(result)
    return value if isinstance(value, str) else jsons.dumps(value)


def words_of(result: "CallToolResult") -> str:
    """For people: its text where it has some."""
    return "\n".join(each.text for each in result.content if each.type == "text") or text_of(result)


def _part(block: Any) -> Any:
    match block.type:
        case "text":
            return block.text
        case "image" | "audio":
            return {"type": block.type, "mime_type": block.mime_type, "base64_characters": len(block.data)}
        case "resource_link":
            return {"type": "resource_link", "uri": str(block.uri), "name": block.name}
        case "resource":
            inside = block.resource
            text = getattr(inside, "text", None)
            shown = {"text": text} if text is not None else {"base64_characters": len(getattr(inside, "blob", ""))}
            return {"type": "resource", "uri": str(inside.uri), **shown}
        case other:
            return {"type": str(other)}
