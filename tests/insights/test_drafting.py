"""A suggested rule is put into the text of the rules; everything else stays as it stands."""

import pytest
import yaml

from signoff.insights.insert_rule import difference, with_rule
from signoff.policy.yaml.read import read_rules

RULE = {"name": "New", "conditions": {"tool": "t"}, "action": {"auto_approve": True}}
OLD = """\
# Ours.
auto_approval:
  enabled: true   # on
  rules:
    - name: Old
      conditions: {tool: x}
      action:
        auto_approve: true

# The end.
checkpoints:
  - name: Two
    action: ask
"""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing yet\n",
        "checkpoints:\n  - name: Two\n    action: ask",
        OLD,
        "auto_approval: {enabled: false, rules: []}\n",
        "auto_approval:\n  rules:\n  - name: Old\n    conditions: {tool: x}\n    action: auto_approve\n",
    ],
)
def test_the_result_is_valid_and_has_one_rule_more(text: str) -> None:
    before, after = read_rules(text), read_rules(with_rule(text, RULE))
    assert [rule.name for _, rule in after.rules()] == [*[rule.name for _, rule in before.rules()], "New"]


def test_comments_and_order_stay() -> None:
    after = with_rule(OLD, RULE)
    added = [line[1:] for line in difference(OLD, after).splitlines() if line.startswith("+") and line[:3] != "+++"]
    assert len(after.splitlines()) == len(OLD.splitlines()) + len(added)
    assert not [line for line in difference(OLD, after).splitlines() if line.startswith("-") and line[:3] != "---"]
    assert yaml.safe_load(after)["auto_approval"]["rules"][1] == RULE
