"""Files of a run's folder that a reply hands over, stored before a transaction opens: a large one must not keep it."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

from signoff.deliverables.drafts import StoredFile
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.engine.model.reply import ModelReply
from signoff.engine.model.signals import signals
from signoff.files.media import HEAD
from signoff.files.quota import shown_size
from signoff.kit.db.unavailable import Unavailable
from signoff.kit.errors import Invalid
from signoff.tools.builtin.run_folder import inside
from signoff.tools.registry import ToolFailed

HAND_OVER = "create_deliverable"


@asynccontextmanager
async def files_taken(engine: EngineContext, claimed: ClaimedRun, reply: ModelReply) -> AsyncGenerator[None]:
    """While this is open, what the reply hands over by path is in the file store."""
    for path in set(_paths(reply)):
        try:
            claimed.taken_files[path] = await asyncio.to_thread(take_file, engine, claimed.run.id, path)
        except (Invalid, Unavailable) as refusal:
            claimed.taken_files[path] = refusal
    try:
        yield
    finally:
        claimed.taken_files.clear()


def take_file(engine: EngineContext, run_id: str, path: str) -> StoredFile:
    """Take a file as it is now: small ones into memory, large ones into the file store. An OSError is the file's: what
    the store cannot do is Unavailable."""
    settings = engine.settings
    try:
        place = inside(settings.runs_folder / run_id, path)
        return _taken(engine, place, settings.inline_deliverable_bytes)
    except ToolFailed as refusal:
        raise Invalid(str(refusal)) from refusal
    except FileNotFoundError as error:
        raise Invalid(
            f"There is no file {path[:200]!r} to hand over. Write it first, then hand it over in your next answer."
        ) from error
    except OSError as error:
        raise Invalid(f"The file {path[:200]!r} cannot be read: {error.strerror}.") from error


def _taken(engine: EngineContext, place: Path, most_inline: int) -> StoredFile:
    if not place.is_file():
        raise FileNotFoundError(place)
    size = place.stat().st_size
    if size > engine.settings.max_workspace_bytes:
        raise Invalid(f"The file has {shown_size(size)}, which is more than the workspace can hold.")
    if size <= most_inline:
        with place.open("rb") as file:
            content = file.read(most_inline)
        return StoredFile(len(content), content[:HEAD], content=content)
    key, stored = engine.store.put_file(place)
    return StoredFile(stored, b"".join(engine.store.read(key, 0, HEAD)), file_key=key)


def _paths(reply: ModelReply) -> Iterator[str]:
    written = [(each.tool, each.arguments) for each in signals(reply.text)]
    for tool, arguments in [*((each.tool, each.arguments) for each in reply.calls), *written]:
        path = arguments.get("path") if tool == HAND_OVER and isinstance(arguments, dict) else None
        if isinstance(path, str) and path:
            yield path
