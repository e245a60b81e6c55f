"""The guide's connections can be set up as they are printed, and its tools are the ones that there are."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from signoff.connections.schemas import ConnectionIn
from signoff.tools.connections.kinds import KINDS
from signoff.tools.connections.port import Connected

GUIDE = Path(__file__).parents[3] / "docs" / "guide" / "connections"
PAGES = {path.stem: path.read_text() for path in GUIDE.glob("*.md") if path.stem != "README"}


@pytest.mark.parametrize("kind", PAGES)
def test_a_connection_in_the_guide_can_be_set_up_and_has_these_tools(kind: str) -> None:
    (block,) = re.findall(r"```json\n(.*?)```", PAGES[kind], flags=re.DOTALL)
    given: dict[str, Any] = json.loads(block)
    body, made = ConnectionIn.model_validate(given), KINDS[given["kind"]]
    assert made.check(body.settings) == []
    assert made.secret_names is None or set(body.secrets) <= made.secret_names
    tools = made.tools(Connected("id", "w", body.slug, body.slug, body.settings, lambda: body.secrets))
    named = set(re.findall(rf"`({body.slug}__[a-z_]+)", PAGES[kind]))
    assert named == {tool.name for tool in tools}
    overview = (GUIDE / "README.md").read_text()
    assert all(f"`{tool.name.partition('__')[2]}`" in overview for tool in tools)


def test_every_kind_that_is_built_in_has_a_page() -> None:
    assert set(PAGES) == KINDS.keys() - {"mcp"}
