"""A call that was started and whose end is unknown: a person decides, unless running it twice does no harm."""

import pytest

from signoff.asks.answers.outcome import Answer
from tests.crash.scene import STORY, Scene
from tests.wire import call, results, says


@pytest.mark.parametrize(
    ("place", "passing", "charged"),
    [("started", 2, []), ("tool", 3, []), ("charging", 1, []), ("charged", 1, ["c"]), ("ran", 2, ["c"])],
)
def test_a_call_with_unknown_end_is_not_repeated_but_asked_about(
    scene: Scene, place: str, passing: int, charged: list[str]
) -> None:
    run = scene.story()
    scene.life(place, passing).died()
    scene.life()
    ask = scene.ask(run)
    assert (ask.kind, ask.tool, ask.arguments) == ("recovery", "charge", {"item": "c"})
    assert scene.run(run).status == "waiting_input"
    assert [option["value"] for option in ask.options or []] == ["retry", "skip", "done"]
    scene.answer(ask, Answer("respond", value="done"))
    scene.right(run)
    assert scene.charged == charged
    assert scene.requests() == [1, 1, 1]


@pytest.mark.parametrize(
    ("choice", "charged", "status", "result"),
    [
        ("retry", ["c", "c"], "succeeded", "charged c"),
        ("skip", ["c"], "failed", "Nobody knows whether it happened"),
        ("done", ["c"], "succeeded", "a person confirmed that it happened"),
    ],
)
def test_the_person_decides_whether_it_runs_again(
    scene: Scene, choice: str, charged: list[str], status: str, result: str
) -> None:
    run = scene.story()
    scene.life("charged").died()
    scene.life()
    scene.answer(scene.ask(run), Answer("respond", value=choice))
    scene.right(run)
    assert scene.charged == charged
    assert [each.status for each in scene.calls(run)] == ["succeeded", "succeeded", status, "succeeded"]
    assert result in results(scene.model.asked("story")[-1])[-1]


def test_a_retry_that_dies_too_asks_once_more(scene: Scene) -> None:
    run = scene.story()
    scene.life("charging").died()
    second = scene.life("charged")
    scene.answer(scene.ask(run), Answer("respond", value="retry"))
    second.died()
    scene.life()
    scene.answer(scene.ask(run), Answer("respond", value="done"))
    scene.right(run)
    assert scene.charged == ["c"]
    assert scene.calls(run)[2].attempt == 2


def test_an_approval_outlives_the_crash_with_the_arguments_that_were_approved(scene: Scene) -> None:
    run = scene.story(risk_overrides={"charge": "approval_required"})
    first = scene.life("charging")
    scene.answer(scene.ask(run), Answer("approve", arguments={"item": "less"}))
    first.died()
    scene.life()
    ask = scene.ask(run)
    assert (ask.kind, ask.arguments) == ("recovery", {"item": "less"})
    scene.answer(ask, Answer("respond", value="retry"))
    scene.right(run)
    assert scene.charged == ["less"]


def test_the_other_calls_of_the_answer_go_on_while_a_person_is_asked(scene: Scene) -> None:
    both = says("Both.", call("charge", {"item": "x"}, "charge_x"), call("charge", {"item": "y"}, "charge_y"))
    run = scene.start(scene.agent("both", both, STORY[-1]))
    scene.life("charged").died()
    scene.life()
    ask = scene.ask(run)
    assert scene.charged == ["x", "y"]
    scene.answer(ask, Answer("respond", value="done"))
    scene.right(run)
    assert scene.charged == ["x", "y"]
