"""What a call would do, as its tool states it: within a moment, and not known if that takes longer or fails."""

import logging
import time
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import TypeAlias

from signoff.kit.jsons import JsonObject
from signoff.policy.impact import NOT_KNOWN, Impact, checked
from signoff.tools.threads import ToolThreads

log = logging.getLogger(__name__)
# The arguments and the run's folder, which may not exist yet.
ImpactFunction: TypeAlias = Callable[[JsonObject, Path], Impact]
# Whoever judges holds a transaction meanwhile.
SECONDS = 0.25
# One that hangs keeps its thread for good; when all hang, nothing is known any more, and no tool lacks a thread.
_THREADS = ToolThreads(most=8)


class Statements:
    """What the tools of one run state during one judgement, all of them together within the time that there is."""

    def __init__(self, folder: Path, seconds: float = SECONDS) -> None:
        self._folder = folder
        self._left = seconds

    def ask(self, function: ImpactFunction, arguments: JsonObject) -> Impact:
        """The impact of these arguments."""
        began = time.monotonic()
        try:
            return checked(_THREADS.run_within(self._left, function, deepcopy(arguments), self._folder))
        except Exception as error:  # noqa: BLE001 - whatever a tool's own function does
            log.info("%s did not state its impact: %r", getattr(function, "__qualname__", function), error)
            return NOT_KNOWN
        finally:
            self._left = max(0.0, self._left - (time.monotonic() - began))
