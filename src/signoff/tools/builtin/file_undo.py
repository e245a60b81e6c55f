"""How a call is taken back that made or changed one file of the run's folder."""

from signoff.tools.builtin.kept_files import find, fingerprint
from signoff.tools.builtin.run_folder import inside
from signoff.tools.effects import CannotUndo, UndoCall
from signoff.tools.registry import ToolContext


def undo_file(context: ToolContext, path: str) -> UndoCall:
    """Put back what was there; a file that was new is deleted."""
    kept = find(context.folder, context.call_id)
    if kept is None:
        raise CannotUndo(f"What {path} was before could not be kept, so it cannot be put back.")
    see_unchanged(context, path, kept.after)
    if kept.before is None:
        return UndoCall("delete_file", {"path": path})
    return UndoCall("restore_file", {"path": path, "call": context.call_id})


def see_unchanged(context: ToolContext, path: str, left: str | None) -> None:
    """See that the file is as the call left it: to undo the call must not lose what came after it."""
    now = None if context.looks_later else fingerprint(inside(context.folder, path))
    if context.looks_later or now == left:
        return
    if left is None:
        raise CannotUndo(f"There is another {path} by now.")
    raise CannotUndo(f"{path} is no longer there." if now is None else f"{path} was changed again since.")
