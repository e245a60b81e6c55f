"""Whether the people of a workspace can sign what a workflow's checkpoints want. Pure."""

from collections.abc import Iterator

from signoff.policy.warnings.signers import People, too_few
from signoff.workflows.definition import WorkflowDefinition
from signoff.workflows.reading import Problem

# As the format of rules calls it, and that of workflows.
NAMES = {"require_approval_count": "approvals_required"}


def warnings_of_signers(definition: WorkflowDefinition, people: People) -> Iterator[Problem]:
    """Checkpoints that nobody would ever open."""
    for index, step in enumerate(definition.steps):
        if step.checkpoint is None:
            continue
        wanted = step.checkpoint
        for place, words in too_few(tuple(wanted.approvers), wanted.approvals_required, people):
            path = ".".join(NAMES.get(str(each), str(each)) for each in place)
            yield Problem(step.id, f"steps.{index}.checkpoint.{path}", f"{words[0].upper()}{words[1:]}.")
