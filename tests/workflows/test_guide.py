"""The guide's workflows are valid as they are printed, its tables name every field, its commands exist."""

import re
from pathlib import Path

import pytest
import yaml
from typer.main import get_command

from signoff.cli import app
from signoff.workflows.definition import (
    MOST_STEPS,
    RESERVED,
    Checkpoint,
    Step,
    WorkflowDefinition,
)
from tests.house import House

GUIDE = Path(__file__).parents[2] / "docs/guide/workflows/README.md"
PAGE = GUIDE.read_text()
EXAMPLES = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture
def kind() -> str:
    return "sqlite"


@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: yaml.safe_load(text)["slug"])
def test_an_example_can_be_saved_as_it_is_printed(house: House, text: str):
    if house.client.get("/api/agents/assistant").status_code == 404:
        house.agent("assistant", "demo:assistant")
    checked = house.post("/api/workflows/validate", {"yaml": text})
    assert (checked["ok"], checked["errors"]) == (True, [])
    house.post("/api/workflows", {"yaml": text}, 201)


def test_every_field_is_in_a_table():
    rows = re.findall(r"^\| (`[^|]*) \|", PAGE, re.MULTILINE)
    told = set(re.findall(r"`(\w+)`", " ".join(rows)))
    for part in (WorkflowDefinition, Step, Checkpoint):
        assert set(part.model_fields) - told == set(), part.__name__
    assert f"1 to {MOST_STEPS}" in PAGE
    assert all(f"`{name}`" in PAGE for name in RESERVED)


def test_every_command_is_on_the_page_and_every_one_on_the_page_exists():
    commands = set(get_command(app).commands["workflows"].commands)  # type: ignore[attr-defined]
    assert set(re.findall(r"^signoff workflows (\w+)", PAGE, re.MULTILINE)) == commands


def test_every_file_that_it_shows_is_there():
    linked = re.findall(r"\]\(((?:\.\./)+src/[^)]*)\)", PAGE)
    assert len(linked) == 4
    assert [each for each in linked if not (GUIDE.parent / each).is_file()] == []
