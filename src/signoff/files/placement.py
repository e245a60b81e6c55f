"""Files put into a run's folder beside the transaction that says so, and taken out again if that fails."""

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from signoff.files.names import unique_name
from signoff.kit import private_files
from signoff.kit.ids import new_id

# Where the files lie that people gave.
INPUT = "input"


class Placement:
    """What was put into run folders so far."""

    def __init__(self, runs_folder: Path) -> None:
        self._runs = runs_folder
        self._placed = list[Path]()
        self._made = list[Path]()

    def put(self, source: Path, run_id: str, name: str) -> str:
        """Put a file where the run finds given files, under a name that nothing there has; returns its path there."""
        folder = self.folder(run_id) / INPUT
        if not folder.is_dir():
            # A link or a file in its place would lead the file elsewhere, so this fails instead.
            private_files.folder(folder.parent)
            folder.mkdir(mode=private_files.FOLDER)
            self._made.append(folder)
        elif folder.is_symlink():
            raise NotADirectoryError(f"{INPUT} is a link")
        while True:
            unique = unique_name(name, [each.name for each in folder.iterdir()])
            with suppress(FileExistsError):
                _link(source, folder / unique)
                self._placed.append(folder / unique)
                return f"{INPUT}/{unique}"

    def folder(self, run_id: str) -> Path:
        return self._runs / run_id

    def undo(self) -> None:
        """Nothing of it stays."""
        for each in self._placed:
            each.unlink(missing_ok=True)
        for each in self._made:
            # The run may have put something there meanwhile.
            with suppress(OSError):
                each.rmdir()
                each.parent.rmdir()
        self._placed.clear()
        self._made.clear()


@contextmanager
def placement(runs_folder: Path) -> Generator[Placement]:
    """Files that stay if what is done with them does."""
    placed = Placement(runs_folder)
    try:
        yield placed
    except BaseException:
        placed.undo()
        raise


def _link(source: Path, target: Path) -> None:
    """The whole file at once, or FileExistsError."""
    try:
        os.link(source, target)
    except FileExistsError:
        raise
    except OSError:
        # No hard links on this file system: a copy under another name first, so that nobody sees half of it.
        part = target.with_name(f".{new_id()}.part")
        try:
            shutil.copyfile(source, part)
            if target.exists():
                raise FileExistsError(target) from None
            part.rename(target)
        finally:
            part.unlink(missing_ok=True)
