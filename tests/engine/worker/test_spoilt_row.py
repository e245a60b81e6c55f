"""A run whose row cannot be read keeps nobody else from being worked on."""

from sqlalchemy import text

from tests.house import House
from tests.wire import call, says


def test_a_spoilt_run_that_is_queued_does_not_stop_the_others(house: House) -> None:
    model = house.model.script("worker", says("", call("complete_task", {"summary": "done"})))
    agent = house.agent("worker", model)
    spoilt = house.start(agent)
    house.ended(spoilt)
    spoil = text("UPDATE runs SET status = 'queued', phase = 'unheard of', started_at = NULL, ended_at = NULL, ")
    wake = text(f"{spoil} wake_at = '2020-01-01 00:00:00.000000', owner = NULL, lease_until = NULL WHERE id = :id")
    house.parts.db.write(lambda session: session.execute(wake, {"id": spoilt}))
    house.model.script("other", says("", call("complete_task", {"summary": "done"})))
    assert house.ended(house.start(agent))["status"] == "completed"
