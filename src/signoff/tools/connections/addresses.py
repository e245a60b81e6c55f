"""Which hosts connections may reach: public ones, and those of the own network that whoever runs the server names."""

from signoff.kit.network.addresses import AddressRefused, HostNotFound, allowed_address
from signoff.kit.settings import Settings
from signoff.tools.egress import Reach, host_of
from signoff.tools.registry import ToolFailed


def reaches_private(settings: Settings, host: str) -> bool:
    """Whether addresses inside of a private network count as well, under this name."""
    named = Reach.within(settings.connection_hosts).allows(host_of(f"//{host}") or host)
    return settings.allow_private_addresses or named


def require_allowed(settings: Settings, host: str) -> None:
    """Raises ToolFailed for a host that no tool of this installation may reach."""
    if not Reach.within(settings.egress).allows(host_of(f"//{host}") or host):
        raise ToolFailed(f"{host} is not among the hosts that SIGNOFF_EGRESS names.")


def looked_up(settings: Settings, host: str, port: int) -> str:
    """The address to connect to. Raises ToolFailed where nobody may, with what to do about it."""
    require_allowed(settings, host)
    try:
        return allowed_address(host, port, reaches_private=reaches_private(settings, host))
    except HostNotFound as error:
        raise ToolFailed(str(error)) from None
    except AddressRefused as error:
        raise ToolFailed(refused(error, host)) from None


def refused(error: AddressRefused, host: str) -> str:
    return f"{error} Whoever runs the server lets connections go there with SIGNOFF_CONNECTION_HOSTS={host}."
