"""Names a process so that others on the host can see whether it still lives."""

import os
import socket

from signoff.kit.ids import new_id


def this_owner() -> str:
    """Names this process so that others on the host can see whether it still lives."""
    return f"{_host()}|{os.getpid()}|{_started(os.getpid())}|{new_id()[-8:]}"


def _host() -> str:
    """Where a pid means the same: machines and containers often share a host name."""
    try:
        with open("/proc/sys/kernel/random/boot_id") as file:
            boot = file.read().strip()
        return f"{socket.gethostname()}/{boot}/{os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return socket.gethostname()


def _started(pid: int) -> str:
    """When a process began, in the kernel's own count: a pid alone may be used again."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[19]
    except OSError:
        return ""


def is_dead(owner: str) -> bool:
    """Whether an owner is a process of this host that is gone."""
    host, pid, started, _ = owner.split("|")
    if host != _host():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return bool(started) and _started(int(pid)) != started
