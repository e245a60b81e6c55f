"""What changed rules let those know who follow their workspace."""

from typing import TypedDict

from signoff.kit.db.events import EventType


class RulesChanged(TypedDict):
    version: int
    stopped: bool


RULES_CHANGED = EventType("rules.changed", RulesChanged)
