"""The tools that every client may count on."""

from signoff.kit.settings import Settings
from signoff.tools.builtin.archives import ARCHIVES
from signoff.tools.builtin.control import CONTROL_TOOLS
from signoff.tools.builtin.data import DATA
from signoff.tools.builtin.earlier_runs import EARLIER_RUNS
from signoff.tools.builtin.files import FILES
from signoff.tools.builtin.knowledge_base import KNOWLEDGE
from signoff.tools.builtin.memory import MEMORY
from signoff.tools.builtin.messages import MESSAGES
from signoff.tools.builtin.start_run import RUNS
from signoff.tools.builtin.web import web_tools
from signoff.tools.registry import Registry


def builtin_registry(settings: Settings | None = None) -> Registry:
    """All of them; with settings also what they cost here."""
    known = [*KNOWLEDGE, *MEMORY, *EARLIER_RUNS]
    return Registry([*CONTROL_TOOLS, *FILES, *ARCHIVES, *DATA, *known, *MESSAGES, *RUNS, *web_tools(settings)])
