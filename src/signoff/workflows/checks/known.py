"""What there is in a workspace for a workflow to name."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice

from signoff.kit.jsons import JsonObject
from signoff.policy.warnings.signers import People
from signoff.workflows.definition import WorkflowDefinition

# A name is compared with so many others, and none that is longer than people write.
MOST_COMPARED, LONGEST_COMPARED = 200, 60


@dataclass(frozen=True)
class Known:
    """What there is in the workspace, by name."""

    # With what their output must fit, if anything.
    agents: Mapping[str, JsonObject | None] = field(default_factory=dict[str, "JsonObject | None"])
    # As they are deployed, or else as they were saved last.
    workflows: Mapping[str, WorkflowDefinition] = field(default_factory=dict[str, WorkflowDefinition])
    # With the schema of their arguments.
    tools: Mapping[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    # Who may sign at checkpoints, where that is looked at.
    people: People | None = None
    # Tools that work with what an agent has, or its run was granted.
    tools_of_agents: frozenset[str] = frozenset()
    # Workflows that cannot start yet.
    drafts: frozenset[str] = frozenset()


def close_name(given: str, there: Iterable[str]) -> str:
    """The name that was perhaps meant."""
    if len(given) > LONGEST_COMPARED:
        return ""
    names = (each for each in there if len(each) <= LONGEST_COMPARED)
    close = difflib.get_close_matches(given, list(islice(names, MOST_COMPARED)), n=1)
    return f" Did you mean {close[0]!r}?" if close else ""
