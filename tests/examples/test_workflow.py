"""A workflow from a file, with a person between its steps."""

import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "workflow" / "main.py"
SHOWN = [
    "Waiting for a person: Do we pay this much? {'amount': 900",
    "To be written: We pay 700 euros.",
    "The run is completed: 2 of 2 steps.",
]


def test_the_workflow_goes_on_with_what_the_person_changed(tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, EXAMPLE], cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert ran.returncode == 0, ran.stderr
    assert [words for words in SHOWN if words not in ran.stdout] == [], ran.stdout
    assert list(tmp_path.iterdir()) == []
