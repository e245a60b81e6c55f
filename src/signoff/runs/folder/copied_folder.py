"""A run's folder, handed on to the run that follows it."""

import shutil
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from signoff.kit import private_files


@contextmanager
def copied_folder(
    runs_folder: Path, ended_id: str, run_id: str, only: Sequence[str] | None = None
) -> Generator[list[str]]:
    """Copy it before the run exists, so that whoever claims it finds its files there; undone if it never comes.

    With `only`, just these files, if they are still there. Gives which of them are.
    """
    source, copy = runs_folder / ended_id, runs_folder / run_id
    try:
        if only is not None:
            yield [path for path in only if _copied(source / path, copy / path)]
            return
        if source.is_dir():
            # A link stays a link: followed, it would bring in what lies outside.
            shutil.copytree(source, copy, symlinks=True)
        yield []
    except BaseException:
        shutil.rmtree(copy, ignore_errors=True)
        raise


def _copied(source: Path, copy: Path) -> bool:
    if source.is_symlink() or source.parent.is_symlink() or not source.is_file():
        return False
    private_files.folder(copy.parent)
    shutil.copyfile(source, copy)
    return True
