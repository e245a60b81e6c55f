"""The page that a newcomer reads first names only what is there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACE = re.compile(r"`((?:web/src|[a-z]+)/[\w/.]*)`")


def test_every_path_on_the_page_exists() -> None:
    named = set(PLACE.findall((ROOT / "docs/architecture.md").read_text()))
    assert len(named) > 60
    homes = (ROOT, ROOT / "src/signoff")
    assert [place for place in sorted(named) if not any((home / place).exists() for home in homes)] == []
