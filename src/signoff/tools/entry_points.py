"""Tools of other packages: each names its tools under the entry point group `signoff.tools`."""

import logging
from importlib.metadata import entry_points

from signoff.tools.registry import Tool

log = logging.getLogger(__name__)
GROUP = "signoff.tools"


def installed_tools() -> list[Tool]:
    """Every tool that an installed package offers; one that cannot be loaded is reported and left out."""
    found = list[Tool]()
    for entry in entry_points(group=GROUP):
        try:
            tool = entry.load()
        except Exception:
            log.exception("the tool %s could not be loaded", entry.name)
            continue
        if isinstance(tool, Tool):
            found.append(tool)
        else:
            log.error("the entry point %s is no tool: make it one with @tool(...)", entry.name)
    return found
