"""The guide's calls are ones that the tools take, and it names every tool that it is about."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.tools.using import found

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "tools"
PAGES = {name: (GUIDE / name).read_text() for name in ("data.md", "web.md")}
CALLS = [
    json.loads(block) for page in PAGES.values() for block in re.findall(r"```json\n(.*?)```", page, flags=re.DOTALL)
]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call["tool"])
def test_a_call_in_the_guide_can_be_made(call: dict[str, Any]) -> None:
    assert found(call["tool"]).check(call["arguments"]) == []


@pytest.mark.parametrize("page", PAGES)
def test_the_risks_in_the_guide_are_the_tools_own(page: str) -> None:
    rows = re.findall(r"^\| `([a-z_]+)` \|[^|]*\|([^|]*)\|", PAGES[page], flags=re.MULTILINE)
    assert len(rows) >= 3
    for name, risk in rows:
        assert found(name).assessment.level.value in risk
