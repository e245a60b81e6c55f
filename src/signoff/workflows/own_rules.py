"""The rules that workflows bring along: read, checked, and put beside those of the workspace."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sqlalchemy.orm import Session

from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.policy.compiled import OwnRules, Policy, compile_policy
from signoff.policy.problems import BadRules, RuleProblem
from signoff.policy.yaml.positions import MOST_BYTES_IN, Index, Node, read_yaml
from signoff.policy.yaml.read import read_node, read_rules
from signoff.workflows.definition import WorkflowDefinition
from signoff.workflows.queries import frozen

ONLY_STRICTER = (
    "A workflow's own rules ask or deny. What is approved automatically stands in the workspace's rules: "
    "write it there, with the trigger `workflow`."
)
MOST_KNOWN = 500
ASK_ALWAYS = 'checkpoints: [{name: "The rules of the workflow cannot be read", action: ask}]'
log = logging.getLogger(__name__)
# What a revision says never changes.
_COMPILED: dict[str, OwnRules] = {}


def problems_of_rules(definition: WorkflowDefinition) -> Iterator[tuple[str, str]]:
    """What is wrong with a workflow's rules: the place of each, and what to do."""
    if not definition.rules:
        return
    if len(jsons.dumps(definition.rules)) > MOST_BYTES_IN:
        yield "rules", f"They are too long: at most {MOST_BYTES_IN:,} characters go."
        return
    root = _root(definition.rules)
    try:
        read = read_node(root)
    except BadRules as bad:
        yield from ((_path(root, each), each.message) for each in bad.problems)
        return
    for index, rule in enumerate(read.checkpoints):
        if rule.action.kind == "auto_approve":
            yield f"rules.{index}.action", ONLY_STRICTER


def with_revisions(session: Session, policy: Policy, revision_ids: Sequence[str]) -> Policy:
    """Rules of a workspace with those of these revisions beside them."""
    own = tuple(each for each in (_compiled(session, revision_id) for revision_id in revision_ids) if each)
    return replace(policy, own=own) if own else policy


def _compiled(session: Session, revision_id: str) -> OwnRules | None:
    definition = frozen(session, revision_id)
    if not definition.rules:
        return None
    known = _COMPILED.get(revision_id)
    if known is None:
        if len(_COMPILED) >= MOST_KNOWN:
            _COMPILED.clear()
        known = _COMPILED[revision_id] = _own_rules(definition)
    return known


def _own_rules(definition: WorkflowDefinition) -> OwnRules:
    try:
        read = read_node(_root(definition.rules))
    except BadRules:
        log.exception("the rules of the workflow %s cannot be read: every call asks", definition.slug)
        read = read_rules(ASK_ALWAYS)
    strict = tuple(rule for rule in read.checkpoints if rule.action.kind != "auto_approve")
    return OwnRules(definition.name, compile_policy(read.model_copy(update={"checkpoints": strict})))


def _root(given: list[JsonObject]) -> Node:
    """As the checkpoints of a file of rules, so that the same reader reads them: what is JSON is YAML, too."""
    listed = read_yaml(jsons.dumps(given), stored=True)
    return Node(listed.place, {"checkpoints": listed.value}, listed.key, {"checkpoints": listed})


def _path(root: Node, problem: RuleProblem) -> str:
    place = (problem.line, problem.column)
    found = next(_paths_at(root.inside["checkpoints"], place, ()), ())
    return ".".join(str(each) for each in ("rules", *found))


def _paths_at(node: Node, place: tuple[int, int], steps: tuple[Index, ...]) -> Iterator[tuple[Index, ...]]:
    """Where something stands, the innermost first."""
    for step, inside in node.inside.items():
        yield from _paths_at(inside, place, (*steps, step))
    if place in (node.place, node.key):
        yield steps
