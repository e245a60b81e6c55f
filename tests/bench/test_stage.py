"""The benchmark's own parts still fit the product."""

import asyncio
from pathlib import Path

import pytest

from bench import crowd, ours, rules
from bench.stage import stage
from signoff.engine.model import client, providers


def test_the_stage_parks_answers_and_judges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The stage puts its own model in the place of all others: only for this test.
    monkeypatch.setattr(providers, "model_for", providers.model_for)
    monkeypatch.setattr(client, "request_model", client.request_model)
    with stage(tmp_path, "") as made:
        asyncio.run(crowd.park_by_engine(made, 3, 0, warm_up=1))
        assert crowd.answers(made, 3, 1)() == 3
        for look in crowd.inbox(made).values():
            look()
        ours.checkpoint(made)()
    assert rules
