"""What tools write into a run's folder keeps to its quota, whichever tool it is."""

from pathlib import Path
from typing import Any

import pytest

from signoff.kit.settings import Settings
from signoff.tools.builtin.run_folder import place_for, write_whole
from signoff.tools.registry import ToolFailed
from tests.tools.using import context, use

BAR = {"mark": "bar", "encoding": {"x": {"field": "a"}}}
WRITING: list[tuple[str, str, dict[str, Any]]] = [
    ("write_file", "a.md", {"path": "a.md", "content": "x" * 100}),
    ("save_query", "a.csv", {"path": "a.csv", "sql": "SELECT repeat('x', 100) AS a"}),
    ("make_chart", "a.svg", {"name": "a", "spec": BAR, "data": [{"a": 1}]}),
]


@pytest.mark.parametrize(("name", "path", "arguments"), WRITING, ids=[name for name, _, _ in WRITING])
def test_no_tool_writes_beyond_the_quota(name: str, path: str, arguments: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ToolFailed, match="at most 50 bytes"):
        use(name, tmp_path, settings=Settings(max_folder_bytes=50), **arguments)
    assert list(tmp_path.iterdir()) == []
    use(name, tmp_path, settings=Settings(max_folder_files=1), **arguments)
    with pytest.raises(ToolFailed, match="at most 1 files"):
        write_whole(context(tmp_path, Settings(max_folder_files=1)), place_for(tmp_path, "other.txt"), b"more")
    assert [each.name for each in tmp_path.iterdir()] == [path]


def test_what_is_replaced_makes_room(tmp_path: Path) -> None:
    for size in (50, 40, 50):
        write_whole(context(tmp_path, Settings(max_folder_bytes=50)), tmp_path / "a.txt", b"x" * size)
    assert (tmp_path / "a.txt").read_bytes() == b"x" * 50
