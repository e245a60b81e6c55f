"""Tools in the terminal: listed by the server; begun and tried without one."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from tests.cli.conftest import Wire

Signoff = Callable[..., Result]
TOOLS = Path(".signoff/tools")
PAPER = '{"text": "Order paper"}'


def test_a_new_tool_works_with_its_test(signoff: Signoff) -> None:
    assert signoff("tools", "new", "add_entry").exit_code == 0
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", TOOLS], capture_output=True, text=True
    )
    assert "2 passed" in tested.stdout, tested.stdout


def test_a_trial_shows_the_call_and_runs_it_only_when_told(signoff: Signoff, tmp_path: Path) -> None:
    signoff("tools", "new", "add_entry")
    folder = tmp_path / "run"
    shown = signoff("tools", "test", "add_entry", "--arguments", PAPER, "--run-folder", str(folder)).stdout
    for words in ("Risk: high", '"maxLength": 200', "Add to the list: Order paper", "can be undone", "Nothing was run"):
        assert words in shown
    assert not folder.exists()
    run = signoff(
        "tools", "test", str(TOOLS / "add_entry.py"), "--arguments", PAPER, "--run", "--run-folder", str(folder)
    )
    assert (folder / "add_entry.txt").read_text() == "Order paper\n"
    assert 'undo_add_entry {"text": "Order paper"}' in run.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [('{"text": ""}', "shorter than 1"), ('{"other": 1}', "other"), ("{", "no JSON"), ("[]", "JSON object")],
)
def test_wrong_arguments_are_named(arguments: str, words: str, signoff: Signoff) -> None:
    signoff("tools", "new", "add_entry")
    refused = signoff("tools", "test", "add_entry", "--arguments", arguments, "--run")
    assert refused.exit_code == 1
    assert words in refused.stderr


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("read_file", "taken by a tool of Signoff"),
        ("crm__find", "tools of connections"),
        ("Book-Room", "small letters"),
        ("json", "something else to Python"),
        ("class", "something else to Python"),
        ("../up", "no name for a tool"),
        ("twice", "exists already"),
    ],
)
def test_a_name_that_would_not_work_is_refused(name: str, words: str, signoff: Signoff) -> None:
    signoff("tools", "new", "twice")
    refused = signoff("tools", "new", name)
    assert refused.exit_code == 1
    assert words in " ".join(refused.stderr.split())


def test_a_broken_file_is_named_with_its_line(signoff: Signoff, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("a = 1\nb = = 2\n")
    assert "bad.py, line 2: invalid syntax." in signoff("tools", "test", "bad.py").stderr
    assert "no tool 'nothing'" in signoff("tools", "test", "nothing").stderr
    TOOLS.mkdir(parents=True)
    (tmp_path / "bad.py").rename(TOOLS / "bad.py")
    missing = signoff("tools", "test", "nothing").stderr
    assert "no tool 'nothing'" in missing
    assert "bad.py, line 2" in missing


def test_the_list_has_what_is_wrong_as_well(signoff: Signoff, wire: Wire) -> None:
    tool = {"name": "add_entry", "risk": "high", "operation_type": "create", "source": "python", "missing": None}
    problem = {"file": "other.py", "line": 3, "message": "invalid syntax", "kept": False}
    wire.on("GET", "/api/tools", {"items": [tool], "problems": [problem]})
    listed = signoff("tools", "list").stdout
    assert "add_entry  high  create     yours" in listed
    assert "other.py, line 3: invalid syntax. Its tools are not available." in listed
