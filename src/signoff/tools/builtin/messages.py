"""A message to the people of the workspace."""

from pathlib import Path

from signoff.kit.jsons import JsonObject, clean_text
from signoff.kit.text.fields import filled
from signoff.notifications.actions import notify
from signoff.policy.impact import Impact, ImpactKind
from signoff.tools.effects import Preview
from signoff.tools.registry import Tool, ToolContext, ToolFailed, tool

MAX_MESSAGE = 20_000


def send_message(context: ToolContext, channel: str, text: str) -> str:
    """Send a message to the people of the workspace, into a channel such as #sales."""
    if not text.strip() or len(text) > MAX_MESSAGE:
        raise ToolFailed(f"A message has 1 to {MAX_MESSAGE} characters.")
    said, where, sender = clean_text(text), clean_text(channel)[:200], f"agent:{context.agent}"
    context.db.write(lambda s: notify(s, context.workspace_id, context.run_id, where, sender, said))
    return f"Sent to {channel}."


def _would_send(_context: ToolContext, arguments: JsonObject) -> Preview:
    said, where = clean_text(arguments["text"]), clean_text(arguments["channel"])[:200]
    fields = [{"label": "To", "value": where}, {"label": "Message", "value": said}]
    return Preview(
        "fields", f"Everyone in this workspace reads it in their notices, as a message to {where}", {"fields": fields}
    )


def _sending(arguments: JsonObject, _folder: Path) -> Impact:
    kinds = (ImpactKind.REACHES_PEOPLE, ImpactKind.CANNOT_BE_UNDONE)
    return Impact(kinds, filled("Reaches the people in {channel}, cannot be undone", arguments, ""))


MESSAGES: list[Tool] = [
    tool(
        operation_type="send_message",
        risk="high",
        title="Send a message to {channel}",
        source="builtin",
        impact=_sending,
        preview=_would_send,
    )(send_message)
]
