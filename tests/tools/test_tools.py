"""Tools: schema from the signature, files that stay in their folder."""

import asyncio
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from signoff.kit.settings import Settings
from signoff.tools.builtin import builtin_registry
from signoff.tools.registry import ToolContext, ToolFailed, tool


def use(name: str, folder: Path, **arguments: Any) -> Any:
    context = ToolContext("w", "r", "agent", "c", folder, Settings(), SimpleNamespace())
    found = builtin_registry().get(name)
    assert found is not None
    assert found.check(arguments) == []
    return asyncio.run(found.run(context, arguments))


def test_a_functions_signature_is_its_schema() -> None:
    @tool(risk="critical", operation_type="refund", title="Refund {amount}")
    def refund(context: ToolContext, order: str, amount: float = 1.0) -> str:
        """Give money back."""
        return f"{context.run_id} {order} {amount}"

    assert (refund.name, refund.description, refund.schema["required"]) == ("refund", "Give money back.", ["order"])
    assert "_reasoning" in refund.model_schema["properties"]
    assert "_reasoning" not in refund.schema["properties"]
    assert refund.headline({"amount": 5}) == "Refund 5"
    assert refund.headline({}) == "Call refund"
    assert [error.path for error in refund.check({"order": 1})] == ["order"]
    assert refund.check({"order": "a", "x": 1})


def test_a_tool_needs_named_parameters() -> None:
    with pytest.raises(TypeError):
        tool()(lambda *anything: None)


def test_files_are_written_read_moved_listed_and_deleted(tmp_path: Path) -> None:
    use("write_file", tmp_path, path="notes/a.md", content="héllo\n")
    assert use("read_file", tmp_path, path="notes/a.md") == "héllo\n"
    use("move_file", tmp_path, path="notes/a.md", to="b.md")
    assert use("list_files", tmp_path) == ["b.md (7 bytes)"]
    use("delete_file", tmp_path, path="b.md")
    assert use("list_files", tmp_path) == []


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "a/../../x", "link/x", "link", "~/../../x", "a\x00b"])
@pytest.mark.parametrize("name", ["read_file", "write_file", "delete_file", "move_file", "list_files"])
def test_no_path_leads_out_of_the_folder(tmp_path: Path, name: str, path: str) -> None:
    folder, outside = tmp_path / "run", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (outside / "x").write_text("secret")
    (tmp_path / "x").write_text("secret")
    os.symlink(outside, folder / "link")
    more = {"write_file": {"content": "!"}, "move_file": {"to": "y"}}.get(name, {})
    with pytest.raises(ToolFailed):
        use(name, folder, path=path, **more)
    assert (outside / "x").read_text() == "secret"
    assert (tmp_path / "x").read_text() == "secret"


def test_a_move_cannot_end_outside(tmp_path: Path) -> None:
    use("write_file", tmp_path, path="a", content="1")
    with pytest.raises(ToolFailed):
        use("move_file", tmp_path, path="a", to="../b")


def test_private_addresses_are_not_fetched(tmp_path: Path) -> None:
    for url in (
        "http://127.0.0.1:1/",
        "http://[::1]/",
        "http://169.254.169.254/",
        "file:///etc/passwd",
        "http://0x7f.1/",
    ):
        with pytest.raises(ToolFailed):
            use("web_fetch", tmp_path, url=url)
