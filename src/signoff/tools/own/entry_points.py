"""Tools of installed packages: each names its tools under the entry point group `signoff.tools`."""

import logging
from importlib.metadata import entry_points

from signoff.tools.own.acceptance import names_taken, why_refused
from signoff.tools.registry import Registry, Tool

log = logging.getLogger(__name__)
GROUP = "signoff.tools"


def add_installed(registry: Registry) -> None:
    """Add every tool that an installed package offers; one that cannot be used is reported and left out."""
    for entry in entry_points(group=GROUP):
        try:
            tool = entry.load()
        except Exception:
            log.exception("the tool %s could not be loaded", entry.name)
            continue
        if not isinstance(tool, Tool):
            log.error("the entry point %s is no tool: make it one with @tool(...)", entry.name)
        elif why := why_refused(tool, names_taken(registry)):
            log.error("the tool of the entry point %s is left out: %s", entry.name, why)
        else:
            registry.register(tool)
