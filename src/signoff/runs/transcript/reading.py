"""How a transcript reads: what the model reads of a call, and what a person sees of a message. Pure."""

from collections.abc import Mapping
from typing import Any

from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.runs.models import Call, Message
from signoff.runs.schemas import CallOut, CompactionOut, MessageOut, Tokens
from signoff.runs.states import CallStatus

# The role of a line that says how far the conversation was shortened for the model; everything is still there.
COMPACTION = "compaction"


def result_text(call: Call) -> str:
    """What the model reads as the result of a call. Edits and refusals by a person are said plainly."""
    edited = f"{edit_note(call)}\n\n" if call.edited_arguments is not None else ""
    if call.status == CallStatus.SUCCEEDED.value:
        return edited + (call.result if isinstance(call.result, str) else jsons.dumps(call.result))
    return edited + (call.error or f"The call is {call.status}.")


def edit_note(call: Call) -> str:
    ran = jsons.dumps(call.edited_arguments)
    return f"Note: a person changed the arguments before approving. The call ran with: {ran}"


def failed(call: Call) -> bool:
    """Whether the model must read the result as an error."""
    return call.status != CallStatus.SUCCEEDED.value


def response_text(response: JsonObject | None) -> str:
    """The words of a model's reply."""
    parts: list[Any] = (response or {}).get("parts", [])
    return "\n\n".join(part["content"] for part in parts if part.get("part_kind") == "text" and part.get("content"))


def show_message(
    message: Message,
    calls: list[Call],
    undone: Mapping[str, Call] | None = None,
    started: Mapping[str, str] | None = None,
) -> MessageOut:
    """A message as the API gives it; `calls` are those it proposed, or the one it answers, with what took them back."""
    shown = [CallOut.of(call, (undone or {}).get(call.id), (started or {}).get(call.id)) for call in calls]
    match message.role:
        case "assistant":
            usage: JsonObject = (message.response or {}).get("usage") or {}
            tokens = tokens_of(usage)
            text = response_text(message.response)
            return MessageOut(
                id=message.id,
                role="assistant",
                text=text,
                calls=shown,
                created_at=message.created_at,
                tokens=tokens,
            )
        case "tool":
            text = result_text(calls[0]) if calls else ""
            return MessageOut(id=message.id, role="tool", text=text, calls=shown, created_at=message.created_at)
        case "compaction":
            return _show_compaction(message)
        case "user":
            text, at = message.text or "", message.created_at
            return MessageOut(id=message.id, role="user", author=message.author, text=text, created_at=at)
        case _:
            text, at = message.text or "", message.created_at
            return MessageOut(id=message.id, role="system", text=text, created_at=at, for_agent=message.author is None)


def tokens_of(usage: JsonObject) -> Tokens:
    """What a provider counted for one reply."""
    counted = (usage.get(name, 0) for name in ("input_tokens", "output_tokens", "cache_read_tokens"))
    return Tokens.of(*counted)


def compaction_text(compaction: JsonObject) -> str:
    """For people: what the model reads no longer as it was."""
    cleared, summarized = compaction.get("cleared", 0), compaction.get("summarized", 0)
    if compaction.get("sums_up"):
        return f"The conversation got long: the agent goes on from its own summary of turns 1 to {summarized - 1}."
    if cleared:
        return f"The conversation got long: long results up to turn {cleared - 1} are no longer sent along."
    return "The conversation got too long for the model: less of long results is sent along."


def _show_compaction(message: Message) -> MessageOut:
    stored = message.compaction or {}
    shown = CompactionOut(
        cleared_before=stored.get("cleared", 0), summarized_before=stored.get("summarized", 0), summary=message.text
    )
    return MessageOut(
        id=message.id,
        role="system",
        text=compaction_text(stored),
        compaction=shown,
        created_at=message.created_at,
        tokens=tokens_of(message.response["usage"]) if message.response else None,
    )
