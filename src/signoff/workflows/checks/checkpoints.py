"""Whether anything would come of what a workflow's checkpoints want: of whom, and within what time. Pure."""

from collections.abc import Iterator

from signoff.policy.warnings.signers import People, too_few
from signoff.workflows.definition import Step, WorkflowDefinition
from signoff.workflows.reading import Problem

# As the format of rules calls it, and that of workflows.
NAMES = {"require_approval_count": "approvals_required"}


def problems_of_time(step: Step) -> Iterator[tuple[str, str]]:
    """What a checkpoint says about time, and nobody would ever heed."""
    wanted = step.checkpoint
    if wanted is None or wanted.on_timeout is None:
        return
    if wanted.on_timeout == "escalate":
        words = "A workflow cannot say whom to tell. Write a rule with `tool: checkpoint` and an `escalation`."
        yield "checkpoint.on_timeout", words
    elif wanted.timeout_minutes is None:
        yield "checkpoint.on_timeout", "It needs a `timeout_minutes`; write for example `timeout_minutes: 60`."


def warnings_of_signers(definition: WorkflowDefinition, people: People) -> Iterator[Problem]:
    """Checkpoints that nobody would ever open."""
    for index, step in enumerate(definition.steps):
        if step.checkpoint is None:
            continue
        wanted = step.checkpoint
        for place, words in too_few(tuple(wanted.approvers), wanted.approvals_required, people):
            path = ".".join(NAMES.get(str(each), str(each)) for each in place)
            yield Problem(step.id, f"steps.{index}.checkpoint.{path}", f"{words[0].upper()}{words[1:]}.")
