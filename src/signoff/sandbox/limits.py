"""What a process of its own takes from itself before it looks at anything foreign."""

import os
import signal
import sys
from contextlib import suppress

CLONE_NEWNET, CLONE_NEWUSER = 0x40000000, 0x10000000


def bound_cpu(seconds: int) -> None:
    """For this process and each that it starts."""
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def confine(*, cpu_seconds: int, memory_bytes: int | None) -> None:
    """Bound time and memory, write no file, and have no network where the system allows to give it up."""
    bound_cpu(cpu_seconds)
    if sys.platform == "win32":
        return
    import resource

    if memory_bytes is not None:
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    # Else the signal would end the process instead of the write.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    _leave_network()


def _leave_network() -> None:
    """One more wall where there is room for it: containers often forbid it, and then the other walls have to do."""
    import ctypes

    with suppress(OSError, AttributeError):
        unshare = ctypes.CDLL(None).unshare
        # Root would lose its right to read others' files with a user namespace; nobody else has it anyway.
        if unshare(CLONE_NEWNET) != 0 and os.geteuid() != 0:
            unshare(CLONE_NEWUSER | CLONE_NEWNET)
