"""What a run asks, and what others ask about it, is opened at one door, which says how many may wait."""

import re
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

import signoff
from signoff.kit.settings import Settings
from signoff.runs.models import Run
from tests.fresh import settings_for
from tests.house import House, until
from tests.security.till import a_till, pay, waits_for
from tests.wire import DONE, fails, says

SOURCE = Path(signoff.__file__).parent
DOOR = "runs/asking/open_ask.py"


@pytest.fixture
def kind() -> str:
    return "sqlite"


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    """A run may ask once in an hour, and no more."""
    return settings_for(database_url, tmp_path).model_copy(update={"max_open_asks": 1, "max_asks_per_hour": 1})


def test_asks_are_opened_at_this_door_alone() -> None:
    opens = re.compile(r"\.open_ask\(|asks\.actions import .*open_ask")
    callers = {path for path in SOURCE.rglob("*.py") if opens.search(path.read_text())}
    assert {path.relative_to(SOURCE).as_posix() for path in callers} == {DOOR}


def _rests(session: Session, run_id: str) -> bool:
    run = session.get_one(Run, run_id)
    return run.owner is None and run.wake_at is None


def test_what_the_run_cannot_go_on_without_is_asked_however_often_it_asked_before(house: House) -> None:
    till = a_till(house)
    till.fails("ann", ConnectionError("the line broke"))
    model = house.model.script("m", says("", pay("ann"), pay("bob")), fails(401, "bad key"), DONE)
    run = house.start(house.agent("m", model, "pay"))
    # Of the two payments one is asked for; the other would be one ask too many.
    house.answer(waits_for(house, run, "approval"))
    unknown = waits_for(house, run, "recovery")
    assert unknown["tool"] == "pay"
    assert "not allowed" in str(next(each for each in house.calls(run) if each["arguments"]["to"] == "bob")["error"])
    house.answer(unknown, "respond", value="done")
    refused = house.until(lambda: next((each for each in house.asks(run) if each["tool"] is None), None))
    # Whoever speaks to the run wakes it: what it waits for is asked once.
    house.post(f"/api/runs/{run}/messages", {"text": "Are you there?"}, status=201)
    until(lambda: house.parts.db.read(lambda session: _rests(session, run)))
    assert [ask["id"] for ask in house.asks(run)] == [refused["id"]]
    house.answer(refused, "respond", value="retry")
    assert house.ended(run)["status"] == "completed"
    assert house.get(f"/api/runs/{run}/asks")["total"] == 3


def test_an_outside_question_counts_against_the_hour_of_its_run(house: House) -> None:
    till = a_till(house)
    gate = till.holds("ann")
    model = house.model.script("m", says("", pay("ann")), DONE)
    run = house.start(house.agent("m", model, "pay"))
    house.answer(waits_for(house, run, "approval"))
    until(lambda: "ann" in till.begun)
    # Nothing of it waits, but it asked once already.
    asked = {"question": "Which one?", "type": "blocking", "responseType": "text"}
    refused = house.client.post(f"/api/jobs/{run}/questions", json=asked)
    gate.set()
    assert refused.status_code == 429
    assert "within an hour" in refused.json()["detail"]
