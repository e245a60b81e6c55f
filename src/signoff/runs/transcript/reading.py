"""How a transcript reads: what the model reads of a call, and what a person sees of a message. Pure."""

from typing import Any

from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.runs.models import Call, Message
from signoff.runs.schemas import CallOut, MessageOut, Tokens
from signoff.runs.states import CallStatus


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


def show_message(message: Message, calls: list[Call]) -> MessageOut:
    """A message as the API gives it; `calls` are those it proposed, or the one it answers."""
    match message.role:
        case "assistant":
            usage: JsonObject = (message.response or {}).get("usage") or {}
            tokens = Tokens(input=usage.get("input_tokens", 0), output=usage.get("output_tokens", 0))
            text = response_text(message.response)
            return MessageOut(
                id=message.id,
                role="assistant",
                text=text,
                calls=[CallOut.of(call) for call in calls],
                created_at=message.created_at,
                tokens=tokens,
            )
        case "tool":
            text = result_text(calls[0]) if calls else ""
            shown = [CallOut.of(call) for call in calls]
            return MessageOut(id=message.id, role="tool", text=text, calls=shown, created_at=message.created_at)
        case "user":
            text, at = message.text or "", message.created_at
            return MessageOut(id=message.id, role="user", author=message.author, text=text, created_at=at)
        case _:
            text, at = message.text or "", message.created_at
            return MessageOut(id=message.id, role="system", text=text, created_at=at, for_agent=message.author is None)
