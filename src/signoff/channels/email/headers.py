"""Headers of a mail: what agents wrote stays text in them, and what programs read stands there as it is."""

from email.errors import MessageError
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UnstructuredHeader
from email.policy import SMTP, Policy
from typing import Any

from signoff.channels.port import ChannelError
from signoff.kit.text.deceptive import with_numbers

# Python reads what stands between these as an encoded text, and writes what comes out, line ends and all.
ENCODED, BROKEN = "=?", "= ?"
# A line of a mail has at most 998 characters, the name of its header among them.
LONGEST_ADDRESS = 900


class AsItIs(UnstructuredHeader, BaseHeader):
    """An id or an address of a page: one that is split or encoded is not understood."""

    @classmethod
    def parse(cls, value: str, kwds: dict[str, Any]) -> None:
        super().parse(value, kwds)
        kwds["decoded"] = value

    def fold(self, *, policy: Policy) -> str:
        return f"{self.name}: {self}\r\n" if self.isascii() else super().fold(policy=policy)


class Registry(HeaderRegistry):
    """Makes the class of each header once: Python's own makes one for every header of every mail."""

    def __init__(self) -> None:
        super().__init__()
        self._made = dict[str, type[BaseHeader]]()

    def __getitem__(self, name: str) -> type[BaseHeader]:
        found = self._made.get(name)
        if found is None:
            found = self._made[name] = super().__getitem__(name)
        return found


def _registry() -> HeaderRegistry:
    registry = Registry()
    for name in ("message-id", "in-reply-to", "references", "list-unsubscribe", "list-id"):
        registry.map_to_type(name, AsItIs)
    return registry


POLICY = SMTP.clone(header_factory=_registry())


def plain(text: str, most: int) -> str:
    """One line that a mail program shows letter by letter."""
    return with_numbers(" ".join(text.split())).replace(ENCODED, BROKEN)[:most]


def addressable(address: str) -> str:
    """Raises ChannelError for what is no address, or what Python would read as an encoded text."""
    try:
        if ENCODED not in address and Address(addr_spec=address).domain:
            return address
    except (ValueError, IndexError, MessageError):
        pass
    raise ChannelError(f"{address} is no address that mail can go to.", permanent=True)
