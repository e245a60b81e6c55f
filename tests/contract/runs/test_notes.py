"""What Signoff writes to the model is marked as such; what people should read is not."""

import pytest

from tests.contract.scenes import free_run
from tests.house import House
from tests.wire import says


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


def test_a_reminder_to_the_model_is_marked_as_for_the_agent(house: House) -> None:
    run = free_run(house, says("I think about it."))
    said = house.get(f"/api/runs/{run['id']}/messages")["items"]
    assert [each["role"] for each in said if each["for_agent"]] == ["system"]
    (note,) = (each for each in said if each["for_agent"])
    assert "without a tool call" in note["text"]
