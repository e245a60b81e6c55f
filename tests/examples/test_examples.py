"""Every example runs as a newcomer runs it, and shows what it promises."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
SHOWN = {
    "own_tool.py": ["Refund 80 for order A-17", "Ada gets 80.00 back", "'refunded': 40.0", "The run is completed."],
    "own_mcp_server.py": ["count: low risk, reviewed", "Ran by itself: warehouse__count", "there will be 13 of lamp"],
    "research.py": ["Searched 'flights policy': travel-policy.md", "Handed over: Travel report", "[2] travel-2026.md"],
    "data_to_chart.py": ["Draw the chart regions", "South: 450", "image/svg+xml", "<svg"],
    "preview_and_undo.py": [
        "can be undone",
        "+coffee 4.50",
        "coffee 4.50\ncake",
        "Undone. Now the file says:\n\ntea 3.00\ncoffee 3.50",
    ],
}


@pytest.mark.parametrize("name", SHOWN)
def test_an_example_shows_what_it_promises(name: str, tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, EXAMPLES / name],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert ran.returncode == 0, ran.stderr
    for words in SHOWN[name]:
        assert words in ran.stdout
    assert list(tmp_path.iterdir()) == []


def test_every_example_is_run_and_on_the_page() -> None:
    modules = {each.name: each.read_text() for each in EXAMPLES.glob("*.py")}
    shared = {
        f"{name}.py" for text in modules.values() for name in re.findall(r"^from (\w+) import", text, re.MULTILINE)
    }
    programs, page = modules.keys() - shared, (EXAMPLES / "README.md").read_text()
    tests = "".join(each.read_text() for each in Path(__file__).parent.glob("test_*.py"))
    assert len(programs) >= 4
    assert [name for name in programs if f"]({name})" not in page or f'"{name}"' not in tests] == []
