"""Death while an agent answers a question about its ask."""

from signoff.asks.comments import actions, queries
from signoff.asks.comments.models import Comment
from signoff.asks.models import Ask
from tests.crash.scene import PATIENCE, Scene
from tests.house import until


def reply(scene: Scene, ask: Ask) -> Comment:
    query = queries.comments(scene.actor, ask).where(Comment.kind == "agent")
    return scene.db.read(lambda s: s.scalars(query).one())


def test_a_question_outlives_the_process_that_was_answering_it(scene: Scene) -> None:
    run = scene.story(risk_overrides={"charge": "approval_required"})
    victim = scene.life("question")
    ask = scene.ask(run)
    before = scene.rows(run)
    asked = {"text": "Why?", "to_agent": True}
    victim.up().client.post(f"/api/asks/{ask.id}/comments", json=asked).raise_for_status()
    victim.died()
    assert (reply(scene, ask).state, reply(scene, ask).tries) == ("pending", 1)
    scene.life()
    until(lambda: reply(scene, ask).state == "answered", PATIENCE)
    # The scripted model has said this in the first place, and the run neither heard nor did anything.
    assert reply(scene, ask).text == "Let me look."
    after = scene.rows(run)
    assert [after[table] == before[table] for table in ("messages", "calls", "asks")] == [True] * 3
    assert scene.charged == []


def test_a_question_that_nobody_survives_is_given_up(scene: Scene) -> None:
    run = scene.story(risk_overrides={"charge": "approval_required"})
    life = scene.life()
    ask = scene.ask(run)
    life.leave()
    scene.db.write(lambda s: actions.comment(s, scene.actor, s.get_one(Ask, ask.id), "Why?", to_agent=True))
    for _ in range(3):
        scene.life("question").died()
    scene.life("question")
    until(lambda: reply(scene, ask).state == "failed", PATIENCE)
