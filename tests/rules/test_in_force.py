"""Rules are in force everywhere at once, and only good ones."""

import time
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from signoff import main
from signoff.kit.db.database import Database
from signoff.kit.settings import Settings
from signoff.rules import queries
from signoff.rules.file_watcher import RuleFileWatcher
from signoff.workspaces import queries as people
from tests.house import House, until
from tests.wire import Model

DENY = "checkpoints:\n  - name: No writing\n    trigger: {tool: write_file}\n    action: deny\n"
CALL = {"tool": "write_file", "arguments": {"path": "a", "content": "b"}}


def test_a_rule_saved_through_one_process_is_in_force_in_a_second(settings: Settings, model: Model) -> None:
    # Two whole applications on one database share nothing but its rows, as two processes do.
    with House(settings, model) as one, House(settings, model) as two:
        assert two.post("/api/rules/evaluate", CALL)["verdict"] == "ask"
        assert one.client.put("/api/rules", json={"yaml": DENY}).status_code == 200
        assert two.post("/api/rules/evaluate", CALL)["verdict"] == "deny"
        one.post("/api/rules/emergency-stop", {"enabled": True})
        assert two.get("/api/rules")["stopped"] is True


@pytest.fixture
def watched(settings: Settings, db: Database, tmp_path: Path) -> RuleFileWatcher:
    parts = main.assemble(settings)
    main.prepare(parts)
    parts.db.close()
    return RuleFileWatcher(db, tmp_path / "rules.yaml")


def test_a_broken_file_never_replaces_a_good_one_and_says_why(settings: Settings, model: Model, tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(DENY)
    with House(settings.model_copy(update={"rules": path}), model) as house:
        until(lambda: house.get("/api/rules")["version"] == 1)
        time.sleep(0.01)
        path.write_text(DENY.replace("trigger", "triger"))
        shown = until(lambda: found if (found := house.get("/api/rules"))["file_problems"] else None)
        assert shown["version"] == 1
        assert (shown["file"], shown["file_problems"][0]["line"]) == ("rules.yaml", 3)
        assert "trigger" in shown["file_problems"][0]["message"]
        assert house.post("/api/rules/evaluate", CALL)["verdict"] == "deny"
        refused = house.client.put("/api/rules", json={"yaml": ""})
        assert (refused.status_code, refused.json()["code"]) == (409, "rules_from_file")
        path.write_text(DENY.replace("deny", "ask"))
        until(lambda: house.get("/api/rules")["version"] == 2)
        assert house.get("/api/rules")["file_problems"] is None
        assert house.post("/api/rules/evaluate", CALL)["verdict"] == "ask"


def test_a_file_that_is_gone_leaves_the_rules_in_force(watched: RuleFileWatcher, tmp_path: Path, db: Database) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(DENY)
    watched.look()
    path.unlink()
    watched.look()

    def version(session: Session) -> int:
        workspace = people.first_workspace(session)
        assert workspace is not None
        return queries.in_force(session, workspace).version

    assert db.read(version) == 1
