"""The guide's rules are read as they are printed, and it names every key."""

import re
from pathlib import Path

import pytest

from signoff.policy.format.rule_actions import ActionSpec
from signoff.policy.format.triggers import Example, Trigger
from signoff.policy.operators import OPERATORS
from tests.policy.trying import problems

GUIDE = (Path(__file__).parents[2] / "docs" / "guide" / "rules.md").read_text()
BLOCKS = re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS)
def test_the_guides_rules_can_be_read(block: str) -> None:
    assert "checkpoints:" in block
    assert problems(block) == []


@pytest.mark.parametrize("key", [*Trigger.model_fields, *ActionSpec.model_fields, *Example.model_fields, *OPERATORS])
def test_the_guide_names_every_key_and_operator(key: str) -> None:
    assert re.search(rf"`{re.escape(key)}[`:]", GUIDE)


@pytest.mark.parametrize(
    ("wrote", "put"),
    [
        ("risk_level: hihg", "trigger: {{{}}}"),
        ("operator: gt", "trigger: {{data_threshold: {{field: x, {}, value: 1}}}}"),
        ("confidence: >= 0.8", "trigger:\n      {}"),
        ("operator: >", "trigger:\n      data_threshold:\n        {}\n        value: 1"),
        ("tool: *_file", "trigger: {{{}}}"),
        ('confidence: ">= 80"', "trigger: {{{}}}"),
        ("timezone: America/New_Yorck", "trigger: {{hours: {{{}, monday: disabled}}}}"),
        ("monday: 9-17", "trigger: {{hours: {{{}}}}}"),
        ("enabled: yes", "{}"),
    ],
)
def test_the_guide_quotes_what_people_read(wrote: str, put: str) -> None:
    (row,) = [line for line in GUIDE.splitlines() if line.startswith(f"| `{wrote}`")]
    quoted = row.split(" | ", 1)[1].removesuffix(" |").replace("\\`", "`").removesuffix("…").strip()
    found = problems(f"checkpoints:\n  - name: it\n    action: ask\n    {put.format(wrote)}\n")
    assert any(message.startswith(quoted) for _, _, message in found), found
