"""The conversation as the model reads it, kept while a worker has the run: a turn costs the same however long it is.

Pure: rows in, turns out. What a provider's library makes of a turn is kept on it by `client`.
"""

from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from signoff.kit.jsons import JsonObject
from signoff.runs.models import Call, Message
from signoff.runs.states import FINISHED
from signoff.runs.transcript.reading import failed, result_text

# Above this size (characters), results of old calls are cleared; the record keeps them.
COMPACT_OVER = 400_000
KEEP_RESULTS = 8
# When the model itself said that the conversation is too long.
KEEP_IF_FULL = 2
# Marks a call that the model wrote down as a signal.
SIGNAL = "signal:"
# Marks a call that is a step of an approved plan.
PLANNED = "plan:"
CLEARED = "[This result was cleared to save room. Call the tool again if you need it.]"


@dataclass
class ToolResult:
    """The result of a call."""

    tool: str
    tool_call_id: str
    text: str
    failed: bool
    position: int = 0


@dataclass
class Turn:
    """What was said before a reply of the model, the reply, and the results of its calls."""

    number: int
    before: list[str]
    response: JsonObject
    results: list[ToolResult] = field(default_factory=list[ToolResult])
    # What a provider's library made of it, by model: the results before it, what was said, and the reply.
    cached: dict[str, list[Any]] = field(default_factory=dict[str, list[Any]], compare=False, repr=False)


@dataclass(frozen=True)
class Conversation:
    """Every turn so far, and what was said since the last one."""

    turns: list[Turn]
    since: list[str]


def text_of(message: Message) -> str:
    """A person's words, or a note of Signoff's."""
    text = message.text or ""
    return text if message.role == "user" else f"[Note from Signoff] {text}"


class History:
    """Follows a run's rows, which only ever grow: each is looked at until nothing about it can change."""

    def __init__(self) -> None:
        self._turns: list[Turn] = []
        self._said: dict[int, list[str]] = {}
        self._size = 0
        self._rows = self._calls = 0
        self._unread: list[Message] = []
        self._open: list[Call] = []
        self._uncleared: deque[tuple[Turn, ToolResult]] = deque()

    def follow(self, messages: Sequence[Message], calls: Sequence[Call], notes: Sequence[Message]) -> Conversation:
        """Take in what is new, and give the whole. `notes` are of this very turn and not among the messages yet."""
        rows, self._rows = [*self._unread, *messages[self._rows :]], len(messages)
        self._unread = [message for message in rows if not self._take_message(message)]
        called, self._calls = [*self._open, *calls[self._calls :]], len(calls)
        self._open = [call for call in called if not self._take_call(call)]
        since = [text_of(message) for message in (*self._unread, *notes)]
        if self._size + sum(map(len, since)) > COMPACT_OVER:
            self._clear_old()
        return Conversation(self._turns, since)

    def _take_message(self, message: Message) -> bool:
        """False: the model has not read it yet, so its place is still open."""
        if message.turn is None:
            return False
        if message.role == "assistant":
            self._add(Turn(message.turn, self._said.pop(message.turn, []), message.response or {}))
        elif message.role in ("user", "system"):
            self._add_words(message.turn, text_of(message))
        return True

    def _add_words(self, number: int, text: str) -> None:
        """Before the reply that read them, also where another host's clock put their row behind it."""
        turn = self._turn(number)
        if turn is None:
            self._said.setdefault(number, []).append(text)
        else:
            turn.before.append(text)
            turn.cached.clear()
        self._size += len(text)

    def _add(self, turn: Turn) -> None:
        self._turns.append(turn)
        if len(self._turns) > 1 and self._turns[-2].number > turn.number:
            # Another worker's clock went ahead of ours: the number counts, not the time.
            self._turns.sort(key=lambda each: each.number)

    def _take_call(self, call: Call) -> bool:
        if call.status not in FINISHED:
            return False
        turn = self._turn(call.turn)
        # A signal was written, and a plan's step executed for the model: no provider expects a result for them.
        if turn is None or call.tool_call_id.startswith((SIGNAL, PLANNED)):
            return True
        result = ToolResult(call.tool, call.tool_call_id, result_text(call), failed(call), call.position)
        turn.results.append(result)
        turn.results.sort(key=lambda each: each.position)
        self._size += len(result.text)
        self._uncleared.append((turn, result))
        return True

    def _turn(self, number: int) -> Turn | None:
        index = bisect_left(self._turns, number, key=lambda each: each.number)
        found = self._turns[index] if index < len(self._turns) else None
        return found if found is not None and found.number == number else None

    def _clear_old(self) -> None:
        while len(self._uncleared) > KEEP_RESULTS:
            turn, result = self._uncleared.popleft()
            result.text = CLEARED
            # Results are sent with the turn after their own.
            index = bisect_left(self._turns, turn.number + 1, key=lambda each: each.number)
            if index < len(self._turns):
                self._turns[index].cached.clear()


def shortened(conversation: Conversation) -> Conversation | None:
    """With nearly all results cleared, for a model that says it is too long. None: there is nothing left to clear."""
    results = [result for turn in conversation.turns for result in turn.results]
    old = {id(result) for result in results[:-KEEP_IF_FULL] if result.text != CLEARED}
    if not old:
        return None
    turns = [
        replace(
            turn,
            results=[replace(each, text=CLEARED) if id(each) in old else each for each in turn.results],
            cached={},
        )
        for turn in conversation.turns
    ]
    return Conversation(turns, conversation.since)
