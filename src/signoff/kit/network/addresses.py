"""Which addresses may be connected to: public ones, unless whoever runs the server lets private ones be reached."""

import ipaddress
import re
import socket

# They have neither a name nor a business here, whoever entered them: metadata services of clouds.
NEVER = tuple(map(ipaddress.ip_network, ("169.254.0.0/16", "100.100.100.200/32", "fd00:ec2::254/128")))
# Addresses whose last 32 bits are an IPv4 address, which some gateway on the way connects to: mapped, compatible,
# translated, and both kinds of NAT64.
WRAPPING = tuple(
    map(ipaddress.IPv6Network, ("::ffff:0:0/96", "::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48"))
)

# Of a network's own NAT64 only that network knows where in an address the IPv4 address stands.
OWN_NAT64 = ipaddress.IPv6Network("64:ff9b:1::/48")


_NUMBER = re.compile(r"\[Errno -?\d+\] ")


class HostNotFound(Exception):
    """A name that stands for no address."""


class AddressRefused(Exception):
    """An address inside a private network, or one that nobody may reach."""

    def __init__(self, host: str, address: str) -> None:
        super().__init__(f"{host} is an address inside a private network ({address}).")
        self.host = host


def said(error: Exception) -> str:
    """What an error says, without the number that the operating system has for it."""
    return _NUMBER.sub("", str(error)) or type(error).__name__


def allowed_address(host: str, port: int, *, reaches_private: bool) -> str:
    """The address to connect to. All that a name stands for must be allowed, or it could be another one next time."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise HostNotFound(f"The host {host} was not found: {said(error)}.") from None
    addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
    for each in addresses:
        if not _is_allowed(each, reaches_private):
            raise AddressRefused(host, each)
    return addresses[0]


def _is_allowed(address: str, reaches_private: bool) -> bool:
    given = ipaddress.ip_address(address.partition("%")[0])
    ip = _unwrapped(given)
    if any(ip in each for each in NEVER):
        return False
    is_site_local = isinstance(ip, ipaddress.IPv6Address) and ip.is_site_local
    is_inside = is_site_local or given in OWN_NAT64
    return reaches_private or (ip.is_global and not ip.is_multicast and not is_inside)


def _unwrapped(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """The IPv4 address that is connected to in the end, where an IPv6 address stands for one."""
    if isinstance(ip, ipaddress.IPv4Address):
        return ip
    if any(ip in each for each in WRAPPING):
        return ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF)
    return ip.sixtofour or ip
