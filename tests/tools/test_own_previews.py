"""Previews of tools that somebody wrote: whatever is in them, people can be told."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from signoff.asks.effects.previews import in_lines
from signoff.kit.settings import Settings
from signoff.tools.effects import Preview
from signoff.tools.previews import make_preview
from signoff.tools.registry import ToolContext, tool

FIELDS = {"fields": [{"label": "To", "value": "Ann"}]}


def shown(tmp_path: Path, kind: Any, detail: Any) -> Any:
    @tool(risk="high", preview=lambda _context, _arguments: Preview(kind, "It changes something", detail))
    def change() -> str:
        """Change something."""
        return "changed"

    context = ToolContext("w", "r", "a", "c", tmp_path, Settings(), SimpleNamespace())
    return make_preview(change, context, {})


@pytest.mark.parametrize("detail", [{}, {"diff": 1}, {"fields": None}, {"fields": [{"label": "To"}]}, {"before": {}}])
def test_what_does_not_fit_its_kind_is_told_in_words(tmp_path: Path, detail: Any) -> None:
    for kind in ("diff", "fields", "rows", "mail", "request", "text"):
        found = shown(tmp_path, kind, detail)
        assert in_lines(found, None)[0] == "It changes something"
        assert found["kind"] in (kind, "text")


def test_what_fits_is_shown_as_it_is(tmp_path: Path) -> None:
    diff = shown(tmp_path, "diff", {"diff": "-one\n+two"})
    assert (diff["kind"], in_lines(diff, None)) == ("diff", ["It changes something", "-one\n+two"])
    fields = shown(tmp_path, "fields", FIELDS)
    assert (fields["kind"], in_lines(fields, None)) == ("fields", ["It changes something", "To: Ann"])
