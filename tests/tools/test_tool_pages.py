"""The guide's calls are ones that the tools take, and it names every tool that it is about."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.tools.using import REGISTRY, found

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "tools"
PAGES = {name: (GUIDE / name).read_text() for name in ("README.md", "data.md", "web.md")}
OWN = (GUIDE / "own.md").read_text()
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


def test_every_built_in_tool_is_on_the_overview() -> None:
    rows = re.findall(r"^\| `([a-z_]+)` \|", PAGES["README.md"], flags=re.MULTILINE)
    assert set(rows) == {tool.name for tool in REGISTRY.all() if not tool.is_control}


def test_the_first_tool_of_the_guide_works_with_its_test(tmp_path: Path) -> None:
    tool, test = (each for each in re.findall(r"```python\n(.*?)```", OWN, flags=re.DOTALL) if "book_room" in each)
    (tmp_path / "book_room.py").write_text(tool)
    (tmp_path / "test_book_room.py").write_text(test)
    ran = subprocess.run([sys.executable, "-m", "pytest", "-q", tmp_path], cwd=tmp_path, capture_output=True, text=True)
    assert "1 passed" in ran.stdout, ran.stdout
