"""Text → what is likely not meant, each with its line and column. None of it keeps rules from being saved."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from signoff.policy.format.rule_file import CheckpointRule, RuleFile
from signoff.policy.problems import MOST_PROBLEMS, RuleProblem
from signoff.policy.warnings.channels import notification_problems
from signoff.policy.warnings.never_reached import never_reached
from signoff.policy.warnings.signers import People, signer_problems
from signoff.policy.warnings.workflows import start_problems
from signoff.policy.yaml.positions import Node
from signoff.policy.yaml.read import read_with_places


def find_warnings(
    text: str, people: People | None = None, channels: Sequence[str] = (), workflows: Sequence[str] = ()
) -> list[RuleProblem]:
    """In the order of the text. Without people, only what the text itself tells. Raises BadRules, as reading does.

    `channels` are the names and kinds of those that are on, `workflows` the slugs of those that are deployed."""
    rule_file, root = read_with_places(text)
    found = _never_reached(rule_file, root)
    if people is not None:
        found = chain(
            found,
            _signers(rule_file, root, people),
            _told(rule_file, root, people, channels),
            _started(rule_file, root, workflows),
        )
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


def _told(rule_file: RuleFile, root: Node, people: People, channels: Sequence[str]) -> Iterator[RuleProblem]:
    for steps, rule in rule_file.rules():
        for inside, message in notification_problems(rule.action, people, channels) if rule.enabled else ():
            yield RuleProblem(*root.find((*steps, "action", *inside)).place, message)


def _started(rule_file: RuleFile, root: Node, workflows: Sequence[str]) -> Iterator[RuleProblem]:
    for steps, rule in rule_file.rules():
        trigger = rule.trigger if isinstance(rule, CheckpointRule) else rule.conditions
        for inside, message in start_problems(rule.action, trigger, workflows) if rule.enabled else ():
            yield RuleProblem(*root.find((*steps, "action", *inside)).place, message)
