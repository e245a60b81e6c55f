"""The house keeps its own rules."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent


def _tracked(*patterns: str) -> list[Path]:
    listed = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.splitlines()]


def test_no_module_is_over_four_hundred_lines() -> None:
    made = {"schema.d.ts", "0001_first_tables.py"}
    sizes = {path.name: len(path.read_text().splitlines()) for path in _tracked("*.py", "*.ts", "*.tsx")}
    assert {name: size for name, size in sizes.items() if size > 400 and name not in made} == {}


def test_lock_files_name_no_host() -> None:
    for path in _tracked("*.lock", "*lock.json"):
        assert "://" not in path.read_text(), path.name


def test_the_readmes_commands_are_the_ones_that_ci_runs() -> None:
    readme, makefile = (ROOT / "README.md").read_text(), (ROOT / "Makefile").read_text()
    commands = set(re.findall(r"^make ([a-z-]+)", readme, re.MULTILINE))
    assert {"run", "test"} <= commands
    for command in commands:
        assert f"\n{command}:" in makefile
