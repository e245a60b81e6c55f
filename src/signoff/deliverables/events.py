"""What a deliverable lets those know who follow its run."""

from typing import TypedDict

from signoff.kit.db.events import EventType


class DeliverableBrief(TypedDict):
    id: str
    run_id: str
    name: str
    type: str
    version: int
    size_bytes: int
    status: str


class DeliverableCreated(TypedDict):
    deliverable: DeliverableBrief


DELIVERABLE_CREATED = EventType("deliverable.created", DeliverableCreated)
