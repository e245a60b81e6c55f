"""What keeps a tool from being started."""

import asyncio
from pathlib import Path

import pytest

from signoff import main
from signoff.catalog.schemas import AgentDefinition
from signoff.claims.actions import Claim
from signoff.engine.calls import execute
from signoff.engine.claimed_run import ClaimedRun
from signoff.kit.settings import Settings
from signoff.runs.models import Call, Run


def test_no_effect_begins_while_too_many_before_it_have_not_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(execute, "MOST_WATCHED", 0)
    parts = main.assemble(Settings(data=tmp_path))
    definition = AgentDefinition(name="a", model="demo:a")
    claimed = ClaimedRun(Claim("run", "w", 1), Run(id="run"), definition, parts.context.registry, [], [], {})
    outcome = asyncio.run(execute.execute(parts.context, claimed, Call(tool="send_message")))
    assert outcome.error is not None
    assert "was not started" in outcome.error
    assert outcome.unknown is None
    parts.db.close()
