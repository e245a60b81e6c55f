"""A decision that waits a moment before it is sent, so that it can be taken back."""

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

from signoff.cli.api_client import Api, Failure, path
from signoff.cli.dialog.similar_asks import answer_all, fits_all
from signoff.cli.terminal.screen import plain, say_lines
from signoff.kit.jsons import JsonObject

UNDO_SECONDS = 5.0
# What the server must look at first: whoever wrote it wants to hear of a mistake at once.
CHECKED = ("form", "number")


@dataclass(frozen=True)
class Decision:
    """One answer to an ask, and to others that are alike."""

    ask: JsonObject
    body: JsonObject
    others: list[JsonObject]
    due: float
    key: str = field(default_factory=lambda: str(uuid.uuid4()))

    @property
    def ids(self) -> set[str]:
        return {self.ask["id"], *(each["id"] for each in self.others)}


def can_wait(ask: JsonObject, body: JsonObject) -> bool:
    return fits_all(body) and ask.get("response_type") not in CHECKED


class PendingDecision:
    """The last decision. It is sent when its time is over, when the next one is taken, or when the person leaves."""

    def __init__(self, api: Api, answered: set[str], now: Callable[[], float] = time.monotonic) -> None:
        """`answered` loses the ids of what the server did not take: they come again."""
        self._api, self._answered, self._now = api, answered, now
        self._decision: Decision | None = None
        self._lines = list[str]()
        self.sending = False

    @property
    def decision(self) -> Decision | None:
        return self._decision

    @property
    def is_due(self) -> bool:
        return self._decision is not None and self._now() >= self._decision.due

    def hold(self, ask: JsonObject, body: JsonObject, others: list[JsonObject]) -> None:
        self.send()
        self._decision = Decision(ask, body, others, self._now() + UNDO_SECONDS)
        self._answered |= self._decision.ids

    def take_back(self) -> Decision | None:
        """The decision as if it had never been taken; None when it was sent already."""
        taken, self._decision = self._decision, None
        if taken is not None:
            self._answered -= taken.ids
        return taken

    def send(self) -> None:
        """Bring it to the server, and keep what there is to say until somebody can read it."""
        decision, self._decision = self._decision, None
        if decision is None:
            return
        self.sending = True
        try:
            self._api.post(path("asks", decision.ask["id"], "answer"), decision.body, key=decision.key)
            if decision.others:
                took = answer_all(self._api, decision.others, decision.body, shown=True, tell=self._lines.append)
                self._answered -= {each["id"] for each in decision.others} - set(took)
        except Failure as failure:
            self._answered -= decision.ids
            self._lines.append(f"[red]✗[/] Not accepted: {plain(decision.ask['title'])}: {plain(failure.message)}")
        finally:
            self.sending = False

    def tell(self) -> None:
        """What came of those that were sent."""
        lines, self._lines = self._lines, []
        say_lines(lines)
