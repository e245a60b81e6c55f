"""What there is to choose from where an ask is answered outside the app: by the same numbers there and back."""

from typing import Any

from signoff.asks.models import Ask
from signoff.channels.messages import words
from signoff.channels.port import Choice

# Of these the words are ours: an agent that names them could call yes "Refuse".
YES_OR_NO = ("boolean", "approval")


def offered(ask: Ask) -> list[tuple[Choice, Any]]:
    """Each choice with the value that it stands for; empty: the answer is written, not chosen."""
    if ask.response_type in YES_OR_NO:
        yes, no = yes_or_no(ask)
        return [(Choice(0, yes), True), (Choice(1, no), False)]
    if ask.response_type != "choice":
        return []
    return [(_choice(number, each), each["value"]) for number, each in enumerate(ask.options or ())]


def yes_or_no(ask: Ask) -> tuple[str, str]:
    """What people press for true, and for false."""
    return ("Approve", "Refuse") if ask.response_type == "approval" or ask.asks_approval else ("Yes", "No")


def _choice(number: int, option: dict[str, Any]) -> Choice:
    return Choice(number, words.title(str(option["label"])), words.title(option.get("description") or ""))
