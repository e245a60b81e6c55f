"""A run that takes its worker down again and again: after the third time nobody works on it before a person said so."""

from datetime import timedelta

from signoff.asks.answers.outcome import Answer
from signoff.claims import actions as claims
from signoff.kit.clock import now
from tests.crash.scene import STORY, Scene

LEASE = timedelta(seconds=60)


def _take_down(scene: Scene, times: int, place: str) -> None:
    for _ in range(times):
        scene.life(place).died()


def test_a_run_that_took_its_worker_down_three_times_is_set_aside_with_an_ask(scene: Scene) -> None:
    run = scene.story()
    _take_down(scene, 3, "streaming")
    # It would meet its fate once more if anybody worked on it.
    survivor = scene.life("streaming").up()
    ask = scene.ask(run)
    assert (ask.kind, ask.title) == ("recovery", "This run crashed its worker 3 times")
    assert [option["value"] for option in ask.options or []] == ["retry", "skip"]
    assert scene.run(run).status == "waiting_input"
    assert (len(scene.model.asked("story")), survivor.alive) == (3, True)
    survivor.leave()
    scene.life()
    scene.answer(ask, Answer("respond", value="retry"))
    scene.right(run)
    assert scene.charged == ["c"]


def test_giving_up_on_a_run_that_was_set_aside_fails_it(scene: Scene) -> None:
    run = scene.story()
    _take_down(scene, 3, "model")
    scene.life()
    scene.answer(scene.ask(run), Answer("respond", value="skip"))
    ended = scene.ended(run)
    assert (ended.status, ended.completion_reason) == ("failed", "error")
    assert scene.model.asked("story") == []


def test_a_tried_again_run_that_kills_three_more_workers_is_set_aside_again(scene: Scene) -> None:
    run = scene.story()
    _take_down(scene, 3, "model")
    doomed = scene.life("model")
    first = scene.ask(run)
    scene.answer(first, Answer("respond", value="retry"))
    doomed.died()
    _take_down(scene, 2, "model")
    scene.life()
    again = scene.ask(run)
    assert (again.kind, again.id == first.id) == ("recovery", False)


def test_deaths_with_something_stored_between_them_do_not_count(scene: Scene) -> None:
    run = scene.story()
    _take_down(scene, 3, "stored")
    scene.life()
    scene.right(run)


def test_a_worker_that_is_told_to_leave_was_not_taken_down(scene: Scene) -> None:
    run = scene.story()
    for _ in range(3):
        life = scene.life("model", fate="hang")
        life.said("hangs at model")
        life.leave()
    assert scene.run(run).falls == 0
    scene.life()
    scene.right(run)


def test_a_last_try_is_made_alone_so_that_others_are_not_blamed(scene: Scene) -> None:
    agent = scene.agent("many", STORY[-1])
    first, second = scene.start(agent), scene.start(agent)
    for owner in ("a", "b"):
        taken = scene.db.write(lambda s, owner=owner: claims.claim_ready(s, owner, now(), LEASE, 9))
        assert {claim.run_id for claim in taken} == {first, second}
        scene.db.write(lambda s, owner=owner: claims.free_dead(s, owner))
    assert scene.db.write(lambda s: claims.claim_ready(s, "c", now(), LEASE, 9)) == []
    [alone] = scene.db.write(lambda s: claims.claim_ready(s, "c", now(), LEASE, 1, last_try=True))
    assert scene.db.read(lambda s: claims.has_last_try(s, alone))
    scene.db.write(lambda s: claims.free_dead(s, "c"))
    scene.life()
    ask = scene.ask(alone.run_id)
    assert ask.kind == "recovery"
    other = second if alone.run_id == first else first
    assert scene.ended(other).status == "completed"


def test_a_lease_that_ran_out_counts_unless_its_owner_takes_the_run_up_again(scene: Scene) -> None:
    run, later = scene.story(), now() + 2 * LEASE
    scene.db.write(lambda s: claims.claim_ready(s, "a", now(), LEASE, 1))
    scene.db.write(lambda s: claims.claim_ready(s, "a", later, LEASE, 1))
    assert scene.run(run).falls == 0
    scene.db.write(lambda s: claims.claim_ready(s, "b", later + 2 * LEASE, LEASE, 1))
    assert scene.run(run).falls == 1
