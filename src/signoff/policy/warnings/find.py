"""Text → what is likely not meant, each with its line and column. None of it keeps rules from being saved."""

from collections.abc import Iterator
from itertools import chain, islice

from signoff.policy.format.rule_file import CheckpointRule, RuleFile
from signoff.policy.problems import MOST_PROBLEMS, RuleProblem
from signoff.policy.warnings.never_reached import never_reached
from signoff.policy.warnings.signers import People, signer_problems
from signoff.policy.yaml.positions import Node
from signoff.policy.yaml.read import read_with_places


def find_warnings(text: str, people: People | None = None) -> list[RuleProblem]:
    """In the order of the text. Without people, only what the text itself tells. Raises BadRules, as reading does."""
    rule_file, root = read_with_places(text)
    found = chain(_never_reached(rule_file, root), _signers(rule_file, root, people) if people else ())
    return sorted(islice(found, MOST_PROBLEMS))


def _never_reached(rule_file: RuleFile, root: Node) -> Iterator[RuleProblem]:
    for steps, message in never_reached(rule_file):
        yield RuleProblem(*root.find((*steps, "name")).place, message)


def _signers(rule_file: RuleFile, root: Node, people: People) -> Iterator[RuleProblem]:
    for steps, rule in rule_file.rules():
        if not rule.enabled or not isinstance(rule, CheckpointRule) or rule.action.kind != "ask":
            continue
        for inside, message in signer_problems(rule, people):
            yield RuleProblem(*root.find((*steps, "action", *inside)).place, message)
