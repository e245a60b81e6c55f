"""A suggested rule is put into the text of the rules; everything else stays as it stands."""

import pytest
import yaml

from signoff.insights.insert_rule import difference, with_rule
from signoff.policy.yaml.positions import read_yaml
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


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("# Why\nauto_approval: {enabled: false, rules: []}  # off\ncheckpoints: []", 1),
        ("# Why\nauto_approval:  # later\n# Next\ncheckpoints: []  # none\n", 0),
        ("# Why\nauto_approval:\n    rules: []\n    # on\n    enabled: true\n", 1),
        ("# Why\nauto_approval:\n  enabled: yes  # as we say\n", 0),
        ("auto_approval:\n  rules: [\n    {name: a, conditions: {tool: x}}, # one\n  ]\n", 1),
        ("auto_approval:\n  rules: ~ # none\n  enabled: true\n", 1),
    ],
)
def test_comments_stay_wherever_the_rule_goes(text: str, lost: int) -> None:
    after = with_rule(text, RULE)
    changed = [line for line in difference(text, after).splitlines() if line.startswith("-") and line[:3] != "---"]
    assert (len(changed), after.count("#")) == (lost, text.count("#"))
    assert read_yaml(after).value["auto_approval"]["rules"][-1] == RULE


def test_what_stands_elsewhere_keeps_its_meaning() -> None:
    """Other readers of YAML take `yes` for true and 010 for eight; ours does not."""
    text = "auto_approval: {}\nother: {answer: yes, number: 010, sum: 1_000, day: 2026-01-01}\n"
    assert read_yaml(with_rule(text, RULE)).value["other"] == read_yaml(text).value["other"]


def test_a_name_that_looks_like_a_number_stays_a_name() -> None:
    rule = {**RULE, "name": "1e3"}
    assert read_yaml(with_rule(OLD, rule)).value["auto_approval"]["rules"][1] == rule
