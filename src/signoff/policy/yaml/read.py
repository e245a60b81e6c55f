"""Text → rules, or every problem with its line and column."""

from collections.abc import Iterator
from itertools import chain, islice

from pydantic import ValidationError

from signoff.policy.format.rule_file import RuleFile
from signoff.policy.problems import MOST_PROBLEMS, BadRules, RuleProblem
from signoff.policy.yaml.examples import failed_examples
from signoff.policy.yaml.positions import Node, read_yaml
from signoff.policy.yaml.wording import problems_of

__all__ = ["BadRules", "RuleProblem", "read_node", "read_rules", "read_with_places"]


def read_rules(text: str, *, stored: bool = False) -> RuleFile:
    """The rules that a text holds; an empty text holds none. Raises BadRules with what is wrong.

    What is `stored` may be longer than what is taken in now: rules that were in force stay so.
    """
    return read_with_places(text, stored=stored)[0]


def read_with_places(text: str, *, stored: bool = False) -> tuple[RuleFile, Node]:
    """The rules, and where each part of them stands."""
    root = read_yaml(text, stored=stored)
    return (RuleFile() if root.value is None else read_node(root)), root


def read_node(root: Node) -> RuleFile:
    """The rules that a block of YAML holds."""
    try:
        rule_file = RuleFile.model_validate(root.value)
    except ValidationError as error:
        raise BadRules(problems_of(error, root)) from None
    problems = list(islice(chain(_names_used_twice(rule_file, root), _failed_examples(rule_file, root)), MOST_PROBLEMS))
    if problems:
        raise BadRules(problems)
    return rule_file


def _names_used_twice(rule_file: RuleFile, root: Node) -> Iterator[RuleProblem]:
    first = dict[str, int]()
    for steps, rule in rule_file.rules():
        line, column = root.find((*steps, "name")).place
        if rule.name in first:
            message = f'the name "{rule.name}" is already used in line {first[rule.name]}; give each rule its own'
            yield RuleProblem(line, column, message)
        first.setdefault(rule.name, line)


def _failed_examples(rule_file: RuleFile, root: Node) -> Iterator[RuleProblem]:
    for steps, rule in rule_file.rules():
        for kind, number, message in failed_examples(rule):
            yield RuleProblem(*root.find((*steps, "examples", kind, number)).place, message)
