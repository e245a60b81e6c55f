"""Whether a rule starts a workflow that is there. Pure."""

from collections.abc import Iterator, Sequence

from signoff.policy.call import CHECKPOINT
from signoff.policy.format.rule_actions import ActionSpec
from signoff.policy.format.triggers import Trigger
from signoff.policy.problems import closest
from signoff.policy.warnings.signers import Steps


def start_problems(action: ActionSpec, trigger: Trigger, deployed: Sequence[str]) -> Iterator[tuple[Steps, str]]:
    """Where in its action a rule names a workflow that cannot be started."""
    wanted = action.start_workflow
    if wanted is None:
        return
    if CHECKPOINT in {*trigger.tool, *trigger.operation_type}:
        yield ("start_workflow",), "a checkpoint is no call: there the rule starts nothing"
    if wanted.workflow in deployed:
        return
    meant = closest(wanted.workflow, deployed)
    hint = f"did you mean `{meant}`?" if meant else "until there is, the rule starts nothing"
    yield ("start_workflow",), f"no workflow `{wanted.workflow}` is deployed; {hint}"
