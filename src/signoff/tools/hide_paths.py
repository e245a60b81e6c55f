"""Where the server lives is nobody's business: paths in what a tool says about its failure."""

import re
import sys
from pathlib import Path

HIDDEN = "[a path of the server]"
# Where a path ends inside a sentence.
REST = r"(?:/[^\s'\"`,;:()\[\]<>]*)?"


def without_paths(text: str, folder: Path, data: Path) -> str:
    """The text with paths of the run's folder relative to it, and every other path of this installation hidden."""
    for own in _spellings(folder):
        text = re.sub(re.escape(own) + r"/?", "", text)
    return re.sub(f"(?:{'|'.join(re.escape(root) for root in _roots(data))}){REST}", HIDDEN, text)


def _roots(data: Path) -> list[str]:
    places = (data, Path.cwd(), Path.home(), Path(__file__).parents[1], Path(sys.prefix), Path(sys.base_prefix))
    roots = {root for place in places for root in _spellings(place) if root != "/"}
    return sorted(roots, key=len, reverse=True)


def _spellings(place: Path) -> list[str]:
    """Longest first: one may be the beginning of the other."""
    return sorted({str(place.absolute()), str(place.resolve())}, key=len, reverse=True)
