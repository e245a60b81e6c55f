"""An end that comes late counts as long as nobody's word was acted on."""

import pytest

from signoff.catalog.schemas import AgentDefinition
from signoff.claims.actions import Claim
from signoff.engine.calls.unknown_results import ended_late
from signoff.engine.claimed_run import ClaimedRun
from signoff.kit.jsons import JsonObject
from signoff.runs.models import Run
from signoff.runs.states import CallStatus
from signoff.tools.registry import Registry
from tests.runs.builders import new_call

S = CallStatus


def is_late(status: CallStatus, late: JsonObject | None) -> bool:
    call = new_call("run", status, 0)
    call.attempt, call.late = 1, late
    definition = AgentDefinition(name="a", model="demo:a")
    claim, run = Claim("run", "w", 1), Run(id="run")
    return ended_late(ClaimedRun(claim, run, definition, Registry([]), [], [call], {})) == [call]


@pytest.mark.parametrize("status", S)
def test_the_truth_comes_before_a_start_and_before_anybodys_guess(status: CallStatus) -> None:
    assert is_late(status, {"attempt": 1, "status": "succeeded"}) == (status in {S.STARTED, S.UNKNOWN, S.APPROVED})


@pytest.mark.parametrize("late", [None, {"attempt": 1, "status": "unknown"}, {"attempt": 2, "status": "succeeded"}])
def test_what_is_not_known_or_of_another_attempt_is_no_end(late: JsonObject | None) -> None:
    assert not is_late(S.UNKNOWN, late)
