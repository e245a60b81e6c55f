"""A rule put into a text of rules, with everything else left as it stands. Pure."""

import difflib
import json
from typing import Any

import yaml

from signoff.kit.jsons import JsonObject
from signoff.policy.problems import BadRules
from signoff.policy.yaml.positions import PARSER, read_yaml

# The same parser that reads rules, with nodes on top: places only, nothing is constructed.
_LOADER: Any = PARSER


def with_rule(text: str, rule: JsonObject) -> str:
    """The text with one more auto-approval rule at the end of its list; comments, quotes and order stay."""
    whole = _whole(text, rule)
    made = _inserted(text if not text or text.endswith("\n") else text + "\n", rule)
    # A text that would say anything else than "the same and one rule more" is never suggested.
    return made if _says(made, whole) else json.dumps(whole, ensure_ascii=False, indent=2) + "\n"


def difference(before: str, after: str) -> str:
    """What changed, as a unified diff."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "rules", "rules with suggestion", lineterm="")
    return "\n".join(lines)


def _value(text: str) -> Any:
    return read_yaml(text, stored=True).value


def _says(text: str, value: JsonObject) -> bool:
    try:
        return _value(text) == value
    except BadRules:
        return False


def _whole(text: str, rule: JsonObject) -> JsonObject:
    """What the text with the rule has to say."""
    content: JsonObject = _value(text) or {}
    section: JsonObject = {"enabled": True} if content.get("auto_approval") is None else content["auto_approval"]
    return {**content, "auto_approval": {**section, "rules": [*(section.get("rules") or []), rule]}}


def _inserted(text: str, rule: JsonObject) -> str:
    root: yaml.Node | None = _LOADER(text).get_single_node()
    section = _child(root, "auto_approval")
    rules = _child(section, "rules")
    if isinstance(rules, yaml.SequenceNode) and rules.value:
        return _appended(text, rules, rule)
    if rules is not None:
        return _instead(text, section, rules, _list(rule), [rule])
    if isinstance(section, yaml.MappingNode):
        return _first_key(text, section, "rules", _list(rule), [rule])
    if section is not None:
        return _instead(text, root, section, _section(rule, 0), _section_value(rule))
    if isinstance(root, yaml.MappingNode) and root.flow_style:
        return _first_key(text, root, "auto_approval", "", _section_value(rule))
    # Before a mark that ends the document, if there is one.
    at = root.end_mark.index if root and text[root.end_mark.index :].strip() else len(text)
    return f"{text[:at]}auto_approval:\n{_section(rule, 2)}{text[at:]}"


def _child(node: yaml.Node | None, name: str) -> yaml.Node | None:
    if not isinstance(node, yaml.MappingNode):
        return None
    pairs: list[tuple[yaml.Node, yaml.Node]] = node.value
    return next((value for key, value in pairs if key.value == name), None)


def _appended(text: str, rules: yaml.SequenceNode, rule: JsonObject) -> str:
    """Below the last rule of a list, or behind it within brackets."""
    if not rules.flow_style:
        return _below(text, _last_line(rules), _indented(_list(rule), rules.start_mark.column))
    at = rules.value[-1].end_mark.index
    return f"{text[:at]}, {_inline(rule)}{text[at:]}"


def _instead(text: str, parent: yaml.Node | None, node: yaml.Node, block: str, value: Any) -> str:
    """In the place of a value that says nothing: `null`, `[]`, or not a word."""
    start, end = node.start_mark, node.end_mark
    before, behind = text[: start.index].rstrip(" "), text[end.index :]
    if not isinstance(parent, yaml.MappingNode) or parent.flow_style or start.line != end.line:
        return f"{before} {_inline(value)}{behind}"
    return _below(before + behind, start.line, _indented(block, parent.start_mark.column + 2))


def _first_key(text: str, parent: yaml.MappingNode, key: str, block: str, value: Any) -> str:
    if parent.flow_style:
        at = parent.start_mark.index + 1
        return f"{text[:at]}{_name(key, parent)}: {_inline(value)}{', ' if parent.value else ''}{text[at:]}"
    at, column = parent.start_mark.index, parent.start_mark.column
    return f"{text[:at]}{key}:\n{_indented(block, column + 2)}{' ' * column}{text[at:]}"


def _below(text: str, line: int, block: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join([*lines[: line + 1], block, *lines[line + 1 :]])


def _name(key: str, block: yaml.MappingNode) -> str:
    """Quoted where its neighbours are, as in a text that is JSON."""
    pairs: list[tuple[yaml.ScalarNode, yaml.Node]] = block.value
    return json.dumps(key) if pairs and pairs[0][0].style == '"' else key


def _last_line(node: yaml.Node) -> int:
    """The line of the last thing written in a node; a block's own end lies behind comments and empty lines."""
    if isinstance(node, yaml.ScalarNode):
        return node.end_mark.line - (1 if node.end_mark.column == 0 else 0)
    inside: list[Any] = node.value
    last = inside[-1][1] if isinstance(node, yaml.MappingNode) else inside[-1]
    return _last_line(last) if last.value else last.end_mark.line


def _section_value(rule: JsonObject) -> JsonObject:
    return {"enabled": True, "rules": [rule]}


def _section(rule: JsonObject, column: int) -> str:
    return _indented(f"enabled: true\nrules:\n{_indented(_list(rule), 2)}", column)


def _list(rule: JsonObject) -> str:
    return yaml.safe_dump([rule], sort_keys=False, allow_unicode=True, width=120)


def _indented(block: str, column: int) -> str:
    return "".join(f"{' ' * column}{line}\n" for line in block.splitlines())


def _inline(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
