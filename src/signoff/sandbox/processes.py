"""What a process and all that it started use, and how all of them are ended."""

import os
import signal
from contextlib import suppress
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def family(pid: int) -> list[int]:
    """The process and its descendants; only itself where the system does not tell."""
    found, ahead = list[int](), [pid]
    while ahead:
        each = ahead.pop()
        found.append(each)
        with suppress(OSError, ValueError):
            ahead += map(int, Path(f"/proc/{each}/task/{each}/children").read_text().split())
    return found


def memory(pids: list[int]) -> int:
    """What they have for themselves, in bytes; what they share counts for none."""
    return sum(map(_own_pages, pids)) * PAGE


def _own_pages(pid: int) -> int:
    with suppress(OSError, ValueError, IndexError):
        _, resident, shared, *_ = map(int, Path(f"/proc/{pid}/statm").read_text().split())
        return resident - shared
    return 0


def end(pids: list[int]) -> None:
    for each in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(each, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
