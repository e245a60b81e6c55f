"""A rule put into a text of rules, with everything else left as it stands. Pure."""

import difflib
from typing import Any

import yaml

from signoff.kit.jsons import JsonObject

INDENT = 4


def with_rule(text: str, rule: JsonObject) -> str:
    """The text with one more auto-approval rule at the end of its list; comments and order stay."""
    body = text if not text or text.endswith("\n") else text + "\n"
    rules = _rules_of(body)
    if rules is not None:
        made = _inserted(body, rules, rule)
    else:
        made = _rewritten(body, rule) if _has_section(body) else body + _section(rule)
    return made if _is_whole(made) else _rewritten(body, rule)


def _is_whole(text: str) -> bool:
    """Whether adding to the text left it readable; one in braces, or with an end mark, cannot be added to."""
    try:
        return isinstance(yaml.safe_load(text), dict)
    except yaml.YAMLError:
        return False


def difference(before: str, after: str) -> str:
    """What changed, as a unified diff."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "rules", "rules with suggestion", lineterm="")
    return "\n".join(lines)


def _has_section(text: str) -> bool:
    content: Any = yaml.safe_load(text)
    return isinstance(content, dict) and "auto_approval" in content


def _rules_of(text: str) -> yaml.SequenceNode | None:
    """The list of auto-approval rules, where it is written as a block that can be added to."""
    whole: yaml.Node | None = yaml.SafeLoader(text).get_single_node()
    rules = _child(_child(whole, "auto_approval"), "rules")
    return rules if isinstance(rules, yaml.SequenceNode) and rules.value and not rules.flow_style else None


def _child(node: yaml.Node | None, name: str) -> yaml.Node | None:
    if not isinstance(node, yaml.MappingNode):
        return None
    pairs: list[tuple[yaml.Node, yaml.Node]] = node.value
    return next((value for key, value in pairs if key.value == name), None)


def _inserted(text: str, rules: yaml.SequenceNode, rule: JsonObject) -> str:
    lines = text.splitlines(keepends=True)
    at = _last_line(rules) + 1
    return "".join([*lines[:at], _item(rule, rules.start_mark.column), *lines[at:]])


def _last_line(node: yaml.Node) -> int:
    """The line of the last thing written in a node; a block's own end lies behind comments and empty lines."""
    if isinstance(node, yaml.ScalarNode):
        return node.end_mark.line - (1 if node.end_mark.column == 0 else 0)
    inside: list[Any] = node.value
    last = inside[-1][1] if isinstance(node, yaml.MappingNode) else inside[-1]
    return _last_line(last) if last.value else last.end_mark.line


def _section(rule: JsonObject) -> str:
    return f"auto_approval:\n  enabled: true\n  rules:\n{_item(rule, INDENT)}"


def _item(rule: JsonObject, column: int) -> str:
    dumped = yaml.safe_dump([rule], sort_keys=False, allow_unicode=True, width=120)
    return "".join(f"{' ' * column}{line}\n" for line in dumped.splitlines())


def _rewritten(text: str, rule: JsonObject) -> str:
    """An empty or inline list has no place to add to: the whole is written anew."""
    content: JsonObject = yaml.safe_load(text) or {}
    section: JsonObject = content.get("auto_approval") or {}
    content["auto_approval"] = {"enabled": True, **section, "rules": [*(section.get("rules") or []), rule]}
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=120)
