"""A model may write numbers and depths that JSON, or a database, does not know."""

import pytest

from tests.contract.scenes import free_run
from tests.house import House
from tests.wire import call, says

pytestmark = pytest.mark.both_databases


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_numbers_that_json_does_not_know_are_no_crash(house: House, number: str) -> None:
    arguments = f'{{"current_step": "x", "percentage": {number}}}'
    run = free_run(house, says("", call("report_progress", arguments)))
    assert run["status"] == "completed"
    house.get("/api/runs")
    house.calls(run["id"])


def test_a_bottomless_argument_is_no_crash(house: House) -> None:
    arguments = '{"summary": "x", "output": ' + "[" * 500 + "]" * 500 + "}"
    run = free_run(house, says("", call("complete_task", arguments)))
    assert run["status"] == "completed"
    house.calls(run["id"])
