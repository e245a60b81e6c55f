"""The tools that every client may count on."""

from signoff.tools.builtin.control import CONTROL_TOOLS
from signoff.tools.builtin.files import FILES
from signoff.tools.builtin.web_and_messages import OUTSIDE
from signoff.tools.registry import Registry


def builtin_registry() -> Registry:
    return Registry([*CONTROL_TOOLS, *FILES, *OUTSIDE])
