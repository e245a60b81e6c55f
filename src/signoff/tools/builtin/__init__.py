"""The tools that every client may count on."""

from signoff.tools.builtin.files import FILES
from signoff.tools.builtin.means import MEANS
from signoff.tools.builtin.outside import OUTSIDE
from signoff.tools.registry import Registry


def builtin_registry() -> Registry:
    return Registry([*MEANS, *FILES, *OUTSIDE])
