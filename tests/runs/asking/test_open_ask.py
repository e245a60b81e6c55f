"""What a run asks, and what others ask about it, is opened at one door, which says how many may wait."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

import signoff
from signoff.asks.models import Ask
from signoff.kit import clock
from signoff.kit.db.database import Database
from signoff.kit.settings import Settings
from signoff.runs.asking.ask_limit import ask_limit_error
from signoff.runs.models import Call, Run
from tests.fresh import settings_for
from tests.house import House, until
from tests.runs.rows import add_run
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


def test_outside_questions_have_room_and_an_hour_of_their_own(house: House) -> None:
    till = a_till(house)
    model = house.model.script("m", says("", pay("ann")), DONE)
    run = house.start(house.agent("m", model, "pay"))
    own = waits_for(house, run, "approval")
    path, asked = f"/api/jobs/{run}/questions", {"question": "Which one?", "type": "blocking", "responseType": "text"}
    first = house.post(path, asked, 201)
    assert "are open already" in house.client.post(path, json=asked).json()["detail"]
    house.answer(first, "respond", value="this one")
    # Nothing from outside waits, but somebody asked once already.
    refused = house.client.post(path, json=asked)
    assert refused.status_code == 429
    assert "within an hour" in refused.json()["detail"]
    house.answer(own)
    assert house.ended(run)["status"] == "completed"
    assert till.begun == ["ann"]


def test_what_others_ask_takes_nothing_of_the_agents_room(db: Database, settings: Settings) -> None:
    def errors(session: Session) -> list[str | None]:
        run = add_run(session, "r")
        # Whether a question that did not block is open still, only the rows know.
        made = [
            Call(
                id="c",
                run_id=run.id,
                tool="ask_question",
                ask_id="own",
                status="succeeded",
                created_at=clock.now() - timedelta(hours=2),
            )
        ]
        row = {"workspace_id": run.workspace_id, "run_id": run.id, "kind": "question", "agent": "a", "run_title": "r"}
        session.add(Ask(**row, title="theirs", asked_by=["bob@example.org"]))
        session.flush()
        before = ask_limit_error(session, settings, run.id, made)
        session.add(Ask(**row, id="own", title="own"))
        session.flush()
        return [before, ask_limit_error(session, settings, run.id, made)]

    allowed, refused = db.write(errors)
    assert allowed is None
    assert refused is not None
    assert "1 asks of this run wait" in refused
