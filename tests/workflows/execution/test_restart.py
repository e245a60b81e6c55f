"""A workflow whose server goes away while it waits."""

import pytest
from sqlalchemy import update

from signoff.kit import clock
from signoff.kit.settings import Settings
from signoff.runs.models import Run
from signoff.runs.workflow.models import RunStep
from tests.house import House
from tests.wire import Model, fails
from tests.workflows.script import Script, done

A_LONG_WAIT = 3_600


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


def test_a_further_try_that_is_not_due_yet_outlives_its_server(settings: Settings, model: Model):
    answers = [fails(400, "broken"), done({"x": 1})]
    with House(settings, model) as first:
        script = Script(first)
        agent = script.playing("a", lambda _: answers.pop(0))
        step = {"id": "a", "agent": agent, "retries": 1, "retry_backoff_seconds": A_LONG_WAIT}
        run = script.start(script.workflow(step))
        first.until(lambda: script.steps(run)["a"]["attempt"] == 1 and script.states(run) == {"a": "pending"})
    with House(settings, model) as second:
        script.house = second
        assert (script.states(run), len(answers)) == ({"a": "pending"}, 1)
        # An hour goes by.
        at = clock.now()
        second.parts.db.write(lambda s: s.execute(update(RunStep).where(RunStep.run_id == run).values(retry_at=at)))
        second.parts.db.write(lambda s: s.execute(update(Run).where(Run.id == run).values(wake_at=at)))
        assert second.ended(run)["output"] == {"x": 1}
        assert (script.steps(run)["a"]["attempt"], len(script.asked("a"))) == (2, 2)
