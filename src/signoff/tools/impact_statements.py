"""What a call would do, as its tool states it: within a moment, and the gravest if that takes longer or fails."""

import logging
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from signoff.kit.jsons import JsonObject, digest
from signoff.policy.impact import UNANSWERED, Impact, checked
from signoff.tools.threads import ToolThreads

log = logging.getLogger(__name__)
# The arguments and the run's folder, which may not exist yet.
ImpactFunction: TypeAlias = Callable[[JsonObject, Path], Impact]
# Whoever judges waits for it, sometimes with a transaction open.
SECONDS = 0.25
# One that hangs keeps its thread for good; when all hang, nobody answers any more, and no tool lacks a thread.
_THREADS = ToolThreads(most=8)


@dataclass(frozen=True)
class Statements:
    """What the tools of one run state. Each call has the whole time, so none can use up another's."""

    folder: Path
    seconds: float = field(default_factory=lambda: SECONDS)
    # What was stated ahead, by the function and its arguments.
    known: dict[tuple[ImpactFunction, str], Impact] = field(default_factory=dict[tuple[ImpactFunction, str], Impact])

    def of(self, function: ImpactFunction, arguments: JsonObject) -> Impact:
        """The impact of these arguments; without an answer they count as the gravest."""
        known = self.known.get((function, digest(arguments))) if self.known else None
        return known or self._stated(function, arguments)

    def prepare(self, calls: Iterable[tuple[ImpactFunction, JsonObject]]) -> None:
        """Have stated now what is needed later, when there is no time to wait for a tool."""
        for function, arguments in calls:
            self.known[function, digest(arguments)] = self._stated(function, arguments)

    def _stated(self, function: ImpactFunction, arguments: JsonObject) -> Impact:
        try:
            return checked(_THREADS.run_within(self.seconds, function, deepcopy(arguments), self.folder))
        except Exception as error:  # noqa: BLE001 - whatever a tool's own function does
            log.warning("%s did not state its impact: %r", getattr(function, "__qualname__", function), error)
            return UNANSWERED
