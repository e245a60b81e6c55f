"""A run's folder, handed on to the run that follows it."""

import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def copied_folder(runs_folder: Path, ended_id: str, run_id: str) -> Generator[None]:
    """Copy it before the run exists, so that whoever claims it finds its files there; undone if it never comes."""
    source, copy = runs_folder / ended_id, runs_folder / run_id
    try:
        if source.is_dir():
            # A link stays a link: followed, it would bring in what lies outside.
            shutil.copytree(source, copy, symlinks=True)
        yield
    except BaseException:
        shutil.rmtree(copy, ignore_errors=True)
        raise
