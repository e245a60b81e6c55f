"""Every way a run can end is one function: what it leaves behind is the same, whoever ends it."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.audit.models import AuditEntry
from signoff.claims.actions import Claim, LostClaim, claim_ready
from signoff.deliverables.models import Deliverable
from signoff.kit import clock
from signoff.kit.db.database import Database
from signoff.kit.db.events import Event
from signoff.runs import actions
from signoff.runs.calls import finish_call, save_calls
from signoff.runs.ending import CANCELLED, COMPLETED, COMPLETED_BY_USER, Ending, end
from signoff.runs.models import Run
from signoff.runs.states import ENDED, CallStatus, IllegalMove, Reason, RunStatus
from signoff.runs.worker.fenced_writes import Release, write_run
from tests.runs.builders import LEASE, Scene, add_draft, scene_in

S, R = RunStatus, Reason
ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"])

# What ends a run → how, by whom, and what becomes of its drafts.
BY_WORKER = {
    "the agent completes": (COMPLETED, "final"),
    "steps are used up": (Ending(S.TIMEOUT, R.MAX_ITERATIONS, {"message": "m"}), "draft"),
    "time is used up": (Ending(S.TIMEOUT, R.MAX_DURATION, {"message": "m"}), "draft"),
    "money is used up": (Ending(S.TIMEOUT, R.MAX_COST, {"message": "m"}), "draft"),
    "a person rejects for good": (Ending(S.CANCELLED, R.REJECTED, {"message": "m"}), "draft"),
    "an ask expires and cancels": (Ending(S.CANCELLED, R.ASK_EXPIRED, {"message": "m"}), "draft"),
    "an ask expires and fails": (Ending(S.FAILED, R.ASK_EXPIRED, {"message": "m"}), "draft"),
    "the model or we fail": (Ending(S.FAILED, R.ERROR, {"message": "m"}), "draft"),
}
BY_PERSON = {"a person cancels": (CANCELLED, "draft"), "a person completes": (COMPLETED_BY_USER, "final")}
# What a run leaves open gets an end that says what is known; what had one keeps it.
CLOSED = {
    "proposed": "failed",
    "waiting": "denied",
    "approved": "failed",
    "started": "unknown",
    "succeeded": "succeeded",
    "failed": "failed",
    "denied": "denied",
    "unknown": "unknown",
}
AS_IT_WAS = {status.value: status.value for status in CallStatus}


@pytest.fixture
def scene(db: Database) -> Scene:
    return scene_in(db)


@ON_SQLITE
@pytest.mark.parametrize("way", BY_WORKER)
def test_an_end_by_the_worker_closes_everything(scene: Scene, way: str) -> None:
    ending, drafts = BY_WORKER[way]
    scene.db.write(lambda s: end(s, scene.claim, s.get_one(Run, scene.run_id), ending))
    _assert_ended(scene, ending, drafts, CLOSED)
    assert (scene.run().error, _audited(scene)) == (ending.error, ["run.ended"])
    assert _settled_by(scene) == {"signoff"}


@ON_SQLITE
@pytest.mark.parametrize("way", BY_PERSON)
def test_an_end_by_a_person_closes_everything_where_nobody_works_on_the_run(scene: Scene, way: str) -> None:
    ending, drafts = BY_PERSON[way]
    scene.release()
    scene.db.write(_person_ends(scene, ending))
    _assert_ended(scene, ending, drafts, CLOSED)
    assert _audited(scene) == [f"run.{ending.status.value}"]
    assert _settled_by(scene) == {"ada"}


@ON_SQLITE
@pytest.mark.parametrize("way", BY_PERSON)
def test_while_a_worker_holds_it_the_calls_of_a_run_that_a_person_ends_are_that_workers(scene: Scene, way: str) -> None:
    ending, drafts = BY_PERSON[way]
    scene.db.write(_person_ends(scene, ending))
    assert (scene.calls(), scene.statuses(Ask)) == (AS_IT_WAS, ["cancelled", "cancelled"])
    ran = scene.call("started")

    def store(session: Session) -> None:
        run = session.get_one(Run, scene.run_id)
        write_run(session, scene.claim, run)
        finish_call(session, run, ran, CallStatus.SUCCEEDED, result="sent")
        save_calls(session, [ran])

    scene.db.write(store)
    assert scene.calls() == AS_IT_WAS | {"started": "succeeded"}
    scene.db.write(lambda s: write_run(s, scene.claim, run := s.get_one(Run, scene.run_id), release=Release(run.wakes)))
    _assert_ended(scene, ending, drafts, CLOSED | {"started": "succeeded"})


@ON_SQLITE
@pytest.mark.parametrize("last", ["goes on", "ends"])
def test_what_a_worker_hands_over_after_a_person_completed_the_run_is_final_too(scene: Scene, last: str) -> None:
    scene.db.write(_person_ends(scene, COMPLETED_BY_USER))

    def store(session: Session) -> None:
        run = session.get_one(Run, scene.run_id)
        add_draft(session, run, "appendix")
        if last == "ends":
            end(session, scene.claim, run, COMPLETED)
        else:
            write_run(session, scene.claim, run, release=Release(run.wakes))

    scene.db.write(store)
    assert sorted(scene.statuses(Deliverable)) == ["draft", "final", "final"]


@ON_SQLITE
def test_if_that_worker_died_another_one_closes_what_it_left(scene: Scene) -> None:
    scene.db.write(_person_ends(scene, CANCELLED))
    later = clock.now() + 2 * LEASE
    (claim,) = scene.db.write(
        lambda s: [each for each in claim_ready(s, "another", later, LEASE, 9) if each.run_id == scene.run_id]
    )
    scene.db.write(lambda s: write_run(s, claim, run := s.get_one(Run, scene.run_id), release=Release(run.wakes)))
    _assert_ended(scene, CANCELLED, "draft", CLOSED)
    again = scene.db.write(lambda s: claim_ready(s, "third", later + timedelta(days=1), LEASE, 9))
    assert scene.run_id not in {each.run_id for each in again}


@ON_SQLITE
@pytest.mark.parametrize("status", [status for status in S if status not in ENDED])
@pytest.mark.parametrize("by_person", [True, False])
def test_whatever_has_not_ended_can_be_ended(db: Database, status: RunStatus, by_person: bool) -> None:
    scene = scene_in(db, status.value)
    by = scene.person if by_person else scene.claim
    db.write(lambda s: end(s, by, s.get_one(Run, scene.run_id), CANCELLED))
    assert scene.run().status == "cancelled"


@ON_SQLITE
@pytest.mark.parametrize("status", sorted(ENDED))
def test_the_first_end_counts(db: Database, status: RunStatus) -> None:
    scene = scene_in(db, status.value)
    with pytest.raises(IllegalMove):
        db.write(_person_ends(scene, COMPLETED_BY_USER))
    assert scene.run().owner == "worker"
    db.write(lambda s: end(s, scene.claim, s.get_one(Run, scene.run_id), COMPLETED))
    run = scene.run()
    assert (run.status, run.completion_reason, run.owner, run.wake_at) == (status.value, None, None, None)
    assert (_emitted(scene, "run.ended"), _audited(scene)) == (0, [])
    # Whatever the worker had opened in the same step is closed with it.
    assert (scene.calls(), scene.statuses(Ask)) == (CLOSED, ["cancelled", "cancelled"])


@ON_SQLITE
def test_a_worker_without_the_claim_ends_nothing(scene: Scene) -> None:
    stale = Claim(scene.run_id, "worker", scene.claim.fence - 1)
    with pytest.raises(LostClaim):
        scene.db.write(lambda s: end(s, stale, s.get_one(Run, scene.run_id), COMPLETED))
    assert (scene.run().status, scene.calls()) == ("running", AS_IT_WAS)


@pytest.mark.parametrize("first", ["person", "worker", "both at once"])
def test_a_person_and_the_worker_end_it_at_once_and_one_end_counts(db: Database, first: str) -> None:
    for _ in range(6):
        scene = scene_in(db)
        ways: dict[str, Callable[[Session], None]] = {
            "person": _person_ends(scene, CANCELLED),
            "worker": lambda s, it=scene: end(s, it.claim, s.get_one(Run, it.run_id), COMPLETED),
        }
        refused = _race(db, ways, first)
        run = scene.run()
        won_by_worker = run.status == "completed"
        assert refused == ({"person"} if won_by_worker else set())
        assert first == "both at once" or won_by_worker == (first == "worker")
        ending = COMPLETED if won_by_worker else CANCELLED
        _assert_ended(scene, ending, "final" if won_by_worker else "draft", CLOSED)
        assert _audited(scene) == ["run.ended" if won_by_worker else "run.cancelled"]


def _race(db: Database, ways: dict[str, Callable[[Session], None]], first: str) -> set[str]:
    """Who was refused."""
    ready, refused = threading.Barrier(2), set[str]()

    def go(name: str) -> None:
        if first == "both at once":
            ready.wait()
        try:
            db.write(ways[name])
        except IllegalMove:
            refused.add(name)

    order = sorted(ways, key=lambda name: name != first)
    threads = [threading.Thread(target=go, args=(name,)) for name in order]
    for thread in threads:
        thread.start()
        if first != "both at once":
            thread.join()
    for thread in threads:
        thread.join()
    return refused


def _person_ends(scene: Scene, ending: Ending) -> Callable[[Session], None]:
    act = actions.cancel if ending is CANCELLED else actions.complete
    return lambda s: act(s, scene.person, s.get_one(Run, scene.run_id))


def _assert_ended(scene: Scene, ending: Ending, drafts: str, calls: dict[str, str]) -> None:
    run = scene.run()
    assert (run.status, run.completion_reason) == (ending.status.value, ending.reason.value)
    assert run.ended_at is not None
    assert (run.owner, run.lease_until) == (None, None)
    assert scene.calls() == calls
    assert scene.statuses(Ask) == ["cancelled", "cancelled"]
    # Only the newest version was to be handed over.
    assert scene.statuses(Deliverable) == ["draft", drafts]
    counts = {"run.status": 1, "run.ended": 1, "ask.settled": 2, "call.finished": 3 + (calls["started"] == "succeeded")}
    assert {type_: _emitted(scene, type_) for type_ in counts} == counts
    # Its parent waited for it; its children go on.
    assert scene.run(scene.parent_id).wake_at is not None
    assert scene.run(scene.child_id).status == "queued"


def _emitted(scene: Scene, type_: str) -> int:
    query = select(Event.position).where(Event.run_id == scene.run_id, Event.type == type_)
    return len(scene.db.read(lambda s: s.scalars(query).all()))


def _audited(scene: Scene) -> list[str]:
    query = select(AuditEntry.action).where(AuditEntry.run_id == scene.run_id, AuditEntry.subject == scene.run_id)
    return [action for action in scene.db.read(lambda s: s.scalars(query).all()) if action != "run.started"]


def _settled_by(scene: Scene) -> set[str | None]:
    query = select(Ask.settled_by).where(Ask.run_id == scene.run_id)
    return set(scene.db.read(lambda s: s.scalars(query).all()))
