"""What keeps a tool from being started."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from signoff import main
from signoff.engine.calls import execute
from signoff.kit.settings import Settings
from signoff.runs.models import Call


def test_no_effect_begins_while_too_many_before_it_have_not_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(execute, "MOST_WATCHED", 0)
    parts = main.assemble(Settings(data=tmp_path))
    # It is refused before anything is asked of the run.
    nobody: Any = None
    call = Call(tool="send_message")
    outcome = asyncio.run(execute.execute(parts.context, nobody, call))
    assert outcome.error is not None
    assert "was not started" in outcome.error
    assert outcome.unknown is None
    parts.db.close()
