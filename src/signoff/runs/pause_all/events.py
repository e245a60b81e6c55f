"""What those hear who follow a workspace when everything is paused, or goes on."""

from typing import TypedDict

from signoff.kit.db.events import EventType


class PauseAllChanged(TypedDict):
    enabled: bool
    by: str


PAUSE_ALL_CHANGED = EventType("pause_all.changed", PauseAllChanged)
