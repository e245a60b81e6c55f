"""Memory: it is as the preview said afterwards, and as it was before after the undo, unless somebody changed it."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from signoff.kit.actor import Actor
from signoff.kit.db.database import Database
from signoff.kit.settings import Settings
from signoff.memory import actions, queries
from signoff.tools.builtin.memory import MEMORY
from signoff.tools.effects import CannotUndo, UndoCall
from signoff.tools.previews import make_preview
from signoff.tools.registry import ToolContext
from signoff.workspaces import actions as workspaces

TOOLS = {each.name: each for each in MEMORY}


@pytest.fixture
def context(db: Database, settings: Settings, tmp_path: Path) -> ToolContext:
    workspace = db.write(lambda s: workspaces.found(s, "w", "w@example.org", "w").workspace_id)
    return ToolContext(workspace, "run", "clerk", "call", tmp_path, settings, db)


def texts(context: ToolContext) -> dict[str | None, str]:
    actor = Actor.system(context.workspace_id)
    return {each.key: each.text for each in context.db.read(lambda s: queries.search(s, actor, "clerk", "", 10))}


def run(context: ToolContext, name: str, arguments: dict[str, Any]) -> Any:
    async def once() -> Any:
        return await TOOLS[name].run(context, arguments)

    return asyncio.run(once())


def called(context: ToolContext, name: str, **arguments: Any) -> UndoCall:
    """Run a tool; gives the call that takes it back."""
    result = run(context, name, arguments)
    undo = TOOLS[name].undo
    assert undo
    return undo(context, arguments, result)


def shown(context: ToolContext, name: str, **arguments: Any) -> tuple[str, dict[str, str]]:
    """What a call would change: in one line, and field by field."""
    made = make_preview(TOOLS[name], context, arguments)
    assert made
    return made.get("summary") or made["why"], {each["label"]: each["value"] for each in made["detail"]["fields"]}


def undone(context: ToolContext, undo: UndoCall) -> None:
    assert not TOOLS[undo.tool].check(undo.arguments)
    run(context, undo.tool, undo.arguments)


def test_keeping_replacing_and_forgetting_are_taken_back(context: ToolContext) -> None:
    new = called(context, "keep_memory", text="one", key="a")
    replaced = called(context, "keep_memory", text="two", key="a")
    undone(context, replaced)
    assert texts(context) == {"a": "one"}
    forgotten = called(context, "forget_memory", id=new.arguments["id"])
    assert texts(context) == {}
    undone(context, forgotten)
    assert texts(context) == {"a": "one"}
    other = called(context, "keep_memory", text="three")
    undone(context, other)
    assert texts(context) == {"a": "one"}


def test_what_would_be_kept_or_forgotten_is_shown_before_and_is_so_afterwards(context: ToolContext) -> None:
    new = shown(context, "keep_memory", text=" one ", key="a")
    assert (new, texts(context)) == (("Keeps a new note", {"Name": "a", "Text": "one"}), {})
    run(context, "keep_memory", {"text": " one ", "key": "a"})
    assert texts(context) == {"a": "one"}
    same, _ = shown(context, "keep_memory", text="one", key="a")
    assert same.startswith("Leaves the note as it is")
    replaced = shown(context, "keep_memory", text="two", key="a")
    assert replaced == ("Replaces a note", {"Name": "a", "Text before": "one", "Text after": "two"})
    assert texts(context) == {"a": "one"}
    kept = run(context, "keep_memory", {"text": "two", "key": "a"})
    assert texts(context) == {"a": "two"}
    assert shown(context, "forget_memory", id=kept["id"]) == ("Forgets a note", {"Name": "a", "Text": "two"})
    assert texts(context) == {"a": "two"}
    gone = make_preview(TOOLS["forget_memory"], context, {"id": "not-there"})
    assert gone
    assert (gone["kind"], gone["why"]) == ("none", "There is no such note, or not any more.")


def test_what_somebody_changed_since_is_not_taken_back(context: ToolContext) -> None:
    keep = TOOLS["keep_memory"]
    result = run(context, "keep_memory", {"text": "one", "key": "a"})
    person = Actor.system(context.workspace_id)
    context.db.write(lambda s: actions.keep(s, person, "clerk", "another", "a"))
    assert keep.undo
    with pytest.raises(CannotUndo, match="signoff changed"):
        keep.undo(context, {"text": "one", "key": "a"}, result)
    with pytest.raises(CannotUndo):
        called(context, "forget_memory", id="not-there")
    forgotten = run(context, "forget_memory", {"id": result["id"]})
    run(context, "keep_memory", {"text": "newer", "key": "a"})
    forget = TOOLS["forget_memory"]
    assert forget.undo
    with pytest.raises(CannotUndo, match="another such note"):
        forget.undo(context, {"id": result["id"]}, forgotten)
