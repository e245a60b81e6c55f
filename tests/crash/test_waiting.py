"""Death while a person thinks, and in the very moment of the answer."""

import signal
from datetime import datetime, timedelta
from typing import Literal

import httpx
import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.asks.answers.outcome import Answer
from signoff.asks.deadlines.timing import set_deadline
from signoff.asks.effects.attendance import GAP, NOT_SEEN
from signoff.asks.effects.models import THE_ROW, Attendance
from signoff.asks.effects.windows import note_reached
from signoff.asks.models import Ask
from signoff.kit.clock import now
from signoff.rules import actions as rules
from tests.crash.scene import PATIENCE, STORY, Scene
from tests.house import until
from tests.wire import fails


@pytest.fixture
def waiting(scene: Scene) -> str:
    """A run that waits for approval of its charge; the worker that brought it there is dead."""
    run = scene.story(risk_overrides={"charge": "approval_required"})
    life = scene.life()
    scene.ask(run)
    life.send(signal.SIGKILL)
    life.died()
    return run


def test_a_death_while_waiting_changes_nothing(scene: Scene, waiting: str) -> None:
    before = scene.rows(waiting)
    scene.life().up()
    assert scene.rows(waiting) == before
    scene.answer(scene.ask(waiting), Answer("approve"))
    scene.right(waiting)
    assert scene.charged == ["c"]
    assert scene.requests() == [1, 1, 1]


def test_an_answer_given_while_no_worker_lives_is_acted_on_by_the_next(scene: Scene, waiting: str) -> None:
    scene.answer(scene.ask(waiting), Answer("approve", arguments={"item": "less"}))
    scene.life()
    scene.right(waiting)
    assert scene.charged == ["less"]


@pytest.mark.parametrize(("place", "status"), [("committing", "pending"), ("committed", "approved")])
def test_an_answer_is_there_wholly_or_not_at_all(
    scene: Scene, waiting: str, place: Literal["committing", "committed"], status: str
) -> None:
    ask = scene.ask(waiting)
    before = scene.rows(waiting)
    victim = scene.life(place).up()
    with pytest.raises(httpx.TransportError):
        victim.client.post(f"/api/asks/{ask.id}/answer", json={"decision": "approve"})
    victim.died()
    assert (scene.rows(waiting) == before) == (status == "pending")
    assert [each.status for each in scene.asks(waiting)] == ["pending"] * (status == "pending")
    survivor = scene.life().up()
    again = survivor.client.post(f"/api/asks/{ask.id}/answer", json={"decision": "approve"})
    assert again.status_code == (200 if status == "pending" else 409)
    scene.right(waiting)
    assert scene.charged == ["c"]
    assert scene.answered(ask) == 1


def test_a_worker_killed_right_after_taking_an_answer_does_not_lose_it(scene: Scene, waiting: str) -> None:
    scene.answer(scene.ask(waiting), Answer("approve"))
    scene.life("prepare").died()
    scene.life()
    scene.right(waiting)
    assert scene.charged == ["c"]


@pytest.mark.both_databases
def test_a_death_between_the_last_try_of_a_model_and_the_ask_asks_once(scene: Scene) -> None:
    run = scene.start(scene.agent("story", *STORY[:2], *[fails(503)] * 8, STORY[2]))
    scene.life("unanswered").died()
    assert scene.asks(run) == []
    scene.life()
    ask = scene.ask(run)
    assert ask.kind == "recovery"
    scene.answer(ask, Answer("respond", value="retry"))
    scene.right(run)
    assert scene.charged == ["c"]
    assert scene.requests() == [1, 1, 9]


WINDOW = """
checkpoints:
  - name: Let it run
    trigger: {tool: charge}
    action: {timeout_seconds: 1, on_timeout: approve, allow_irreversible: true}
"""


@pytest.fixture
def windowed(scene: Scene) -> str:
    """A run whose charge runs unless somebody objects; its worker died after it had asked."""
    scene.db.write(lambda session: rules.save(session, scene.actor, WINDOW))
    run = scene.story()
    life = scene.life()
    ask = scene.ask(run)
    life.send(signal.SIGKILL)
    life.died()
    scene.db.write(lambda session: note_reached(session, ask.id, None))
    return run


@pytest.mark.parametrize(
    "place", ["", *(pytest.param(each, marks=pytest.mark.slow) for each in ("committing", "committed"))]
)
def test_a_veto_window_ends_once_though_workers_died_in_it_and_in_its_end(
    scene: Scene, windowed: str, place: str
) -> None:
    if place:
        scene.life(place).died()
    scene.life()
    scene.right(windowed)
    assert scene.charged == ["c"]


@pytest.mark.slow
def test_an_objection_made_while_no_worker_lives_wins_over_the_end_of_the_window(scene: Scene, windowed: str) -> None:
    ask = scene.ask(windowed)
    scene.answer(ask, Answer("deny", note="Not today"))
    until(lambda: ask.deadline is not None and now() > ask.deadline, PATIENCE)
    scene.life()
    scene.ended(windowed)
    assert scene.charged == []
    assert scene.answered(ask) == 1


def test_nothing_runs_by_itself_because_the_server_was_away_when_its_time_ran_out(scene: Scene) -> None:
    scene.db.write(lambda session: rules.save(session, scene.actor, WINDOW.replace(" 1,", " 40,")))
    run, other = scene.story(), scene.start(scene.agent("other", *STORY))
    life = scene.life().up()
    asks = [scene.ask(each) for each in (run, other)]
    for ask in asks:
        scene.db.write(lambda session, ask=ask: note_reached(session, ask.id, None))
    until(lambda: scene.db.read(seen_at) > now() - GAP, PATIENCE)
    life.send(signal.SIGKILL)
    life.died()
    scene.db.write(a_minute_goes_by)
    assert all(each.deadline and each.deadline < now() for each in scene.asks())
    back = scene.life().up()
    denied = [back.client.post(f"/api/asks/{ask.id}/answer", json={"decision": "deny"}) for ask in asks]
    assert [each.status_code for each in denied] == [200, 200]
    for each in (run, other):
        scene.ended(each)
    assert scene.charged == []


def seen_at(session: Session) -> datetime:
    return session.scalar(select(Attendance.seen_at)) or NOT_SEEN


def a_minute_goes_by(session: Session) -> None:
    """For the windows: whatever they go by is a minute further back."""
    minute = timedelta(minutes=1)
    for ask in session.scalars(select(Ask).where(Ask.deadline.is_not(None))):
        set_deadline(ask, ask.deadline and ask.deadline - minute)
        ask.due_at = ask.deadline
    session.get_one(Attendance, THE_ROW).seen_at -= minute
