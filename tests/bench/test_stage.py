"""The benchmark's own parts still fit the product."""

import asyncio
from pathlib import Path

from bench import crowd, ours, rules
from bench.stage import stage


def test_the_stage_parks_answers_and_judges(tmp_path: Path) -> None:
    with stage(tmp_path, "") as made:
        asyncio.run(crowd.park_by_engine(made, 3, 0, warm_up=1))
        assert crowd.answers(made, 3, 1)() == 3
        for look in crowd.inbox(made).values():
            look()
        ours.checkpoint(made)()
    assert rules
