"""make_chart: a picture in the run's folder, from its own data, without a request to anywhere."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.kit.settings import Settings
from signoff.policy.impact import ImpactKind
from signoff.sandbox.chart import Refused, rows
from signoff.tools.builtin.data import chart
from signoff.tools.builtin.data.chart import _checked as checked  # pyright: ignore[reportPrivateUsage]
from signoff.tools.registry import ToolFailed
from tests.tools.using import found, judged, use

BARS: dict[str, Any] = {
    "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
    "title": "Sales <by> region",
    "mark": "bar",
    "encoding": {"x": {"field": "region"}, "y": {"field": "amount", "type": "quantitative"}},
}
ROWS = [{"region": "north", "amount": 11, "url": "a field may be called so"}, {"region": "south", "amount": 32.5}]


def test_rows_become_a_picture_in_the_folder(tmp_path: Path) -> None:
    made = use("make_chart", tmp_path, spec=BARS, data=ROWS, name="charts/sales")
    drawn = (tmp_path / "charts" / "sales.svg").read_text()
    assert made == {"path": "charts/sales.svg", "size_bytes": len(drawn.encode())}
    assert drawn.startswith("<svg")
    assert "Sales &lt;by&gt; region" in drawn
    assert "south" in drawn


def test_a_file_of_the_folder_becomes_a_png(tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text("region,amount\nnorth,11\nsouth,\n")
    use("make_chart", tmp_path, spec=BARS, data_path="sales.csv", name="sales.png", format="png")
    assert (tmp_path / "sales.png").read_bytes().startswith(b"\x89PNG")


def test_rows_are_read_with_their_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text("\ufeffn,t,e\n1,x,\n2.5,01-02,3\n")
    assert rows(Path("a.csv")) == [{"n": 1, "t": "x", "e": None}, {"n": 2.5, "t": "01-02", "e": 3}]
    Path("a.jsonl").write_text('{"n": 1}\n\n{"n": 2}\n')
    assert rows(Path("a.jsonl")) == [{"n": 1}, {"n": 2}]


@pytest.mark.parametrize("name", ["a.json", "b.json", "a.parquet", "long.jsonl", "link.csv", "hard.csv", "folder.csv"])
def test_what_are_no_rows_of_this_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (tmp_path / "run" / "folder.csv").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "run")
    (tmp_path / "secret.csv").write_text("word\nhidden\n")
    os.symlink(tmp_path / "secret.csv", "link.csv")
    os.link(tmp_path / "secret.csv", "hard.csv")
    Path("a.json").write_text('{"a": 1}')
    Path("b.json").write_text("words")
    Path("a.parquet").write_text("words")
    Path("long.jsonl").write_text("1\n" * 50_001)
    with pytest.raises(Refused) as refused:
        rows(Path(name))
    assert "hidden" not in str(refused.value)


@pytest.mark.parametrize("path", ["../secret.csv", "/etc/passwd", "link/secret.csv", "none.csv"])
def test_data_come_only_from_the_folder(tmp_path: Path, path: str) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (tmp_path / "secret.csv").write_text("word\nhidden\n")
    os.symlink(tmp_path, run / "link")
    with pytest.raises(ToolFailed):
        use("make_chart", run, spec=BARS, data_path=path, name="a")
    with pytest.raises(ToolFailed, match="outside"):
        use("make_chart", run, spec=BARS, data=ROWS, name="../a")
    assert not (tmp_path / "a.svg").exists()


nested = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["layer", "mark", "x"]), inner),
    max_leaves=8,
)


@given(nested, st.sampled_from(["url", "href", "URL", "Href"]), st.lists(st.sampled_from(["layer", "data", "mark", 0])))
def test_no_address_hides_in_a_specification(beside: Any, key: str, way: list[str | int]) -> None:
    part: Any = {key: "https://example.org/x.csv"}
    for step in way:
        part = [beside, part] if step == 0 else {"beside": beside, step: part}
    with pytest.raises(ToolFailed, match="fetch nothing"):
        checked({"layer": part}, ROWS, has_file=False)


def test_the_renderer_fetches_nothing_either(tmp_path: Path) -> None:
    """Should an address ever get through to it."""
    asked = {"folder": str(tmp_path), "data_path": None, "format": "svg"}
    spec = BARS | {"data": {"url": "https://example.org/x.csv"}}
    answered = subprocess.run(
        [sys.executable, "-m", "signoff.sandbox.chart"],
        input=json.dumps(asked | {"spec": spec}) + "\n",
        capture_output=True,
        text=True,
        check=False,
    )
    said = json.loads(answered.stdout.splitlines()[0])
    assert "not allowed" in said.get("error", "") or "<text" not in answered.stdout.split("\n", 1)[1]


def test_a_specification_that_is_none_says_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(ToolFailed, match="could not be drawn"):
        use("make_chart", tmp_path, spec={"mark": "no such mark"}, data=ROWS, name="a")
    with pytest.raises(ToolFailed, match="no data"):
        checked(BARS, None, has_file=False)
    with pytest.raises(ToolFailed, match="not both"):
        checked(BARS, ROWS, has_file=True)
    with pytest.raises(ToolFailed, match="no Vega-Lite"):
        checked({"$schema": "https://vega.github.io/schema/vega/v6.json"}, ROWS, has_file=False)
    deep: Any = {}
    for _ in range(200):
        deep = {"layer": [deep]}
    with pytest.raises(ToolFailed, match="too deeply"):
        checked(deep, ROWS, has_file=False)
    assert list(tmp_path.iterdir()) == []


def test_a_picture_that_would_be_huge_is_not_drawn(tmp_path: Path) -> None:
    with pytest.raises(ToolFailed):
        use("make_chart", tmp_path, spec=BARS | {"width": 1e7, "height": 1e7}, data=ROWS, name="a", format="png")
    assert list(tmp_path.iterdir()) == []


def test_without_the_package_it_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chart, "find_spec", lambda _: None)
    with pytest.raises(ToolFailed, match=r"pip install 'signoff\[charts\]'"):
        use("make_chart", tmp_path, spec=BARS, data=ROWS, name="a")
    assert chart.missing(Settings())


def test_a_chart_is_a_file_that_is_written(tmp_path: Path) -> None:
    level, impact = judged("make_chart", tmp_path, spec=BARS, data=ROWS, name="a")
    assert (level, impact.kinds) == ("high", (ImpactKind.STAYS_IN_FOLDER,))
    (tmp_path / "a.svg").touch()
    assert ImpactKind.OVERWRITES in judged("make_chart", tmp_path, spec=BARS, data=ROWS, name="a")[1].kinds
    assert found("make_chart").headline({"name": "Sales"}) == "Draw the chart Sales"
