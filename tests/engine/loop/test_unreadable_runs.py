"""A run whose rows cannot be read fails with the reason, instead of being taken up for ever."""

import pytest
from sqlalchemy.orm import Session

from signoff.catalog.models import AgentRevision
from signoff.runs.models import Run
from tests.contract.scenes import waiting
from tests.house import House


@pytest.mark.parametrize("kind", ["sqlite"])
def test_a_run_whose_agent_cannot_be_read_fails(house: House) -> None:
    run_id, ask = waiting(house)

    def spoil(session: Session) -> None:
        run = session.get_one(Run, run_id)
        named = {"workspace_id": run.workspace_id, "slug": "spoilt", "revision": 1, "created_by": "nobody"}
        session.add(AgentRevision(id="spoilt", definition={"model": 5}, **named))
        session.flush()
        run.revision_id = "spoilt"

    house.parts.db.write(spoil)
    house.answer(ask)
    run = house.ended(run_id)
    assert (run["status"], run["completion_reason"]) == ("failed", "error")
    assert "Signoff itself failed" in run["error"]["message"]
    assert [call["status"] for call in house.calls(run_id)] == ["denied"]
