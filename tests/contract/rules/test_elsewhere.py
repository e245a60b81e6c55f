"""Rules reach every process within seconds, and may live in a file."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.contract.ruling import put_rules, rule, text_of
from tests.contract.scenes import WRITE, agent_that, problem
from tests.fresh import fresh_database, settings_for
from tests.house import House, until
from tests.wire import Model, says

BROKEN = "checkpoints:\n  - name: x\n    trigger: {risk_level: enormous}\n    action: ask\n"


@contextmanager
def a_house(kind: str, folder: Path, model: Model, request: Any, **changes: Any) -> Iterator[House]:
    with fresh_database(kind, folder, request) as url:
        settings = settings_for(url, folder).model_copy(update=changes)
        with House(settings, model) as house:
            yield house


@pytest.fixture(scope="module")
def far(
    kind: str, model: Model, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[House]:
    """A server here whose engine is another process."""
    with a_house(kind, tmp_path_factory.mktemp("far"), model, request, workers=False) as house:
        command = [sys.executable, "-m", "signoff", "worker", "--data", str(house.settings.data)]
        command += ["--database-url", house.settings.database_url]
        worker = subprocess.Popen(command, env=os.environ | {"OPENAI_BASE_URL": model.url}, stdout=subprocess.DEVNULL)
        try:
            yield house
        finally:
            worker.terminate()
            worker.wait(20)


@pytest.fixture
def filed(kind: str, model: Model, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[House]:
    """A house that follows a file of rules."""
    (tmp_path / "rules.yaml").write_text(text_of(rule("nobody", "ask", "from the file")))
    with a_house(kind, tmp_path, model, request, rules=tmp_path / "rules.yaml") as house:
        yield house


def the_file(house: House) -> Path:
    assert house.settings.rules is not None
    return house.settings.rules


@pytest.mark.both_databases
def test_another_process_hears_of_a_rule(far: House) -> None:
    agent = agent_that(far, says("", WRITE), tools=("write_file",), autonomy="full")
    assert far.ended(far.start(agent))["status"] == "completed"
    version = put_rules(far, rule(agent, "ask", "far rule"))["version"]

    def asked() -> dict[str, Any] | None:
        run = far.start(agent)
        far.until(lambda: far.run(run)["status"] in {"completed", "waiting_approval"})
        return next(iter(far.asks(run)), None)

    ask = until(asked, 5)
    assert (ask["rule"], ask["policy_version"]) == ("far rule", version)


@pytest.mark.both_databases
def test_another_process_hears_of_the_emergency_stop(far: House) -> None:
    agent = agent_that(far, says("", WRITE), tools=("write_file",))
    put_rules(far, rule(agent, "auto_approve"))

    def status() -> str:
        run = far.start(agent)
        return far.until(lambda: far.run(run)["status"] in {"completed", "waiting_approval"} and far.run(run)["status"])

    assert until(lambda: status() == "completed", 20)
    far.post("/api/rules/emergency-stop", {"enabled": True})
    assert until(lambda: status() == "waiting_approval", 5)


def test_the_rules_of_the_file_are_in_force(filed: House) -> None:
    found = filed.until(lambda: now if "from the file" in (now := filed.get("/api/rules"))["yaml"] else None)
    assert found["file"]
    assert found["file_problems"] is None


def test_a_changed_file_is_in_force_without_a_restart(filed: House) -> None:
    agent = agent_that(filed, says("", WRITE), tools=("write_file",), autonomy="full")
    before = filed.until(lambda: filed.get("/api/rules")["version"])
    the_file(filed).write_text(text_of(rule(agent, "ask", "changed in the file")))
    filed.until(lambda: filed.get("/api/rules")["version"] > before, 30)
    assert filed.ask(filed.start(agent))["rule"] == "changed in the file"


def test_a_broken_file_leaves_the_old_rules_in_force_and_says_why(filed: House) -> None:
    before = filed.until(lambda: now if "from the file" in (now := filed.get("/api/rules"))["yaml"] else None)
    the_file(filed).write_text(BROKEN)
    found = filed.until(lambda: now if (now := filed.get("/api/rules"))["file_problems"] else None, 30)
    assert (found["yaml"], found["version"]) == (before["yaml"], before["version"])
    assert found["file_problems"][0]["line"] == 3
    assert "enormous" in found["file_problems"][0]["message"]


def test_a_mended_file_is_in_force_again(filed: House) -> None:
    filed.until(lambda: "from the file" in filed.get("/api/rules")["yaml"])
    the_file(filed).write_text(BROKEN)
    filed.until(lambda: filed.get("/api/rules")["file_problems"], 30)
    the_file(filed).write_text(text_of(rule("nobody", "ask", "mended")))
    found = filed.until(lambda: now if "mended" in (now := filed.get("/api/rules"))["yaml"] else None, 30)
    assert not found["file_problems"]


def test_a_file_that_is_taken_away_leaves_the_old_rules_in_force(filed: House) -> None:
    before = filed.until(lambda: now if "from the file" in (now := filed.get("/api/rules"))["yaml"] else None)
    the_file(filed).unlink()
    with pytest.raises(AssertionError):
        filed.until(lambda: filed.get("/api/rules")["version"] != before["version"], 3)
    the_file(filed).write_text(text_of(rule("nobody", "ask", "back again")))
    found = filed.until(lambda: now if "back again" in (now := filed.get("/api/rules"))["yaml"] else None, 30)
    assert found["version"] == before["version"] + 1


def test_rules_that_come_from_a_file_are_not_changed_elsewhere(filed: House) -> None:
    before = filed.until(lambda: now if "from the file" in (now := filed.get("/api/rules"))["yaml"] else None)
    problem(filed.client.put("/api/rules", json={"yaml": "checkpoints: []\n"}), 409)
    assert filed.get("/api/rules") == before
