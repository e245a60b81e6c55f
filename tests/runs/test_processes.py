"""A server and a worker in two processes: the rows are where they meet."""

import os
import subprocess
import sys

from signoff.kit.settings import Settings
from tests.house import House
from tests.wire import Model, call, says


def test_a_run_started_here_is_worked_on_there_and_followed_here(settings: Settings, model: Model) -> None:
    model.script("far", says("Working.", call("write_file", {"path": "a", "content": "1"})))
    with House(settings.model_copy(update={"workers": False}), model) as house:
        house.agent("far", "openai-chat:far", "write_file")
        command = [sys.executable, "-m", "signoff", "worker", "--data", str(settings.data)]
        command += ["--database-url", settings.database_url]
        worker = subprocess.Popen(command, env=os.environ | {"OPENAI_BASE_URL": model.url}, stdout=subprocess.DEVNULL)
        try:
            run = house.start("far")
            # The long poll hears of the answer's effect, and the answer reaches the worker, across processes.
            house.answer(house.ask(run))
            assert house.ended(run)["status"] == "completed"
            types = [event["type"] for event in house.get(f"/api/runs/{run}/activity", limit=200)["items"]]
            assert types[-1] == "run.ended"
        finally:
            worker.terminate()
            assert worker.wait(20) == 0
