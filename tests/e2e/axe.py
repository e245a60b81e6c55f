"""What axe finds on a page: nothing serious, in light and in dark."""

from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
# All that depends on the colour scheme.
COLOURS = {"type": "rule", "values": ["color-contrast"]}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


@cache
def _source() -> str:
    return AXE.read_text()


def check_accessible(page: Page, rules: object = RULES) -> None:
    # Half-faded things have no colour to judge.
    page.add_style_tag(content="*, *::before, *::after { animation: none !important; transition: none !important }")
    # Evaluated by the test, not loaded by the page: the page's own rules forbid that.
    if not page.evaluate("'axe' in window"):
        page.evaluate(_source())
    found: list[Any] = page.evaluate(
        "rules => axe.run(document, { runOnly: rules }).then(found => found.violations.map("
        "v => [v.id, v.impact, v.nodes.map(n => [n.target.join(' '), n.failureSummary])]))",
        rules,
    )
    assert found == [], f"{page.url}: {found}"


def check_light_and_dark(page: Page) -> None:
    for scheme, rules in (("light", RULES), ("dark", COLOURS)):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(
            "scheme => document.documentElement.getAttribute('data-mantine-color-scheme') === scheme", arg=scheme
        )
        check_accessible(page, rules)
