"""What tools state about their calls: all built-in ones do. One that fails or hangs counts as the gravest."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from signoff.kit.jsons import JsonObject
from signoff.policy.impact import UNANSWERED, Impact, ImpactKind
from signoff.policy.risk import Risk, raised
from signoff.tools import impact_statements
from signoff.tools.builtin import builtin_registry
from signoff.tools.egress import ANYWHERE
from signoff.tools.impact_statements import Statements
from signoff.tools.registry import tool
from signoff.tools.threads import ToolThreads
from signoff.tools.tool_impacts import tool_impacts

REGISTRY = builtin_registry()


def stated(folder: Path, name: str, **arguments: Any) -> tuple[list[str], str]:
    impact = tool_impacts(REGISTRY, folder.parent)(folder.name, name, arguments)
    assert impact is not None
    return [kind.value for kind in impact.kinds], impact.text


def test_a_new_file_stays_in_its_folder_and_an_old_one_is_overwritten(tmp_path: Path) -> None:
    assert stated(tmp_path, "write_file", path="a.md", content="") == (
        ["stays_in_folder"],
        "New file in its own folder",
    )
    (tmp_path / "a.md").write_text("old")
    assert stated(tmp_path, "write_file", path="a.md", content="") == (
        ["stays_in_folder", "overwrites"],
        "Overwrites a.md",
    )


def test_what_the_other_built_in_tools_do(tmp_path: Path) -> None:
    assert stated(tmp_path, "delete_file", path="a.md") == (
        ["stays_in_folder", "overwrites"],
        "Deletes a.md from its own folder",
    )
    assert stated(tmp_path, "move_file", path="a", to="b")[0] == ["stays_in_folder"]
    assert stated(tmp_path, "send_message", channel="#sales", text="hi") == (
        ["cannot_be_undone", "reaches_people"],
        "Reaches the people in #sales, cannot be undone",
    )
    assert stated(tmp_path, "web_fetch", url="https://example.org/page") == ([], "Only reads")
    assert stated(tmp_path, "web_fetch", url="https://example.org/?q=secret") == (
        ["leaves_house"],
        "Carries text to example.org",
    )
    assert stated(tmp_path, "read_file", path="a")[0] == []


def test_every_built_in_tool_that_acts_states_its_impact() -> None:
    silent = [each.name for each in REGISTRY.all() if each.impact is None and each.assessment.level is not Risk.LOW]
    assert silent == []


def test_a_path_that_leads_out_is_not_called_harmless(tmp_path: Path) -> None:
    for path in ("../other/a.md", "/etc/passwd", "a\x00b"):
        assert tool_impacts(REGISTRY, tmp_path.parent)(tmp_path.name, "write_file", {"path": path}) == UNANSWERED


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Where functions hang, in threads that no other test uses."""
    event = threading.Event()
    monkeypatch.setattr(impact_statements, "_THREADS", ToolThreads(most=3))
    yield event
    event.set()


def test_a_high_risk_is_critical_when_its_function_raises_answers_nonsense_or_hangs(
    tmp_path: Path, gate: threading.Event
) -> None:
    def raises(_arguments: JsonObject, _folder: Path) -> Impact:
        raise SystemExit

    def nonsense(_arguments: JsonObject, _folder: Path) -> Any:
        return {"kinds": []}

    def hangs(_arguments: JsonObject, _folder: Path) -> Impact:
        gate.wait()
        return Impact()

    for function in (raises, nonsense, hangs):

        @tool(risk="high", impact=function)
        def pay() -> None:
            """Pay."""

        found = raised(pay.used_for({}, ANYWHERE, Statements(tmp_path, seconds=0.05)).assessment)
        assert (found.level, found.impact) == (Risk.CRITICAL, UNANSWERED)
        assert found.reasons[-1] == "Its tool did not say what this affects: this counts as critical"


def test_a_call_that_hangs_uses_up_no_time_of_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    granted = list[float]()

    def slow(seconds: float, *_: Any) -> Impact:
        granted.append(seconds)
        time.sleep(0.01)
        raise TimeoutError

    monkeypatch.setattr(impact_statements._THREADS, "run_within", slow)
    statements = Statements(tmp_path, seconds=0.05)
    for _ in range(2):
        statements.of(lambda _arguments, _folder: Impact(), {})
    assert granted == [0.05, 0.05]


def test_those_that_hang_are_not_asked_for_ever(tmp_path: Path, gate: threading.Event) -> None:
    asked = list[int]()

    def hangs(arguments: JsonObject, _folder: Path) -> Impact:
        asked.append(arguments["n"])
        gate.wait()
        return Impact()

    assert [Statements(tmp_path, seconds=0.01).of(hangs, {"n": n}) for n in range(9)] == [UNANSWERED] * 9
    assert asked == [0, 1, 2]


def test_a_function_cannot_change_the_arguments_that_run(tmp_path: Path) -> None:
    def changes(arguments: JsonObject, _folder: Path) -> Impact:
        arguments["to"]["name"] = "mallory"
        return Impact()

    given = {"to": {"name": "ann"}}
    Statements(tmp_path).of(changes, given)
    assert given == {"to": {"name": "ann"}}


def test_a_tool_states_its_impact_by_its_decorator(tmp_path: Path) -> None:
    def paying(arguments: JsonObject, _folder: Path) -> Impact:
        kinds = (ImpactKind.MOVES_MONEY, ImpactKind.CANNOT_BE_UNDONE)
        return Impact(kinds if arguments["amount"] > 0 else (), f"Pays {arguments['amount']} EUR")

    @tool(risk="high", impact=paying)
    def pay(amount: int) -> None:
        """Pay."""

    used = pay.used_for({"amount": 5}, ANYWHERE, Statements(tmp_path))
    assert used.assessment.impact == Impact((ImpactKind.CANNOT_BE_UNDONE, ImpactKind.MOVES_MONEY), "Pays 5 EUR")
    assert pay.used_for({"amount": 0}, ANYWHERE, Statements(tmp_path)).assessment.impact == Impact(
        (), "Pays 0 EUR", reversible=True
    )


def test_a_tool_of_a_source_that_nobody_reviewed_is_high_whatever_it_says() -> None:
    @tool(risk="low", operation_type="read", source="mcp", name="read_file")
    def fake() -> None:
        """Read."""

    assert fake.assessment.level is Risk.HIGH


def test_what_was_asked_ahead_is_not_asked_again_and_other_arguments_are(tmp_path: Path) -> None:
    asked = list[JsonObject]()

    def states(arguments: JsonObject, _folder: Path) -> Impact:
        asked.append(arguments)
        return Impact((), f"Pays {arguments['amount']}")

    statements = Statements(tmp_path)
    statements.prepare([(states, {"amount": 1, "to": "ann"})])
    texts = [statements.of(states, each).text for each in ({"to": "ann", "amount": 1}, {"amount": 2, "to": "ann"})]
    assert (texts, len(asked)) == (["Pays 1", "Pays 2"], 2)
