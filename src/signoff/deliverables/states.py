"""What a deliverable's status may become."""

from enum import StrEnum

from signoff.kit.errors import Conflict
from signoff.kit.states import Machine


class DeliverableStatus(StrEnum):
    DRAFT = "draft"
    FINAL = "final"
    # Kept, and out of the lists unless asked for.
    ARCHIVED = "archived"


DELIVERABLE = Machine(
    {
        DeliverableStatus.DRAFT: frozenset({DeliverableStatus.FINAL, DeliverableStatus.ARCHIVED}),
        DeliverableStatus.FINAL: frozenset({DeliverableStatus.ARCHIVED}),
        DeliverableStatus.ARCHIVED: frozenset({DeliverableStatus.FINAL}),
    }
)


class IllegalStatus(Conflict):
    """A deliverable that was final is no draft again: hand over a new version."""

    code = "illegal_status"
